import fc from 'fast-check';
import { describe, expect, inject, test } from 'vitest';
import { DAY_MS, MINUTE_MS } from '../../src/domain/calendar.ts';
import { purgePayloads } from '../../src/processor/purge-payloads.ts';
import { stripeStory } from '../../testing/stripe/story.ts';
import type { Story, StoryOptions } from '../../testing/stripe/story-types.ts';
import { type Shape, type StripeEvent, withObject } from '../../testing/stripe/wire.ts';
import { contextAt } from '../support/clock.ts';
import { aLead, balanceOf, rows, track } from '../support/funnel.ts';
import { aStripeFunnel, backendSells, eventWith, inboxOf, outcomeOf, send, type StripeFunnel, tickAt } from '../support/inbox.ts';
import { expectSoundLedger } from '../support/sound-ledger.ts';
import { unique } from '../support/world.ts';

// An organic payment is settled at once, in any order. If it is attributed later, it is evaluated again.

const SHAPES = ['new', 'old'] as const;

/** How many orders a property tries: few on a push, because each commit begins at another seed. */
const ORDERS = { numRuns: inject('thorough') ? 5 : 2 };

/** Every event of the timeline, including its refund. */
function eventsOf(story: Story, isRefunded = true): StripeEvent[] {
	const refund = story.first.refund(2_500);
	const refunds = isRefunded ? [refund.created(), refund.chargeRefunded()] : [];
	return [...story.first.events(), ...refunds];
}

async function statesOf(funnel: StripeFunnel): Promise<Record<string, number>> {
	const { length } = await rows('SELECT id FROM affiliate_sale_events WHERE program_id = ?', funnel.id);
	const counts: Record<string, number> = { sales: length };
	for (const { state } of await inboxOf(funnel)) counts[state] = (counts[state] ?? 0) + 1;
	return counts;
}

const inAnyOrder = fc.tuple(fc.infiniteStream(fc.nat()), fc.constantFrom<Shape>(...SHAPES));

function shuffled<Item>(items: readonly Item[], choices: Iterator<number>): Item[] {
	return items
		.map((item) => ({ item, at: choices.next().value ?? 0 }))
		.sort((a, b) => a.at - b.at)
		.map(({ item }) => item);
}

describe.each<[string, StoryOptions]>([
	['a checkout', {}],
	['a checkout with an invoice', { withInvoice: true }],
	['a subscription', { mode: 'subscription' }],
	['a test subscription', { mode: 'subscription', livemode: false }],
])('the organic payment of %s', (_what, options) => {
	test('and all its events are settled once its checkout has arrived, in any order', async () => {
		await fc.assert(
			fc.asyncProperty(inAnyOrder, async ([choices, shape]) => {
				const funnel = await aStripeFunnel();
				await send(funnel, ...shuffled(eventsOf(stripeStory({ ...options, shape })), choices));
				const { waiting = 0, received = 0, expired = 0, sales } = await statesOf(funnel);
				expect({ waiting, received, expired, sales }).toEqual({ waiting: 0, received: 0, expired: 0, sales: 0 });
				// Events do not resume each other in an endless loop.
				expect((await inboxOf(funnel)).every(({ attempts }) => attempts <= 4)).toBe(true);
			}),
			ORDERS,
		);
	});

	test('becomes the sale that the backend reports under any of its ids, in any order, with its refunds', async () => {
		await fc.assert(
			fc.asyncProperty(inAnyOrder, async ([choices, shape]) => {
				const funnel = await aStripeFunnel();
				const story = stripeStory({ ...options, shape, livemode: true });
				const { paymentIntent, invoice = paymentIntent } = story.first.ids;
				const sale = { transaction_id: (choices.next().value ?? 0) % 2 === 0 ? paymentIntent : invoice, customer_key: await aLead(funnel) };
				const reported = shuffled([...eventsOf(story), 'sale' as const], choices);
				for (const each of reported) await (each === 'sale' ? backendSells(funnel, sale) : send(funnel, each));
				expect(await balanceOf(funnel)).toBe(1_500);
				const { waiting = 0, received = 0 } = await statesOf(funnel);
				expect([waiting, received]).toEqual([0, 0]);
				await expectSoundLedger(funnel);
			}),
			ORDERS,
		);
	});
});

describe('an organic payment', () => {
	test('says so, and what metadata is missing', async () => {
		const funnel = await aStripeFunnel();
		const { checkout, first } = stripeStory();
		const [completed, refund] = [checkout.completed(), first.refund().created()];
		await send(funnel, completed, refund);
		expect(await outcomeOf(funnel, completed)).toBe(
			'ignored: Organic, as far as is known: not attributed: the checkout session has no tracker metadata',
		);
		expect(await outcomeOf(funnel, refund)).toBe('ignored: Nothing to deduct: no sale of this payment is recorded');
	});

	test('by Elements is settled if the intent says that no checkout or invoice created it', async () => {
		const funnel = await aStripeFunnel();
		const { first } = stripeStory({ isIntentAlone: true });
		await send(funnel, first.chargeSucceeded(), first.paymentIntentSucceeded(), first.refund().created());
		expect(await statesOf(funnel)).toEqual({ sales: 0, ignored: 3 });
	});

	test.each(SHAPES)('with metadata on the intent belongs to that customer, in either order: %s', async (shape) => {
		for (const isIntentFirst of [true, false]) {
			const funnel = await aStripeFunnel();
			const intentMetadata = { tracker_customer_key: await aLead(funnel) };
			const { checkout, first } = stripeStory({ amount: 11_900, tax: 1_900, shape, intentMetadata });
			const events = [first.paymentIntentSucceeded(), checkout.completed()];
			await send(funnel, ...(isIntentFirst ? events : events.toReversed()));
			expect(await balanceOf(funnel)).toBe(2_000);
		}
	});

	test.each([true, false])('with metadata on the intent is one sale for all its events, in any order (live: %s)', async (livemode) => {
		await fc.assert(
			fc.asyncProperty(inAnyOrder, async ([choices, shape]) => {
				const funnel = await aStripeFunnel();
				const intentMetadata = { tracker_customer_key: await aLead(funnel) };
				const story = stripeStory({ withInvoice: true, shape, intentMetadata, livemode });
				await send(funnel, ...shuffled(eventsOf(story), choices));
				const events = await inboxOf(funnel);
				expect(events.filter(({ state }) => state !== 'applied')).toEqual([]);
				expect((await statesOf(funnel))['sales']).toBe(1);
			}),
			ORDERS,
		);
	});

	test('captured later is settled at the capture, if the session has no metadata', async () => {
		const funnel = await aStripeFunnel();
		const { checkout, first } = stripeStory({ captured: 5_000 });
		await send(funnel, checkout.completed('unpaid'), first.paymentIntentSucceeded(), first.chargeSucceeded());
		expect(await statesOf(funnel)).toEqual({ sales: 0, ignored: 3 });
	});

	test('is attributed if a customer is named within four days, and not after', async () => {
		for (const [days, balance] of [
			[3, 2_000],
			[5, 0],
		] as const) {
			const funnel = await aStripeFunnel();
			const story = stripeStory({ mode: 'subscription' });
			await send(funnel, ...eventsOf(story, false));
			const metadata = { tracker_customer_key: await aLead(funnel) };
			await tickAt(Date.now() + days * DAY_MS);
			await ageOf(funnel, days);
			await send(funnel, eventWith(story.subscription.updated(), { metadata }));
			expect(await balanceOf(funnel)).toBe(balance);
		}
	});

	test('becomes the backend’s sale for as long as its bodies are kept', async () => {
		const funnel = await aStripeFunnel();
		const { first, checkout } = stripeStory({ amount: 11_900, tax: 1_900 });
		await send(funnel, checkout.completed(), first.chargeSucceeded(), first.refund(5_950).created());
		await ageOf(funnel, 20);
		await backendSells(funnel, { transaction_id: first.ids.paymentIntent, customer_key: await aLead(funnel) });
		expect(await balanceOf(funnel)).toBe(1_000);
		expect(await statesOf(funnel)).toEqual({ sales: 1, applied: 3 });
	});

	test('is no longer evaluated once its body is purged', async () => {
		const funnel = await aStripeFunnel();
		const { checkout, first } = stripeStory();
		await send(funnel, checkout.completed());
		await purgePayloads(contextAt(Date.now() + 31 * DAY_MS), 1_000);
		expect(await rows('SELECT * FROM processor_event_waits WHERE program_id = ?', funnel.id)).toEqual([]);
		await backendSells(funnel, { transaction_id: first.ids.paymentIntent, customer_key: await aLead(funnel) });
		expect(await statesOf(funnel)).toEqual({ sales: 1, ignored: 1 });
	});

	test('of a subscription: its renewals are settled too, until a customer is named', async () => {
		const funnel = await aStripeFunnel({ renewals_follow_checkout: true });
		const story = stripeStory({ mode: 'subscription' });
		const renewal = story.renew();
		await send(funnel, ...story.first.events(), ...renewal.events());
		expect((await statesOf(funnel))['waiting']).toBeUndefined();
		await backendSells(funnel, { customer_key: await aLead(funnel), subscription_id: story.ids.subscription });
		expect(await balanceOf(funnel)).toBe(4_000);
	});
});

describe('a trial', () => {
	test('whose checkout names a customer leaves nothing waiting, and its lead is recorded, in any order', async () => {
		await fc.assert(
			fc.asyncProperty(inAnyOrder, async ([choices, shape]) => {
				const funnel = await aStripeFunnel();
				const metadata = { tracker_customer_key: await aLead(funnel) };
				const story = stripeStory({ mode: 'subscription', trialDays: 14, metadata, subscriptionMetadata: {}, shape });
				await send(funnel, ...shuffled(story.first.events(), choices));
				const { waiting = 0, expired = 0 } = await statesOf(funnel);
				expect([waiting, expired]).toEqual([0, 0]);
				const completed = (await inboxOf(funnel)).find(({ type }) => type === 'checkout.session.completed');
				expect(completed).toMatchObject({ state: 'applied', attempts: 1 });
			}),
			ORDERS,
		);
	});

	test('without metadata makes no lead and does not wait', async () => {
		const funnel = await aStripeFunnel();
		const story = stripeStory({ mode: 'subscription', trialDays: 14 });
		const created = story.subscription.created();
		await send(funnel, created, story.checkout.completed());
		expect(await outcomeOf(funnel, created)).toBe(
			'ignored: Organic, as far as is known: signup not attributed: the subscription has no tracker metadata',
		);
	});
});

describe('the refund of a payment that was not recorded', () => {
	test('because its customer has no partner is settled when the payment is', async () => {
		const funnel = await aStripeFunnel();
		const customerKey = unique('direct');
		await track('lead', { customer_key: customerKey }, funnel.apiToken);
		const { checkout, first } = stripeStory({ metadata: { tracker_customer_key: customerKey } });
		const [early, late] = [first.refund(1_000).created(), first.refund(2_000).created()];
		await send(funnel, checkout.completed(), early);
		expect(await outcomeOf(funnel, early)).toMatch(/^waiting: /);
		await tickAt(Date.now() + 4 * DAY_MS + MINUTE_MS);
		await send(funnel, late);
		for (const event of [early, late]) expect(await outcomeOf(funnel, event)).toMatch(/^ignored: Nothing to deduct/);
	});

	test('waits if the payment was refused, because that may be corrected', async () => {
		const funnel = await aStripeFunnel();
		const { checkout, first } = stripeStory({ metadata: { tracker_click_id: 'cust_1_2' } });
		const refund = first.refund().created();
		await send(funnel, withObject(checkout.completed(), { metadata: { tracker_customer_key: unique('nobody') } }), refund);
		expect(await outcomeOf(funnel, refund)).toMatch(/^waiting: /);
	});
});

/** Backdates everything that the program has received by this many days. */
async function ageOf(funnel: StripeFunnel, days: number): Promise<void> {
	await rows(
		`UPDATE processor_events SET expires_at = expires_at - ?1, settled_at = settled_at - ?1, revision = revision + 1 WHERE program_id = ?2`,
		days * DAY_MS,
		funnel.id,
	);
}
