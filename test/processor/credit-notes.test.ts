import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { stripeStory } from '../../testing/stripe/story.ts';
import type { StripeEvent } from '../../testing/stripe/wire.ts';
import { aLead, balanceOf, rows } from '../support/funnel.ts';
import { aStripeFunnel, aSubscription, outcomeOf, send, type StripeFunnel } from '../support/inbox.ts';
import { expectSoundLedger } from '../support/sound-ledger.ts';

// Each credit is deducted once: an out-of-band credit when the note arrives, a refund by its own event, and a credit to the customer's
// balance when it pays an invoice. In the end only money paid and kept counts. A sale is of 100.00 and earns 20.00.

const salesOf = ({ id }: StripeFunnel) =>
	rows<{ cents: number; refunded: number }>(
		'SELECT amount_cents AS cents, refunded_cents AS refunded FROM affiliate_sale_events WHERE program_id = ? ORDER BY id',
		id,
	);

describe('a credit note', () => {
	test("to the customer's balance is deducted once, when the next invoice is paid from it", async () => {
		const funnel = await aStripeFunnel();
		const story = await aSubscription(funnel);
		const note = story.first.creditNote({ toBalance: 4_000 }).created();
		await send(funnel, ...story.first.events(), note, ...story.renew({ paidFromBalance: 4_000 }).events());
		expect(await outcomeOf(funnel, note)).toMatch(
			/^ignored: credit note to the customer's balance: it deducts its share when it pays an invoice/,
		);
		expect(await salesOf(funnel)).toEqual([
			{ cents: 10_000, refunded: 0 },
			{ cents: 6_000, refunded: 0 },
		]);
		expect(await balanceOf(funnel)).toBe(3_200);
	});

	test("outside of Stripe is a refund until it is voided, separate from the charge's refunds", async () => {
		const funnel = await aStripeFunnel();
		const { first } = await aSubscription(funnel, { amount: 11_900, tax: 1_900 });
		const note = first.creditNote({ outOfBand: 5_950 });
		await send(funnel, ...first.events(), note.created(), note.updated(), first.refund(1_190).chargeRefunded());
		expect(await balanceOf(funnel)).toBe(800);
		await send(funnel, note.voided());
		expect(await balanceOf(funnel)).toBe(1_800);
		await expectSoundLedger(funnel);
	});

	test('that makes a refund is not deducted besides it', async () => {
		const funnel = await aStripeFunnel();
		const { first } = await aSubscription(funnel);
		const refund = first.refund(5_000);
		const note = first.creditNote({ refund: { id: refund.id, amount: 5_000 } }).created();
		await send(funnel, ...first.events(), note, refund.created(), refund.chargeRefunded());
		expect(await outcomeOf(funnel, note)).toBe('ignored: credit note: its refund is reported separately');
		expect(await balanceOf(funnel)).toBe(1_000);
	});

	test('on an organic invoice deducts nothing, in either order', async () => {
		const funnel = await aStripeFunnel();
		const story = stripeStory({ mode: 'subscription' });
		const note = story.first.creditNote({ outOfBand: 5_000 }).created();
		await send(funnel, note, ...story.first.events());
		expect(await outcomeOf(funnel, note)).toMatch(/^ignored: Nothing to deduct/);
	});
});

const aMonth = fc.record({
	/** Minor units: the invoice, a free credit to the customer's balance before it, and the credits of its note. */
	amount: fc.integer({ min: 1_000, max: 20_000 }),
	gift: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, fc.integer({ min: 1, max: 15_000 })),
	toBalance: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 10_000 })),
	outOfBand: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 3_000 })),
	refund: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 3_000 })),
});

test('only money paid and kept counts, with any credits and gifts, in any order, with repeats', async () => {
	await fc.assert(
		fc.asyncProperty(fc.array(aMonth, { minLength: 1, maxLength: 4 }), fc.infiniteStream(fc.nat()), async (months, choices) => {
			const funnel = await aStripeFunnel();
			const metadata = { tracker_customer_key: await aLead(funnel) };
			const story = stripeStory({ mode: 'subscription', metadata, amount: 10_000 });
			const events: StripeEvent[] = story.first.events();
			let [balance, kept] = [0, 10_000];
			for (const { amount, gift, toBalance, outOfBand, refund } of months) {
				const paidFromBalance = Math.min(balance + gift, amount);
				balance += gift - paidFromBalance;
				const payment = story.renew({ amount, paidFromBalance });
				const paid = amount - paidFromBalance;
				events.push(...payment.events());
				// The refund cannot exceed the amount paid; only the rest can be credited.
				const [refunded, outside] = [Math.min(refund, paid), Math.min(outOfBand, Math.max(paid - refund, 0))];
				const credited = Math.min(toBalance, amount - refunded - outside);
				const made = refunded > 0 ? payment.refund(refunded) : undefined;
				if (made) events.push(made.created(), made.chargeRefunded());
				const gives = { toBalance: credited, outOfBand: outside, ...(made && { refund: { id: made.id, amount: refunded } }) };
				if (credited + outside + refunded > 0) events.push(payment.creditNote(gives).created());
				balance += credited;
				kept += paid - refunded - outside;
			}
			const draw = () => choices.next().value ?? 0;
			const reported = [...events, ...events.filter(() => draw() % 4 === 0)].map((event) => ({ event, at: draw() }));
			await send(funnel, ...reported.sort((a, b) => a.at - b.at).map(({ event }) => event));
			const sales = await salesOf(funnel);
			expect(sales.reduce((sum, { cents, refunded }) => sum + cents - refunded, 0)).toBe(kept);
			await expectSoundLedger(funnel);
		}),
		{ numRuns: 5 },
	);
});
