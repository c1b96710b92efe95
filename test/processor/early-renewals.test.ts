import { expect, test } from 'vitest';
import { DAY_MS, MINUTE_MS } from '../../src/domain/calendar.ts';
import { linkIdOf, mintClickId } from '../support/clock.ts';
import { balanceOf, rows, track } from '../support/funnel.ts';
import { aStripeFunnel, backendSells, eventWith, outcomeOf, send, type StripeFunnel, tickAt } from '../support/inbox.ts';
import { stripeStory } from '../../testing/stripe/story.ts';
import { unique } from '../support/world.ts';

// A renewal that arrives before its subscription's first payment waits for it, because that payment decides what the renewal earns.

const WINDOW_DAYS = 10;
const WAITS = /^waiting: waits: it renews a subscription whose first payment is not recorded yet/;
const EARNED = /^applied: Sale \d+ recorded, commission \d+$/;

/** The customer subscribed inside the window; the renewal is outside it. */
async function aSubscription(agoMs = DAY_MS) {
	const funnel = await aStripeFunnel({ cookie_window_days: WINDOW_DAYS });
	const customerKey = unique('customer');
	const at = Date.now() - agoMs;
	const clickId = await mintClickId(await linkIdOf(funnel), { clickedAt: at - (WINDOW_DAYS - 0.5) * DAY_MS });
	await track('lead', { click_id: clickId, customer_key: customerKey }, funnel.apiToken);
	const story = stripeStory({ mode: 'subscription', metadata: { tracker_customer_key: customerKey }, at });
	return { funnel, customerKey, story, first: story.first.invoicePaid(), renewal: story.renew().invoicePaid() };
}

const windowsOf = (funnel: StripeFunnel) =>
	rows('SELECT is_recurring, inside_window FROM affiliate_sale_events WHERE program_id = ? ORDER BY id', funnel.id);

test('it is resumed by the first payment, and earns as if they had arrived in order', async () => {
	const { funnel, first, renewal } = await aSubscription();
	await send(funnel, renewal);
	expect(await outcomeOf(funnel, renewal)).toMatch(WAITS);
	await send(funnel, first);
	expect([await outcomeOf(funnel, first), await outcomeOf(funnel, renewal)]).toEqual([
		expect.stringMatching(EARNED),
		expect.stringMatching(EARNED),
	]);
	expect(await windowsOf(funnel)).toEqual([
		{ is_recurring: 0, inside_window: 1 },
		{ is_recurring: 1, inside_window: 0 },
	]);
});

test('the backend may report the first payment', async () => {
	const { funnel, customerKey, story, renewal } = await aSubscription();
	await send(funnel, renewal);
	await backendSells(funnel, { transaction_id: unique('order'), customer_key: customerKey, subscription_id: story.ids.subscription });
	expect(await outcomeOf(funnel, renewal)).not.toMatch(WAITS);
});

test('if no first payment arrives, it is recorded when the wait ends', async () => {
	const { funnel, renewal } = await aSubscription();
	await send(funnel, renewal);
	await tickAt(Date.now() + 4 * DAY_MS);
	expect(await outcomeOf(funnel, renewal)).toMatch(/^applied: Sale \d+ recorded, no commission: the attribution window has expired$/);
	expect(await balanceOf(funnel)).toBe(0);
});

test.each([
	['has the keys', (key: string) => ({ tracker_customer_key: key })],
	['has them only in later events', () => ({})],
])('it does not wait if its subscription began long ago: the subscription %s', async (_what, metadataOf) => {
	const funnel = await aStripeFunnel();
	const customerKey = unique('customer');
	const at = Date.now() - 31 * DAY_MS;
	const clickId = await mintClickId(await linkIdOf(funnel), { clickedAt: at - DAY_MS });
	await track('lead', { click_id: clickId, customer_key: customerKey }, funnel.apiToken);
	const story = stripeStory({ mode: 'subscription', metadata: metadataOf(customerKey), at });
	const renewal = story.renew().invoicePaid();
	const updated = eventWith(story.subscription.updated(), { metadata: { tracker_customer_key: customerKey } });
	await send(funnel, renewal, { ...updated, created: renewal.created + 60 });
	await tickAt(Date.now() + MINUTE_MS);
	expect(await outcomeOf(funnel, renewal)).toMatch(EARNED);
	expect(await balanceOf(funnel)).toBe(2_000);
});

test('a renewal reported long after its payment waits too, because its age says nothing about the first payment', async () => {
	const { funnel, story, first } = await aSubscription(30 * DAY_MS);
	const renewal = eventWith(story.renew().invoicePaid(), { status_transitions: { paid_at: Math.floor(Date.now() / 1_000) - 5 * 86_400 } });
	await send(funnel, renewal);
	expect(await outcomeOf(funnel, renewal)).toMatch(WAITS);
	await send(funnel, first);
	expect(await outcomeOf(funnel, renewal)).toMatch(EARNED);
});
