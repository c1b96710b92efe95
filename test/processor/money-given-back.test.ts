import { describe, expect, test } from 'vitest';
import { DAY_MS, MINUTE_MS } from '../../src/domain/calendar.ts';
import { aSale, balanceOf, rows, track } from '../support/funnel.ts';
import { aStory, aStripeFunnel, aSubscription, inboxOf, outcomeOf, send, tickAt } from '../support/inbox.ts';
import { expectSoundLedger } from '../support/sound-ledger.ts';
import { stripeStory } from '../../testing/stripe/story.ts';

// Refunds and disputes in any order. A sale is of 100.00 and earns 20.00.

const salesOf = ({ id }: { readonly id: number }) =>
	rows('SELECT amount_cents, refunded_cents, is_test FROM affiliate_sale_events WHERE program_id = ? ORDER BY id', id);

describe('a refund or dispute', () => {
	test('waits for its sale, which resumes it', async () => {
		const funnel = await aStripeFunnel();
		const story = await aStory(funnel);
		const refund = story.first.refund(2_500).created();
		await send(funnel, refund);
		expect(await outcomeOf(funnel, refund)).toBe('waiting: waits: no sale of this payment is recorded yet');
		await send(funnel, story.checkout.completed());
		expect(await outcomeOf(funnel, refund)).toMatch(/^applied: Refund of 25\.00 USD of sale \d+: commission \d+ reduced by 5\.00 USD$/);
		expect(await balanceOf(funnel)).toBe(1_500);
	});

	test('in several parts, each reported twice: refunds of 25 and 50 of 100 leave 25 % of the commission', async () => {
		const funnel = await aStripeFunnel();
		const story = await aStory(funnel);
		const [first, second] = [story.first.refund(2_500), story.first.refund(5_000)];
		await send(funnel, story.checkout.completed(), first.created(), first.chargeRefunded(), second.chargeRefunded(), second.created());
		expect(await balanceOf(funnel)).toBe(500);
		expect(await salesOf(funnel)).toMatchObject([{ refunded_cents: 7_500 }]);
		await expectSoundLedger(funnel);
	});

	test('is matched to an invoice’s sale once the payment of the invoice is known, in any order', async () => {
		for (const order of [
			[0, 1, 2],
			[0, 2, 1],
			[1, 0, 2],
			[1, 2, 0],
			[2, 0, 1],
			[2, 1, 0],
		]) {
			const funnel = await aStripeFunnel();
			const { first } = await aSubscription(funnel);
			const events = [first.invoicePaid(), first.invoicePaymentPaid(), first.refund(5_000).created()];
			await send(funnel, ...order.map((index) => events[index]));
			expect(await balanceOf(funnel), order.join()).toBe(1_000);
			expect((await inboxOf(funnel)).map(({ state }) => state)).toEqual(['applied', 'applied', 'applied']);
		}
	});

	test('also waits for a sale that the backend reports', async () => {
		const funnel = await aStripeFunnel();
		const { first } = stripeStory();
		const refund = first.refund(5_000).created();
		await send(funnel, refund);
		await aSale(funnel, { transaction_id: first.ids.paymentIntent });
		await tickAt(Date.now() + 2 * MINUTE_MS);
		expect(await outcomeOf(funnel, refund)).toMatch(/^applied: Refund of 50\.00 USD/);
		expect(await balanceOf(funnel)).toBe(1_000);
	});

	test('expires if no sale is recorded', async () => {
		const funnel = await aStripeFunnel();
		const refund = stripeStory().first.refund().created();
		await send(funnel, refund);
		await tickAt(Date.now() + 4 * DAY_MS + MINUTE_MS);
		expect(await outcomeOf(funnel, refund)).toBe('expired: no sale of this payment was recorded');
	});

	test('deducts again if a won dispute is lost after all, in any order', async () => {
		for (const isLate of [false, true]) {
			const funnel = await aStripeFunnel();
			const { first, checkout } = await aStory(funnel);
			const dispute = first.dispute();
			const [won, lost] = [dispute.closed('won'), dispute.lostAfterAll()];
			await send(funnel, checkout.completed(), dispute.created(), ...(isLate ? [lost, won] : [won, lost]));
			expect(await balanceOf(funnel)).toBe(0);
			// Outdated events change nothing.
			await send(funnel, dispute.fundsReinstated(), dispute.fundsWithdrawn());
			expect(await balanceOf(funnel)).toBe(0);
			await expectSoundLedger(funnel);
		}
	});

	test('is reinstated when the dispute is won or the refund fails', async () => {
		const funnel = await aStripeFunnel();
		const { first, checkout } = await aStory(funnel);
		const dispute = first.dispute(4_000);
		await send(funnel, checkout.completed(), dispute.created());
		expect(await balanceOf(funnel)).toBe(1_200);
		const won = dispute.closed('won');
		await send(funnel, won);
		expect(await outcomeOf(funnel, won)).toMatch(
			/^applied: Dispute won, 40\.00 USD of sale \d+ counts again: commission \d+ raised by 8\.00 USD$/,
		);
		expect(await balanceOf(funnel)).toBe(2_000);
		const refund = first.refund(10_000);
		await send(funnel, refund.created('pending'));
		expect(await balanceOf(funnel)).toBe(0);
		await send(funnel, refund.failed());
		expect(await balanceOf(funnel)).toBe(2_000);
	});

	test('reported by both the API and the webhook counts once', async () => {
		const funnel = await aStripeFunnel();
		const { first, checkout } = await aStory(funnel);
		await send(funnel, checkout.completed());
		const refund = { transaction_id: first.ids.paymentIntent, refund_amount_cents: 2_500 };
		expect((await track('refund', refund, funnel.apiToken)).body).toMatchObject({ status: 'refunded' });
		await send(funnel, first.refund(2_500).created());
		expect(await balanceOf(funnel)).toBe(1_500);
	});
});
