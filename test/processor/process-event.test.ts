import fc from 'fast-check';
import { describe, expect, inject, test } from 'vitest';
import { DAY_MS, MINUTE_MS } from '../../src/domain/calendar.ts';
import { aLead, aSale, balanceOf, rows, track } from '../support/funnel.ts';
import {
	aStory,
	aStripeFunnel,
	aSubscription,
	inboxOf,
	outcomeOf,
	receive,
	send,
	type StripeFunnel,
	tickAt,
	work,
} from '../support/inbox.ts';
import { customersWith } from '../support/leads.ts';
import { stripeStory } from '../../testing/stripe/story.ts';
import { api, unique } from '../support/world.ts';
import { anyText } from '../support/any-text.ts';

// The outcomes of events in any order. A sale is of 100.00 and earns 20.00.

const salesOf = ({ id }: { readonly id: number }) =>
	rows('SELECT amount_cents, refunded_cents, is_test FROM affiliate_sale_events WHERE program_id = ? ORDER BY id', id);

describe('a payment', () => {
	test('makes one sale, whichever of its events arrive and how often', async () => {
		const funnel = await aStripeFunnel();
		const story = await aSubscription(funnel);
		const events = story.first.events();
		await send(funnel, ...events, story.first.invoicePaid(), ...events.toReversed());
		expect(await salesOf(funnel)).toEqual([{ amount_cents: 10_000, refunded_cents: 0, is_test: 0 }]);
		expect(await balanceOf(funnel)).toBe(2_000);
		const outcomes = (await inboxOf(funnel)).map(({ state, reason }) => `${state}: ${reason?.replaceAll(/\d+/g, 'n')}`);
		expect(new Set(outcomes)).toEqual(
			new Set([
				'applied: Sale n recorded, commission n',
				'applied: Already recorded as sale n',
				'applied: Ids of the payment of sale n linked',
				'applied: Subscription began: its invoices make the sales. Stored for later payments: customer_key',
			]),
		);
	});

	test('is not counted twice if the backend reports it too, under any of its ids', async () => {
		const funnel = await aStripeFunnel();
		const story = await aStory(funnel);
		await aSale(funnel, { transaction_id: story.first.ids.paymentIntent });
		const event = story.checkout.completed();
		await send(funnel, event);
		expect(await outcomeOf(funnel, event)).toMatch(/^applied: Already recorded as sale \d+$/);
		expect(await balanceOf(funnel)).toBe(2_000);
	});

	test('attributed only by the backend still has the charged amount', async () => {
		const funnel = await aStripeFunnel();
		const { checkout, first } = stripeStory({ amount: 11_900, tax: 1_900 });
		await aSale(funnel, { transaction_id: first.ids.paymentIntent });
		const event = checkout.completed();
		await send(funnel, event, first.refund(5_950).created());
		expect(await outcomeOf(funnel, event)).toMatch(/^applied: Already recorded as sale \d+$/);
		expect(await salesOf(funnel)).toMatchObject([{ refunded_cents: 5_000 }]);
	});

	test('that another program has recorded is refused', async () => {
		const [funnel, other] = [await aStripeFunnel(), await aStripeFunnel()];
		const story = await aStory(funnel);
		await aSale(other, { transaction_id: story.first.ids.paymentIntent });
		const event = story.checkout.completed();
		await send(funnel, event);
		expect(await outcomeOf(funnel, event)).toBe(
			'refused: Refused: another program has recorded a sale with an id of this payment, and ids are unique across all programs',
		);
		expect(await balanceOf(funnel)).toBe(0);
	});

	test('says why it earns nothing', async () => {
		const funnel = await aStripeFunnel();
		const story = await aStory(funnel);
		await api(`${funnel.path}/partners/${funnel.partnerId}`, { method: 'PATCH', token: funnel.owner.token, body: { status: 'suspended' } });
		const event = story.checkout.completed();
		await send(funnel, event);
		expect(await outcomeOf(funnel, event)).toMatch(/^applied: Sale \d+ recorded, no commission: the partner is suspended$/);
	});

	test('counts with its tax or without, as the program says', async () => {
		const [net, gross] = [await aStripeFunnel(), await aStripeFunnel({}, { amount_basis: 'gross' })];
		for (const funnel of [net, gross]) await send(funnel, (await aStory(funnel, { amount: 11_900, tax: 1_900 })).checkout.completed());
		expect([await balanceOf(net), await balanceOf(gross)]).toEqual([2_000, 2_380]);
	});

	test('that is not completed yet waits for its second event', async () => {
		const funnel = await aStripeFunnel();
		const story = await aStory(funnel);
		const unpaid = story.checkout.completed('unpaid');
		await send(funnel, unpaid);
		expect(await outcomeOf(funnel, unpaid)).toBe('ignored: checkout waits for the payment');
		await send(funnel, story.checkout.asyncPaymentSucceeded());
		expect(await balanceOf(funnel)).toBe(2_000);
	});
});

describe('a subscription', () => {
	test('that begins with a trial makes one lead; its first payment makes the sale', async () => {
		const funnel = await aStripeFunnel();
		const customerKey = unique('customer');
		const metadata = { tracker_customer_key: customerKey };
		await track('click', { affiliate_url: `https://shop.example/?aff=${funnel.shortLink}` });
		const story = stripeStory({ mode: 'subscription', metadata, trialDays: 14 });
		const created = story.subscription.created();
		await send(funnel, created, story.first.invoicePaid());
		expect(await outcomeOf(funnel, created)).toMatch(/^applied: Lead \d+ recorded$/);
		expect(await customersWith(customerKey, funnel)).toMatchObject([{ status: 'lead' }]);
		const again = story.subscription.created();
		await send(funnel, again);
		expect(await outcomeOf(funnel, again)).toBe('applied: The customer is a lead already, or has bought');
		expect(await rows('SELECT id FROM affiliate_lead_events WHERE program_id = ?', funnel.id)).toHaveLength(1);
		expect(await salesOf(funnel)).toEqual([]);
	});

	test('whose checkout pays nothing yet leaves nothing waiting', async () => {
		const funnel = await aStripeFunnel();
		const story = await aSubscription(funnel, { trialDays: 14 });
		const completed = story.checkout.completed();
		await send(funnel, completed);
		await tickAt(Date.now() + 4 * DAY_MS + MINUTE_MS);
		expect(await outcomeOf(funnel, completed)).toBe(
			'applied: Checkout of a subscription: its invoices make the sales. Stored for later payments: customer_key',
		);
	});

	test('that ends is marked in its reference', async () => {
		const funnel = await aStripeFunnel();
		const story = await aSubscription(funnel);
		const deleted = story.subscription.deleted();
		await send(funnel, deleted);
		expect(await outcomeOf(funnel, deleted)).toBe('ignored: The subscription ended; no data about it is kept');
		await send(funnel, story.subscription.created());
		const again = story.subscription.deleted();
		await send(funnel, again);
		expect(await outcomeOf(funnel, again)).toBe('applied: The end of the subscription is recorded');
		const [binding] = await rows('SELECT ended_at FROM processor_bindings WHERE processor_id = ?', story.ids.subscription);
		expect(binding?.['ended_at']).toEqual(expect.any(Number));
	});
});

test('test mode makes flagged records, separate from real ones, and says so', async () => {
	const funnel = await aStripeFunnel();
	const options = { mode: 'subscription', livemode: false, subscriptionMetadata: {} } as const;
	const story = await aStory(funnel, options);
	const [completed, paid, refund] = [story.checkout.completed(), story.first.invoicePaid(), story.first.refund(5_000).created()];
	await send(funnel, refund, paid, completed, story.first.invoicePaymentPaid());
	expect(await outcomeOf(funnel, paid)).toMatch(
		/^applied: Test record: nothing real has changed\. Sale \d+ recorded, no commission: test sales earn nothing$/,
	);
	expect(await outcomeOf(funnel, refund)).toMatch(/^applied: Test record: .* Refund of 50\.00 USD of sale \d+, a test sale$/);
	expect(await salesOf(funnel)).toEqual([{ amount_cents: 10_000, refunded_cents: 0, is_test: 1 }]);
	expect(await balanceOf(funnel)).toBe(0);
	expect((await inboxOf(funnel)).map((event) => event.test)).toEqual([true, true, true, true]);
	expect(await rows('SELECT DISTINCT is_test FROM processor_bindings WHERE program_id = ?', funnel.id)).toEqual([{ is_test: 1 }]);
	// A test event does not attribute a real payment.
	const real = { ...story.renew().invoicePaid(), livemode: true };
	await send(funnel, real);
	expect(await outcomeOf(funnel, real)).toMatch(/^waiting: /);
});

describe('an event that can no longer be applied is refused with advice', () => {
	test.each([
		[
			'Stripe was disconnected',
			(funnel: StripeFunnel) => api(`${funnel.path}/stripe`, { method: 'DELETE', token: funnel.owner.token }),
			'refused: Stripe was disconnected before this event could be applied. Connect it and replay the event',
		],
		[
			'the program was deactivated',
			(funnel: StripeFunnel) => api(funnel.path, { method: 'PATCH', token: funnel.owner.token, body: { active: false } }),
			'refused: The program is not active. Activate it and replay the event',
		],
	])('%s', async (_what, change, expected) => {
		const funnel = await aStripeFunnel();
		const event = (await aStory(funnel)).checkout.completed();
		const { messages } = await receive(funnel, event);
		await change(funnel);
		await work(messages);
		expect(await outcomeOf(funnel, event)).toBe(expected);
		expect(await balanceOf(funnel)).toBe(0);
	});
});

test('any event is processed to the end', async () => {
	const funnel = await aStripeFunnel();
	const text = fc.oneof(fc.constantFrom('pi_1', 'in_1', 'paid', 'payment', 'subscription', 'usd', String(funnel.id), ''), anyText());
	const value = fc.oneof(text, fc.integer(), fc.double(), fc.constant(null), fc.jsonValue({ maxDepth: 2 }));
	const story = stripeStory({ mode: 'subscription', metadata: { tracker_customer_key: await aLead(funnel) } });
	const { first } = story;
	const known = [...first.events(), first.refund(10).created(), first.refund(20).chargeRefunded(), first.dispute(30).created()];
	const objects = [...known, story.subscription.deleted()].map(({ type, data }) => ({ type, object: data.object }));
	const changes = fc.array(fc.tuple(fc.nat(), value), { maxLength: 6 });
	await fc.assert(
		fc.asyncProperty(fc.constantFrom(...objects), changes, async ({ type, object }, change) => {
			const fields = Object.keys(object);
			const changed = Object.fromEntries(change.map(([at, to]) => [fields[at % fields.length], to]));
			const id = `evt_${crypto.randomUUID()}`;
			await send(funnel, {
				id,
				object: 'event',
				type,
				created: 1_790_000_000,
				livemode: true,
				data: { object: { ...object, ...changed } },
			});
			expect(await outcomeOf(funnel, { id }), JSON.stringify(changed)).toMatch(/^(applied|ignored|waiting|refused): ./);
		}),
		{ numRuns: inject('thorough') ? 150 : 60 },
	);
});
