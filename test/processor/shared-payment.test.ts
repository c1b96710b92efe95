import { expect, test } from 'vitest';
import { aLead, balanceOf, rows, track } from '../support/funnel.ts';
import { aStripeFunnel, eventWith, inboxOf, outcomeOf, send, type StripeFunnel } from '../support/inbox.ts';
import { expectSoundLedger } from '../support/sound-ledger.ts';
import { stripeStory } from '../../testing/stripe/story.ts';
import type { Shape } from '../../testing/stripe/wire.ts';
import { unique } from '../support/world.ts';

// At Stripe, one payment intent may pay several invoices. They are separate sales, even though they share its id. A sale of 100.00 earns
// 20.00.

const SHAPES: readonly Shape[] = ['old', 'new'];

/** The payment pays the first invoices of a customer's two subscriptions. */
async function twoInvoicesOfOnePayment(funnel: StripeFunnel, shape: Shape) {
	const metadata = { tracker_customer_key: await aLead(funnel) };
	const [one, two] = [1, 2].map(() => stripeStory({ mode: 'subscription', shape, metadata, customer: unique('cus') }).first);
	if (!one || !two) throw new Error('Two stories');
	const { paymentIntent, charge } = one.ids;
	const ofOld = shape === 'old' ? { payment_intent: paymentIntent, charge } : {};
	return {
		one,
		two,
		ofOne: { paid: one.invoicePaid(), linked: one.invoicePaymentPaid() },
		ofTwo: {
			paid: eventWith(two.invoicePaid(), ofOld),
			linked: eventWith(two.invoicePaymentPaid(), { payment: { payment_intent: paymentIntent, type: 'payment_intent' } }),
		},
	};
}

const salesOf = ({ id }: { readonly id: number }) =>
	rows<{ transaction: string; refunded: number }>(
		'SELECT processor_event_id AS "transaction", refunded_cents AS refunded FROM affiliate_sale_events WHERE program_id = ? ORDER BY id',
		id,
	);

test.each(SHAPES)('one payment of two invoices makes two sales, in any order of events (%s)', async (shape) => {
	for (const order of [
		['paid one', 'linked one', 'paid two', 'linked two'],
		['paid one', 'paid two', 'linked one', 'linked two'],
		['linked one', 'linked two', 'paid one', 'paid two'],
		['linked two', 'linked one', 'paid one', 'paid two'],
		['linked two', 'paid one', 'linked one', 'paid two'],
	]) {
		const funnel = await aStripeFunnel();
		const { one, two, ofOne, ofTwo } = await twoInvoicesOfOnePayment(funnel, shape);
		const reported = new Map([
			['paid one', ofOne.paid],
			['linked one', ofOne.linked],
			['paid two', ofTwo.paid],
			['linked two', ofTwo.linked],
		]);
		await send(funnel, ...order.map((name) => reported.get(name)), one.chargeSucceeded(), one.paymentIntentSucceeded());
		const sold = [one.transactionId, two.transactionId].map((transaction) => ({ transaction, refunded: 0 }));
		expect(new Set(await salesOf(funnel)), order.join()).toEqual(new Set(sold));
		expect(await balanceOf(funnel)).toBe(4_000);
		expect(new Set((await inboxOf(funnel)).map(({ state }) => state))).toEqual(new Set(['applied']));
		expect(await rows('SELECT id FROM affiliate_sale_events WHERE program_id = ? AND duplicate_of_sale_id IS NOT NULL', funnel.id)).toEqual(
			[],
		);
		await expectSoundLedger(funnel);
	}
});

test('refunds of the payment count for the sale that its id identified first', async () => {
	const funnel = await aStripeFunnel();
	const { one, ofOne, ofTwo } = await twoInvoicesOfOnePayment(funnel, 'new');
	await send(funnel, ofOne.paid, ofOne.linked, ofTwo.paid, ofTwo.linked, one.refund(2_500).created());
	expect((await salesOf(funnel)).map(({ refunded }) => refunded)).toEqual([2_500, 0]);
	expect(await balanceOf(funnel)).toBe(3_500);
});

test('a sale that the backend reported under the payment is one of its invoices; the other is a separate sale', async () => {
	const funnel = await aStripeFunnel();
	const { one, two, ofOne, ofTwo } = await twoInvoicesOfOnePayment(funnel, 'new');
	const reported = { transaction_id: one.ids.paymentIntent, amount_cents: 10_000, customer_key: await aLead(funnel) };
	expect((await track('sale', reported, funnel.apiToken)).status).toBe(200);
	await send(funnel, ofOne.linked, ofOne.paid, ofTwo.linked, ofTwo.paid);
	expect((await salesOf(funnel)).map(({ transaction }) => transaction)).toEqual([one.ids.paymentIntent, two.transactionId]);
	expect(await balanceOf(funnel)).toBe(4_000);
	expect((await track('sale', { ...reported, transaction_id: one.transactionId }, funnel.apiToken)).status).toBe(409);
});

test('the same in test mode', async () => {
	const funnel = await aStripeFunnel();
	const { ofOne, ofTwo } = await twoInvoicesOfOnePayment(funnel, 'old');
	const events = [ofOne.linked, ofTwo.linked, ofOne.paid, ofTwo.paid];
	await send(funnel, ...events.map((event) => ({ ...event, livemode: false })));
	expect(await salesOf(funnel)).toHaveLength(2);
	expect(new Set((await inboxOf(funnel)).map(({ state }) => state))).toEqual(new Set(['applied']));
	expect(await balanceOf(funnel)).toBe(0);
});

test('a checkout and its invoice are one sale, even if only a third event links them', async () => {
	for (const reverse of [false, true]) {
		const funnel = await aStripeFunnel();
		const { first, checkout } = stripeStory({ withInvoice: true, metadata: { tracker_customer_key: await aLead(funnel) } });
		const session = eventWith(checkout.completed(), { invoice: null });
		const events = [session, first.invoicePaid()];
		await send(funnel, ...(reverse ? events.toReversed() : events), first.invoicePaymentPaid());
		expect(await outcomeOf(funnel, session)).toMatch(/^applied/);
		expect(await balanceOf(funnel)).toBe(2_000);
		await expectSoundLedger(funnel);
	}
});
