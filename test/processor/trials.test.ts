import { describe, expect, test } from 'vitest';
import { DAY_MS } from '../../src/domain/calendar.ts';
import { linkIdOf, mintClickId } from '../support/clock.ts';
import { balanceOf, rows, track } from '../support/funnel.ts';
import { aStripeFunnel, backendSells, eventWith, outcomeOf, send, type StripeFunnel, tickAt } from '../support/inbox.ts';
import { stripeStory } from '../../testing/stripe/story.ts';
import type { Story, StoryOptions } from '../../testing/stripe/story-types.ts';
import { unique } from '../support/world.ts';

// A trial that began inside the window counts as the first sale of its subscription, however long it is (decision 41).

const WINDOW_DAYS = 30;
const TRIAL_DAYS = 90;

/** A customer clicks, begins a trial some days later, and pays for the first time when it ends, now. */
async function aTrial(daysToTrial: number, { rule = {}, ...options }: { rule?: Record<string, unknown> } & StoryOptions = {}) {
	const funnel = await aStripeFunnel({ cookie_window_days: WINDOW_DAYS, commission: { type: 'percent', percent: 20, ...rule } });
	const customerKey = unique('customer');
	const at = Date.now() - TRIAL_DAYS * DAY_MS;
	const click_id = await mintClickId(await linkIdOf(funnel), { clickedAt: at - daysToTrial * DAY_MS });
	await track('lead', { click_id, customer_key: customerKey }, funnel.apiToken);
	const metadata = { tracker_customer_key: customerKey };
	return { funnel, customerKey, trial: stripeStory({ mode: 'subscription', metadata, trialDays: TRIAL_DAYS, at, ...options }) };
}

const EXPIRED = /^applied: Sale \d+ recorded, no commission: the attribution window has expired$/;
const EARNED = /^applied: Sale \d+ recorded, commission \d+$/;

async function paid(funnel: StripeFunnel, trial: Story): Promise<string> {
	const event = trial.renew().invoicePaid();
	await send(funnel, event);
	return outcomeOf(funnel, event);
}

describe('the payments after a trial', () => {
	test.each<[string, (story: Story) => unknown[]]>([
		['the subscription', ({ subscription }) => [subscription.created()]],
		['the subscription, as it changes', ({ subscription }) => [subscription.updated()]],
		['its invoice of 0', ({ first }) => [first.invoicePaid()]],
		['everything', ({ first, checkout }) => [...first.events(), checkout.completed()]],
	])('earn, though the window is over: %s reported it', async (_what, report) => {
		const { funnel, trial } = await aTrial(WINDOW_DAYS - 1);
		await send(funnel, ...report(trial));
		expect(await paid(funnel, trial)).toMatch(EARNED);
		expect(await paid(funnel, trial)).toMatch(EARNED);
		expect(await balanceOf(funnel)).toBe(4_000);
		expect(await rows('SELECT DISTINCT inside_window FROM affiliate_sale_events WHERE program_id = ?', funnel.id)).toEqual([
			{ inside_window: 1 },
		]);
	});

	test('earn nothing if it began outside the window, or if no event reported it', async () => {
		const late = await aTrial(WINDOW_DAYS + 1);
		await send(late.funnel, ...late.trial.first.events());
		expect(await paid(late.funnel, late.trial)).toMatch(EXPIRED);
		const unreported = await aTrial(WINDOW_DAYS - 1);
		const event = unreported.trial.renew().invoicePaid();
		await send(unreported.funnel, event);
		await tickAt(Date.now() + 4 * DAY_MS);
		expect(await outcomeOf(unreported.funnel, event)).toMatch(EXPIRED);
		expect([await balanceOf(late.funnel), await balanceOf(unreported.funnel)]).toEqual([0, 0]);
	});

	test('are not attributed if the subscription has no keys, whatever its checkout had', async () => {
		const { funnel, trial } = await aTrial(1, { subscriptionMetadata: {} });
		await send(funnel, ...trial.first.events());
		expect(await paid(funnel, trial)).toMatch(/^waiting: waits: renewal not attributed: /);
	});

	test('earn only the first time if only first payments do', async () => {
		const { funnel, trial } = await aTrial(1, { rule: { recurring_months: 0 } });
		await send(funnel, ...trial.first.events());
		expect(await paid(funnel, trial)).toMatch(EARNED);
		expect(await paid(funnel, trial)).toMatch(/the commission rule's limit on recurring payments is reached$/);
	});

	test('earn if the backend reports them and the subscription has the keys', async () => {
		const { funnel, trial, customerKey } = await aTrial(1);
		const sale = { customer_key: customerKey, subscription_id: trial.ids.subscription };
		await send(funnel, eventWith(trial.subscription.created(), { metadata: {} }));
		await backendSells(funnel, sale);
		expect(await balanceOf(funnel)).toBe(0);
		await send(funnel, trial.subscription.updated());
		await backendSells(funnel, sale);
		expect(await balanceOf(funnel)).toBe(2_000);
	});
});

test('a subscription without a trial whose first payment was outside the window earns nothing', async () => {
	const { funnel, trial } = await aTrial(1);
	await send(funnel, eventWith(trial.subscription.created(), { status: 'active', trial_start: null, trial_end: null }));
	expect(await paid(funnel, trial)).toMatch(EXPIRED);
});
