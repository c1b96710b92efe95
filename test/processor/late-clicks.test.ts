import { describe, expect, test } from 'vitest';
import { DAY_MS } from '../../src/domain/calendar.ts';
import { linkIdOf, mintClickId } from '../support/clock.ts';
import { aClick, balanceOf, rows, track } from '../support/funnel.ts';
import { aStripeFunnel, backendSells, eventWith, outcomeOf, send, type StripeFunnel, tickAt } from '../support/inbox.ts';
import { stripeStory } from '../../testing/stripe/story.ts';
import { unique } from '../support/world.ts';

// No partner earns from a payment made before the click, or from renewals of a subscription that began before it (decision 41).

const LATE = "ignored: Not recorded: no partner referred the customer, it was paid before the customer's click";
const OLDER = "ignored: Not recorded: no partner referred the customer, its subscription began before the customer's click";
const EARNED = /^applied: Sale \d+ recorded, commission \d+$/;

const salesOf = ({ id }: StripeFunnel) => rows('SELECT id FROM affiliate_sale_events WHERE program_id = ?', id);
const statusOf = async (customerKey: string) =>
	(await rows('SELECT status FROM customers WHERE customer_key = ?', customerKey))[0]?.['status'];

/** A partner clicks (by default now), and claims the customer with a lead. */
async function claim(funnel: StripeFunnel, customerKey: string, clickedAt = Date.now()): Promise<void> {
	const click_id = await mintClickId(await linkIdOf(funnel), { clickedAt });
	const { status } = await track('lead', { click_id, customer_key: customerKey }, funnel.apiToken);
	expect(status).toBe(200);
}

describe('a payment that was made before the click', () => {
	test.each([
		['by an unknown customer', false],
		['by a customer without a partner', true],
	])('%s is not the partner’s: nothing is stored, and later purchases earn', async (_who, isKnown) => {
		const funnel = await aStripeFunnel();
		const customerKey = unique('victim');
		if (isKnown) await track('lead', { customer_key: customerKey }, funnel.apiToken);
		const paid = stripeStory({ metadata: { tracker_customer_key: customerKey }, at: Date.now() - 3 * DAY_MS }).checkout.completed();
		await send(funnel, paid);
		expect(await outcomeOf(funnel, paid)).toMatch(/^waiting: /);
		await claim(funnel, customerKey);
		await tickAt(Date.now() + DAY_MS);
		expect(await outcomeOf(funnel, paid)).toBe(LATE);
		expect([await balanceOf(funnel), await salesOf(funnel), await statusOf(customerKey)]).toEqual([0, [], 'lead']);

		const next = stripeStory({ metadata: { tracker_customer_key: customerKey } }).checkout.completed();
		await send(funnel, next);
		expect(await outcomeOf(funnel, next)).toMatch(EARNED);
		expect(await balanceOf(funnel)).toBe(2_000);
	});

	test('does not link its customer to a click that arrives with it', async () => {
		const funnel = await aStripeFunnel();
		const [customerKey, clickId] = [unique('victim'), await aClick(funnel)];
		await track('lead', { customer_key: customerKey }, funnel.apiToken);
		const metadata = { tracker_customer_key: customerKey, tracker_click_id: clickId };
		const paid = stripeStory({ metadata, at: Date.now() - DAY_MS }).checkout.completed();
		await send(funnel, paid);
		expect(await outcomeOf(funnel, paid)).toBe(LATE);
		expect(await rows('SELECT status, click_id FROM customers WHERE customer_key = ?', customerKey)).toEqual([
			{ status: 'lead', click_id: null },
		]);
	});

	test.each([
		['within a minute of the click earns, because clocks differ', 50_000, true],
		['more than a minute before the click does not', 70_000, false],
	])('%s', async (_what, earlier, earns) => {
		const funnel = await aStripeFunnel();
		const customerKey = unique('customer');
		const at = Math.floor(Date.now() / 1000) * 1000 - DAY_MS;
		const invoice = stripeStory({ mode: 'subscription', metadata: { tracker_customer_key: customerKey }, at }).first.invoicePaid();
		await claim(funnel, customerKey, at + earlier);
		await send(funnel, invoice);
		expect(await outcomeOf(funnel, invoice)).toMatch(earns ? EARNED : LATE);
		expect(await balanceOf(funnel)).toBe(earns ? 2_000 : 0);
	});

	test('earns if a lead, reported later, has a click from before the payment', async () => {
		const funnel = await aStripeFunnel();
		const customerKey = unique('customer');
		const paid = stripeStory({ metadata: { tracker_customer_key: customerKey }, at: Date.now() - DAY_MS }).checkout.completed();
		await send(funnel, paid);
		await claim(funnel, customerKey, Date.now() - 2 * DAY_MS);
		await tickAt(Date.now() + DAY_MS);
		expect(await outcomeOf(funnel, paid)).toMatch(EARNED);
	});
});

describe('a subscription that began before the click', () => {
	const month = 31 * DAY_MS;

	/** The subscription is a month old when a partner claims its customer. */
	async function aClaimedSubscription(funnel: StripeFunnel, report: (story: ReturnType<typeof stripeStory>) => readonly unknown[]) {
		const customerKey = unique('victim');
		const story = stripeStory({ mode: 'subscription', metadata: { tracker_customer_key: customerKey }, at: Date.now() - month });
		await send(funnel, ...report(story));
		await claim(funnel, customerKey, Date.now() - DAY_MS);
		const renewal = eventWith(story.renew().invoicePaid(), {
			status_transitions: { paid_at: Math.floor(Date.now() / 1000) },
		});
		return { customerKey, story, renewal };
	}

	test.each<[string, (story: ReturnType<typeof stripeStory>) => readonly unknown[]]>([
		['its creation', ({ subscription }) => [subscription.created()]],
		['a later change', ({ subscription }) => [subscription.updated()]],
		['its first invoice', ({ first }) => [first.invoicePaid()]],
		['its creation, without metadata', ({ subscription }) => [eventWith(subscription.created(), { metadata: {} })]],
	])('earns no partner a renewal, however it was reported (%s)', async (_what, report) => {
		const funnel = await aStripeFunnel();
		const { customerKey, story, renewal } = await aClaimedSubscription(funnel, report);
		await send(funnel, renewal);
		expect(await outcomeOf(funnel, renewal)).toBe(OLDER);
		// If the backend reports the renewal, it is refused too, as if the customer had no partner.
		const sale = { transaction_id: unique('order'), customer_key: customerKey, subscription_id: story.ids.subscription };
		const { status, body } = await backendSells(funnel, sale);
		expect([status, body]).toEqual([400, { error: 'partnerId required to create commission' }]);
		expect([await balanceOf(funnel), await salesOf(funnel), await statusOf(customerKey)]).toEqual([0, [], 'lead']);
		// The sale's id stays free, and a sale that is not a renewal of this subscription earns.
		expect(await backendSells(funnel, { ...sale, subscription_id: unique('sub') })).toMatchObject({ status: 200 });
		expect(await balanceOf(funnel)).toBe(2_000);
	});

	test('in test mode does not affect a real one', async () => {
		const funnel = await aStripeFunnel();
		const { renewal } = await aClaimedSubscription(funnel, ({ subscription }) => [{ ...subscription.created(), livemode: false }]);
		await send(funnel, renewal);
		await tickAt(Date.now() + 4 * DAY_MS);
		expect(await outcomeOf(funnel, renewal)).toMatch(EARNED);
	});

	test('in another program does not affect this one', async () => {
		const [funnel, other] = [await aStripeFunnel(), await aStripeFunnel()];
		const { renewal, story } = await aClaimedSubscription(funnel, () => []);
		await send(other, story.subscription.created());
		await send(funnel, renewal);
		await tickAt(Date.now() + 4 * DAY_MS);
		expect(await outcomeOf(funnel, renewal)).toMatch(EARNED);
	});
});
