import { describe, expect, test } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/domain/calendar.ts';
import { linkIdOf, mintClickId } from '../support/clock.ts';
import { aClick, aLead, balanceOf, rows, track } from '../support/funnel.ts';
import { aStripeFunnel, eventWith, inboxOf, outcomeOf, send, type StripeFunnel, tickAt } from '../support/inbox.ts';
import { customersOf, customersWith } from '../support/leads.ts';
import { stripeStory } from '../support/stripe/story.ts';
import { api, unique } from '../support/world.ts';

// Whose sale a payment is: by the metadata that the integrator attaches, or by what an earlier event or sale told.

const bindingsOf = ({ id }: { readonly id: number }) =>
	rows('SELECT processor_id, customer_key, click_id, is_test FROM processor_bindings WHERE program_id = ? ORDER BY processor_id', id);

describe('the metadata of a checkout', () => {
	test('by customer_key', async () => {
		const funnel = await aStripeFunnel();
		const { checkout } = stripeStory({ metadata: { tracker_customer_key: await aLead(funnel) } });
		const event = checkout.completed();
		await send(funnel, event);
		expect(await outcomeOf(funnel, event)).toMatch(/^applied: Sale \d+ recorded, commission \d+$/);
		expect(await balanceOf(funnel)).toBe(2_000);
	});

	test.each(['tracker_click_id', 'client_reference_id'])('by the click of a customer who was never a lead, in %s', async (place) => {
		const funnel = await aStripeFunnel();
		const clickId = await aClick(funnel);
		const options = place === 'tracker_click_id' ? { metadata: { tracker_click_id: clickId } } : { clientReferenceId: clickId };
		await send(funnel, stripeStory(options).checkout.completed());
		expect(await balanceOf(funnel)).toBe(2_000);
		expect(await customersOf(clickId)).toMatchObject([{ status: 'conversion', signup_date: null }]);
	});

	test('by both, which binds them', async () => {
		const funnel = await aStripeFunnel();
		const [clickId, customerKey] = [await aClick(funnel), unique('customer')];
		const metadata = { tracker_click_id: clickId, tracker_customer_key: customerKey, program_id: String(funnel.id) };
		await send(funnel, stripeStory({ metadata }).checkout.completed());
		expect(await customersOf(clickId)).toMatchObject([{ customer_key: customerKey, status: 'conversion' }]);
	});

	test('of a guest who came by no partner makes no sale', async () => {
		const funnel = await aStripeFunnel();
		const customerKey = unique('customer');
		await track('lead', { customer_key: customerKey }, funnel.apiToken);
		const event = eventWith(stripeStory({ metadata: { tracker_customer_key: customerKey } }).checkout.completed(), { customer: null });
		await send(funnel, event);
		expect(await outcomeOf(funnel, event)).toBe('ignored: Not recorded: the customer came by no partner');
	});

	test('of a customer whose partner left is refused', async () => {
		const funnel = await aStripeFunnel();
		const metadata = { tracker_customer_key: await aLead(funnel) };
		await api(`${funnel.path}/partners/${funnel.partnerId}`, { method: 'DELETE', token: funnel.owner.token });
		const event = stripeStory({ metadata }).checkout.completed();
		await send(funnel, event);
		expect(await outcomeOf(funnel, event)).toBe('refused: Refused: No partner-program relationship found for this customer');
	});
});

describe('program_id', () => {
	test.each([
		['another program', (id: number) => String(id + 1)],
		['another spelling', (id: number) => `0${id}`],
		['nonsense', () => 'my-program'],
	])('of %s: nothing is applied, nothing is remembered', async (_what, spell) => {
		const funnel = await aStripeFunnel();
		const metadata = { tracker_customer_key: await aLead(funnel), program_id: spell(funnel.id) };
		const story = stripeStory({ mode: 'subscription', metadata });
		const events = [story.checkout.completed(), story.first.invoicePaid()];
		await send(funnel, ...events);
		for (const event of events) {
			expect(await outcomeOf(funnel, event)).toBe(
				'refused: The metadata names another program than this address: program_id does not match',
			);
		}
		expect(await bindingsOf(funnel)).toEqual([]);
		expect(await rows('SELECT id FROM affiliate_sale_events WHERE program_id = ?', funnel.id)).toEqual([]);
	});

	test('may be left out, or be this one', async () => {
		const funnel = await aStripeFunnel();
		const metadata = { tracker_customer_key: await aLead(funnel), program_id: ` ${funnel.id} ` };
		await send(funnel, stripeStory({ metadata }).checkout.completed());
		expect(await balanceOf(funnel)).toBe(2_000);
	});
});

/** A subscription whose checkout has the metadata, and its subscription has not. */
async function aMuteSubscription(funnel: StripeFunnel) {
	const metadata = { tracker_customer_key: await aLead(funnel) };
	return stripeStory({ mode: 'subscription', metadata, subscriptionMetadata: {} });
}

describe('a renewal whose invoice says nothing', () => {
	test('is that of whom the checkout named', async () => {
		const funnel = await aStripeFunnel();
		const story = await aMuteSubscription(funnel);
		await send(funnel, story.checkout.completed(), story.first.invoicePaid(), story.renew().invoicePaid());
		expect(await balanceOf(funnel)).toBe(4_000);
	});

	test('waits for the checkout, which wakes it', async () => {
		const funnel = await aStripeFunnel();
		const story = await aMuteSubscription(funnel);
		const [first, renewal] = [story.first.invoicePaid(), story.renew().invoicePaid()];
		await send(funnel, renewal, first);
		const reason = 'waiting: waits: nothing says who the customer is; an earlier event may still be on its way';
		expect([await outcomeOf(funnel, first), await outcomeOf(funnel, renewal)]).toEqual([reason, reason]);
		await send(funnel, story.checkout.completed());
		expect(await balanceOf(funnel)).toBe(4_000);
		expect((await inboxOf(funnel, '?state=applied')).map(({ type }) => type)).toEqual([
			'checkout.session.completed',
			'invoice.paid',
			'invoice.paid',
		]);
	});

	test('is that of whom the backend named at the first sale of the subscription', async () => {
		const funnel = await aStripeFunnel();
		const story = stripeStory({ mode: 'subscription' });
		const sale = { transaction_id: unique('order'), amount_cents: 10_000, customer_key: await aLead(funnel) };
		await track('sale', { ...sale, subscription_id: story.ids.subscription }, funnel.apiToken);
		await send(funnel, story.renew().invoicePaid());
		expect(await balanceOf(funnel)).toBe(4_000);
	});

	test('is that of whom the backend named, though the webhook came first', async () => {
		const funnel = await aStripeFunnel();
		const story = stripeStory({ mode: 'subscription' });
		await send(funnel, story.renew().invoicePaid());
		const sale = { transaction_id: unique('order'), amount_cents: 10_000, customer_key: await aLead(funnel) };
		await track('sale', { ...sale, subscription_id: story.ids.subscription }, funnel.apiToken);
		await tickAt(Date.now() + 2 * MINUTE_MS);
		expect(await balanceOf(funnel)).toBe(4_000);
	});

	test('expires, with the reason, where nobody ever said', async () => {
		const funnel = await aStripeFunnel();
		const story = stripeStory({ mode: 'subscription' });
		const [first, renewal] = [story.first.invoicePaid(), story.renew().invoicePaid()];
		const single = stripeStory().checkout.completed();
		await send(funnel, first, renewal, single);
		await tickAt(Date.now() + 4 * DAY_MS - HOUR_MS);
		expect(await inboxOf(funnel, '?state=waiting')).toHaveLength(3);
		await tickAt(Date.now() + 4 * DAY_MS + MINUTE_MS);
		expect(await outcomeOf(funnel, renewal)).toBe('expired: renewal not attributed: subscription has no metadata and no earlier sale');
		expect(await outcomeOf(funnel, first)).toBe(
			'expired: not attributed: neither the subscription nor its checkout session has tracker metadata',
		);
		expect(await outcomeOf(funnel, single)).toBe('expired: not attributed: the checkout session has no tracker metadata');
		expect(await rows('SELECT * FROM processor_event_waits WHERE program_id = ?', funnel.id)).toEqual([]);
	});

	test('of another program stays that one’s', async () => {
		const [funnel, other] = [await aStripeFunnel(), await aStripeFunnel()];
		const story = await aMuteSubscription(funnel);
		await send(funnel, story.checkout.completed());
		const renewal = story.renew().invoicePaid();
		await send(other, renewal);
		expect(await outcomeOf(other, renewal)).toMatch(/^waiting: /);
		expect(await balanceOf(other)).toBe(0);
	});
});

test('a guest’s checkout without metadata has nothing to wait for', async () => {
	const funnel = await aStripeFunnel();
	const event = eventWith(stripeStory().checkout.completed(), { customer: null });
	await send(funnel, event);
	expect(await outcomeOf(funnel, event)).toBe('ignored: not attributed: the checkout session has no tracker metadata');
});

describe('a customer who is not known yet', () => {
	test('is waited for: the lead may be late', async () => {
		const funnel = await aStripeFunnel();
		const customerKey = unique('customer');
		const event = stripeStory({ metadata: { tracker_customer_key: customerKey } }).checkout.completed();
		await send(funnel, event);
		expect(await outcomeOf(funnel, event)).toBe('waiting: waits: its customer_key or click_id leads to no customer yet; report the lead');
		await track('lead', { customer_key: customerKey, click_id: await aClick(funnel) }, funnel.apiToken);
		await tickAt(Date.now() + 2 * MINUTE_MS);
		expect(await outcomeOf(funnel, event)).toMatch(/^applied: Sale/);
	});

	test('is told where the lead never comes', async () => {
		const funnel = await aStripeFunnel();
		const event = stripeStory({ metadata: { tracker_customer_key: unique('customer') } }).checkout.completed();
		await send(funnel, event);
		await tickAt(Date.now() + 4 * DAY_MS + MINUTE_MS);
		expect(await outcomeOf(funnel, event)).toBe(
			'expired: not attributed: its customer_key or click_id led to no customer, and no lead came',
		);
		expect(await customersWith('customer', funnel)).toEqual([]);
	});
});

describe('what an event says of Stripe’s customer', () => {
	test('the later one counts, in whichever order they come', async () => {
		const [first, second] = [await aStripeFunnel(), await aStripeFunnel()];
		const [early, late] = [unique('early'), unique('late')];
		const at = Date.now() - DAY_MS;
		const story = stripeStory({ mode: 'subscription', metadata: { tracker_customer_key: early }, subscriptionMetadata: {}, at });
		const { customer } = story.ids;
		const again = stripeStory({ mode: 'subscription', metadata: { tracker_customer_key: late }, subscriptionMetadata: {}, customer });
		await send(first, story.checkout.completed(), again.checkout.completed());
		await send(second, again.checkout.completed(), story.checkout.completed());
		for (const funnel of [first, second]) {
			const bound = new Map((await bindingsOf(funnel)).map((row) => [row['processor_id'], row['customer_key']]));
			expect([bound.get(customer), bound.get(story.ids.subscription), bound.get(again.ids.subscription)]).toEqual([late, early, late]);
		}
	});

	test('what it leaves out stays as it was', async () => {
		const funnel = await aStripeFunnel();
		const [key, clickId] = [unique('customer'), await aClick(funnel)];
		const story = stripeStory({
			mode: 'subscription',
			metadata: { tracker_customer_key: key },
			subscriptionMetadata: {},
			at: Date.now() - DAY_MS,
		});
		const { customer } = story.ids;
		const again = stripeStory({ mode: 'subscription', metadata: { tracker_click_id: clickId }, subscriptionMetadata: {}, customer });
		await send(funnel, story.checkout.completed(), again.checkout.completed());
		expect(await bindingsOf(funnel)).toContainEqual({ processor_id: customer, customer_key: key, click_id: clickId, is_test: 0 });
	});

	test('two events of one moment leave the same, in whichever order they come', async () => {
		const [first, second] = [await aStripeFunnel(), await aStripeFunnel()];
		const at = Date.now() - DAY_MS;
		const story = stripeStory({ mode: 'subscription', metadata: { tracker_customer_key: 'a' }, subscriptionMetadata: {}, at });
		const { customer } = story.ids;
		const again = stripeStory({ mode: 'subscription', metadata: { tracker_customer_key: 'b' }, subscriptionMetadata: {}, at, customer });
		await send(first, story.checkout.completed(), again.checkout.completed());
		await send(second, again.checkout.completed(), story.checkout.completed());
		expect(await bindingsOf(first)).toEqual(await bindingsOf(second));
	});
});

test('a click of another program is no evidence here', async () => {
	const [funnel, other] = [await aStripeFunnel(), await aStripeFunnel()];
	const clickId = await mintClickId(await linkIdOf(other));
	const event = stripeStory({ metadata: { tracker_click_id: clickId } }).checkout.completed();
	await send(funnel, event);
	expect(await outcomeOf(funnel, event)).toBe('refused: Refused: No affiliate attribution found for this customer in this program');
	expect([await balanceOf(funnel), await balanceOf(other)]).toEqual([0, 0]);
});
