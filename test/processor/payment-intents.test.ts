import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DAY_MS, HOUR_MS } from '../../src/domain/calendar.ts';
import { aClick, aLead, balanceOf, rows } from '../support/funnel.ts';
import { aStripeFunnel, backendSells, inboxOf, outcomeOf, send, type StripeFunnel, tickAt } from '../support/inbox.ts';
import { expectSoundLedger } from '../support/sound-ledger.ts';
import { stripeStory } from '../../testing/stripe/story.ts';
import type { Story, StoryOptions } from '../../testing/stripe/story-types.ts';
import { type Shape, type StripeEvent, withObject } from '../../testing/stripe/wire.ts';
import { runs } from '../support/runs.ts';

// Payments that are reported by their own intent: with Elements, or with Checkout and manual capture.

const SHAPES = ['new', 'old'] as const;

const salesOf = ({ id }: StripeFunnel) =>
	rows<{ id: string; cents: number; charged: number; refunded: number }>(
		`SELECT processor_event_id AS id, amount_cents AS cents, charged_cents AS charged, refunded_cents AS refunded
		FROM affiliate_sale_events WHERE program_id = ? AND duplicate_of_sale_id IS NULL`,
		id,
	);

/** 119.00, of which 19.00 is tax if its checkout says so. */
function anIntent(options: StoryOptions, shape: Shape = 'new'): Story {
	return stripeStory({ amount: 11_900, tax: 1_900, shape, ...options });
}

async function afterAnHour(): Promise<void> {
	await tickAt(Date.now() + 2 * HOUR_MS);
}

describe('an intent created by the business', () => {
	test('with a customer key is a sale, identified by its charge too', async () => {
		const funnel = await aStripeFunnel();
		const { first } = anIntent({ isIntentAlone: true, intentMetadata: { tracker_customer_key: await aLead(funnel) } });
		const paid = first.paymentIntentSucceeded();
		await send(funnel, paid, first.chargeSucceeded(), first.refund(5_950).created());
		expect(await outcomeOf(funnel, paid)).toMatch(/^applied: Sale \d+ recorded, commission \d+$/);
		expect(await salesOf(funnel)).toEqual([{ id: first.ids.paymentIntent, cents: 11_900, charged: 11_900, refunded: 5_950 }]);
		expect(await balanceOf(funnel)).toBe(1_190);
	});

	test('may name a click instead', async () => {
		const funnel = await aStripeFunnel();
		const { first } = anIntent({ isIntentAlone: true, intentMetadata: { tracker_click_id: await aClick(funnel) } });
		await send(funnel, first.paymentIntentSucceeded());
		expect(await balanceOf(funnel)).toBe(2_380);
	});

	test('counts without the tax that the business entered', async () => {
		const funnel = await aStripeFunnel();
		const { first } = anIntent({ isIntentAlone: true, intentMetadata: { tracker_customer_key: await aLead(funnel) } });
		await send(funnel, withObject(first.paymentIntentSucceeded(), { amount_details: { tax: { total_tax_amount: 1_900 } } }));
		expect(await salesOf(funnel)).toMatchObject([{ cents: 10_000, charged: 11_900 }]);
	});

	test('waits an hour for a checkout if its API version does not say what created it', async () => {
		const funnel = await aStripeFunnel();
		const metadata = { tracker_customer_key: await aLead(funnel) };
		const paid = anIntent({ isIntentAlone: true, intentMetadata: metadata }, 'old').first.paymentIntentSucceeded();
		await send(funnel, paid);
		expect(await outcomeOf(funnel, paid)).toMatch(/^waiting: waits: it may belong to a checkout/);
		await afterAnHour();
		expect(await outcomeOf(funnel, paid)).toMatch(/^applied: Sale \d+ recorded/);
		expect(await balanceOf(funnel)).toBe(2_380);
	});

	test('without metadata is not a sale', async () => {
		const funnel = await aStripeFunnel();
		await send(funnel, anIntent({ isIntentAlone: true }).first.paymentIntentSucceeded());
		await afterAnHour();
		expect(await salesOf(funnel)).toEqual([]);
	});

	test("is one sale with the backend's report of its id", async () => {
		const funnel = await aStripeFunnel();
		const customerKey = await aLead(funnel);
		const { first } = anIntent({ isIntentAlone: true, intentMetadata: { tracker_customer_key: customerKey } });
		await send(funnel, first.paymentIntentSucceeded());
		const { status } = await backendSells(funnel, { transaction_id: first.ids.paymentIntent, customer_key: customerKey });
		expect([status, await balanceOf(funnel)]).toEqual([409, 2_380]);
	});

	test('in test mode is a test sale', async () => {
		const funnel = await aStripeFunnel();
		const intentMetadata = { tracker_customer_key: await aLead(funnel) };
		const paid = anIntent({ isIntentAlone: true, intentMetadata, livemode: false }).first.paymentIntentSucceeded();
		await send(funnel, paid);
		expect(await outcomeOf(funnel, paid)).toMatch(/^applied: Test record: nothing real has changed/);
		expect(await balanceOf(funnel)).toBe(0);
	});
});

describe('an intent created by an invoice', () => {
	test.each(SHAPES)('is not a separate sale, even with metadata: %s', async (shape) => {
		const funnel = await aStripeFunnel();
		const metadata = { tracker_customer_key: await aLead(funnel) };
		const { first } = anIntent({ mode: 'subscription', metadata }, shape);
		const reported = withObject(first.paymentIntentSucceeded(), { metadata });
		await send(funnel, reported, first.invoicePaid(), first.invoicePaymentPaid());
		await afterAnHour();
		expect(await salesOf(funnel)).toMatchObject([{ id: first.ids.invoice, cents: 10_000 }]);
	});
});

describe('a checkout with manual capture', () => {
	test.each(SHAPES)("becomes a sale at the capture days later, by the session's metadata: %s", async (shape) => {
		const funnel = await aStripeFunnel();
		const { checkout, first } = anIntent({ metadata: { tracker_customer_key: await aLead(funnel) }, captured: 5_950 }, shape);
		await send(funnel, checkout.completed('unpaid'));
		await tickAt(Date.now() + 5 * DAY_MS);
		expect(await salesOf(funnel)).toEqual([]);
		await send(funnel, first.paymentIntentSucceeded(), first.chargeSucceeded());
		// The sale is 100 out of the 119 authorized.
		expect(await salesOf(funnel)).toEqual([{ id: first.ids.paymentIntent, cents: 5_000, charged: 5_950, refunded: 0 }]);
		await send(funnel, first.refund(2_975).created());
		expect(await balanceOf(funnel)).toBe(500);
	});

	test('does not count the uncaptured part as a refund', async () => {
		const funnel = await aStripeFunnel();
		const { checkout, first } = anIntent({ metadata: { tracker_customer_key: await aLead(funnel) }, captured: 5_950 });
		await send(funnel, checkout.completed('unpaid'), first.paymentIntentSucceeded(), first.refund(1_190).chargeRefunded());
		expect(await salesOf(funnel)).toMatchObject([{ cents: 5_000, refunded: 1_000 }]);
	});

	test('may be captured at once, before its session arrives', async () => {
		const funnel = await aStripeFunnel();
		const { checkout, first } = anIntent({ metadata: { tracker_customer_key: await aLead(funnel) }, captured: 11_900 });
		const paid = first.paymentIntentSucceeded();
		await send(funnel, paid);
		expect(await outcomeOf(funnel, paid)).toMatch(/^waiting: /);
		await send(funnel, checkout.completed('unpaid'));
		expect(await salesOf(funnel)).toMatchObject([{ cents: 10_000, charged: 11_900 }]);
	});

	test('works in test mode too', async () => {
		const funnel = await aStripeFunnel();
		const metadata = { tracker_customer_key: await aLead(funnel) };
		const { checkout, first } = anIntent({ metadata, captured: 11_900, livemode: false });
		await send(funnel, first.paymentIntentSucceeded(), checkout.completed('unpaid'));
		expect(await salesOf(funnel)).toMatchObject([{ cents: 10_000, charged: 11_900 }]);
	});

	test('that is never captured makes no sale', async () => {
		const funnel = await aStripeFunnel();
		const { checkout, first } = anIntent({ metadata: { tracker_customer_key: await aLead(funnel) }, captured: 11_900 });
		await send(funnel, checkout.completed('unpaid'), withObject(first.chargeSucceeded(), { captured: false, amount_captured: 0 }));
		await afterAnHour();
		expect(await salesOf(funnel)).toEqual([]);
	});
});

describe('a checkout with metadata only on its payment', () => {
	test.each(SHAPES)('is a sale without its tax, in either order: %s', async (shape) => {
		for (const isCheckoutFirst of [true, false]) {
			const funnel = await aStripeFunnel();
			const { checkout, first } = anIntent({ intentMetadata: { tracker_customer_key: await aLead(funnel) } }, shape);
			const events = [checkout.completed(), first.paymentIntentSucceeded()];
			await send(funnel, ...(isCheckoutFirst ? events : events.toReversed()));
			expect(await salesOf(funnel)).toEqual([{ id: first.ids.paymentIntent, cents: 10_000, charged: 11_900, refunded: 0 }]);
			expect((await inboxOf(funnel)).map(({ state }) => state)).toEqual(['applied', 'applied']);
		}
	});

	test('of another program is refused', async () => {
		const funnel = await aStripeFunnel();
		const intentMetadata = { tracker_customer_key: await aLead(funnel), program_id: String(funnel.id + 1) };
		const { checkout, first } = anIntent({ intentMetadata });
		const paid = first.paymentIntentSucceeded();
		await send(funnel, paid, checkout.completed());
		expect(await outcomeOf(funnel, paid)).toMatch(/^refused: The program_id in the metadata does not match/);
		expect(await salesOf(funnel)).toEqual([]);
	});
});

const TIMELINES: Record<string, { readonly options: (key: string) => StoryOptions; readonly events: (story: Story) => StripeEvent[] }> = {
	'an intent alone': {
		options: (key) => ({ isIntentAlone: true, intentMetadata: { tracker_customer_key: key }, amount: 10_000, tax: 0 }),
		events: ({ first }) => [first.paymentIntentSucceeded(), first.chargeSucceeded()],
	},
	'a checkout that is captured by hand': {
		options: (key) => ({ metadata: { tracker_customer_key: key }, captured: 11_900 }),
		events: ({ first, checkout }) => [checkout.completed('unpaid'), first.chargeSucceeded(), first.paymentIntentSucceeded()],
	},
	'the same, of which its payment says who paid': {
		options: (key) => ({ intentMetadata: { tracker_customer_key: key }, captured: 11_900 }),
		events: ({ first, checkout }) => [checkout.completed('unpaid'), first.chargeSucceeded(), first.paymentIntentSucceeded()],
	},
	'a checkout whose payment says who paid': {
		options: (key) => ({ intentMetadata: { tracker_customer_key: key } }),
		events: ({ first, checkout }) => [checkout.completed(), first.chargeSucceeded(), first.paymentIntentSucceeded()],
	},
	'one with an invoice whose payment says who paid': {
		options: (key) => ({ intentMetadata: { tracker_customer_key: key }, withInvoice: true }),
		events: ({ first, checkout }) => [checkout.completed(), ...first.events().filter(({ type }) => type !== 'checkout.session.completed')],
	},
	'one that takes its time, and both say who paid': {
		options: (key) => ({ metadata: { tracker_customer_key: key }, intentMetadata: { tracker_customer_key: key } }),
		events: ({ first, checkout }) => [
			checkout.completed('unpaid'),
			first.chargeSucceeded(),
			first.paymentIntentSucceeded(),
			checkout.asyncPaymentSucceeded(),
		],
	},
};

test.each(Object.entries(TIMELINES))(
	'%s: one sale of 100, a quarter refunded, in any order, with repeats',
	async (_name, { options, events }) => {
		await fc.assert(
			fc.asyncProperty(fc.infiniteStream(fc.nat()), fc.constantFrom(...SHAPES), async (choices, shape) => {
				const funnel = await aStripeFunnel();
				const story = anIntent(options(await aLead(funnel)), shape);
				const { first } = story;
				const inOrder = [...events(story), first.refund(2_500).created()];
				const draw = () => choices.next().value ?? 0;
				const again = inOrder.filter(() => draw() % 3 === 0);
				const shuffled = [...inOrder, ...again].map((event) => ({ event, at: draw() })).sort((a, b) => a.at - b.at);
				await send(funnel, ...shuffled.map(({ event }) => event));
				await afterAnHour();
				const types = shuffled.map(({ event }) => event.type).join(' ');
				expect(await salesOf(funnel), types).toMatchObject([{ cents: 10_000 }]);
				expect(
					(await inboxOf(funnel)).filter(({ state }) => state !== 'applied' && state !== 'ignored'),
					types,
				).toEqual([]);
				await expectSoundLedger(funnel);
			}),
			runs(3),
		);
	},
);
