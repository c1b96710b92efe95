import { describe, expect, test } from 'vitest';
import { paddleStory } from '../../../testing/paddle/story.ts';
import { nothingOf, factsOf, withData } from './read.ts';

const payment = () => paddleStory({ amount: 11_900, tax: 1900, currency: 'EUR' }).first;

describe('a refund', () => {
	test.each(['pending_approval', 'approved'] as const)('that is %s counts, by its id and without its tax', (status) => {
		const paid = payment();
		const refund = paid.refund(5_950);
		const created = refund.created(status);
		const { reversals, summary } = factsOf(created);
		expect(summary).toBe('refund of 50.00 EUR');
		expect(reversals).toEqual([
			{
				kind: 'reversal',
				paymentIds: [paid.id],
				currency: 'EUR',
				reversal: { kind: 'refund', id: refund.id, amountCents: 5_000, happenedAt: Math.floor(Date.parse(created.occurred_at)) },
			},
		]);
		expect(factsOf(refund.updated(status)).reversals).toEqual(reversals);
	});

	test.each(['rejected', 'reversed'] as const)('that was %s is undone from then on', (status) => {
		const refund = payment().refund();
		const updated = refund.updated(status);
		const { reversals, summary } = factsOf(updated);
		expect(summary).toBe(`refund of 100.00 EUR that was ${status}`);
		expect(reversals).toMatchObject([{ reversal: { id: refund.id, amountCents: 10_000, undoneAt: Date.parse(updated.occurred_at) } }]);
	});

	test('of tax alone deducts nothing', () => {
		expect(nothingOf(payment().refund(1900, 1900).created())).toBe('refund of nothing but tax');
	});

	test('does not repeat the reason that the business wrote', () => {
		expect(factsOf(payment().refund().created()).reversals[0]?.reason).toBeUndefined();
	});
});

describe('a credit', () => {
	test.each(['credit', 'credit_reverse'] as const)('deducts nothing: %s', (action) => {
		const event = payment().credit(5_950).created();
		expect(nothingOf(withData(event, { action }))).toBe('credit: what it pays later is not a sale, so nothing is deducted now');
	});
});

describe('a dispute', () => {
	test.each(['chargeback', 'chargeback_warning'] as const)('is identified by its transaction: a %s', (action) => {
		const paid = payment();
		const dispute = paid.dispute(action);
		const { reversals, summary } = factsOf(dispute.created());
		expect(summary).toBe('dispute over 100.00 EUR');
		expect(reversals).toMatchObject([
			{ paymentIds: [paid.id], reason: 'chargeback', reversal: { kind: 'dispute', id: `${paid.id}:${action}`, amountCents: 10_000 } },
		]);
		expect(reversals[0]?.reversal.undoneAt).toBeUndefined();
	});

	test('is won by its status, or by another adjustment that reverses it', () => {
		const paid = payment();
		const won = [paid.dispute().updated('reversed'), paid.dispute('chargeback_reverse').created()];
		for (const event of won) {
			const { reversals, summary } = factsOf(event);
			expect(summary).toBe('dispute over 100.00 EUR that was won');
			expect(reversals).toContainEqual(
				expect.objectContaining({
					reversal: expect.objectContaining({ id: `${paid.id}:chargeback`, undoneAt: Date.parse(event.occurred_at) }),
				}),
			);
		}
	});

	test('after a warning outlasts the end of that warning, and ends both when it is won', () => {
		const paid = payment();
		expect(disputesIn(paid.dispute('chargeback_warning_reverse').created())).toEqual([[`${paid.id}:chargeback_warning`, true]]);
		expect(disputesIn(paid.dispute('chargeback_reverse').created())).toEqual([
			[`${paid.id}:chargeback`, true],
			[`${paid.id}:chargeback_warning`, true],
		]);
	});
});

describe('an unreadable adjustment', () => {
	const event = payment().refund().created();

	test.each([
		['adjustment without an id', { id: null }],
		['adjustment that names no transaction', { transaction_id: null }],
		['adjustment with an amount or currency that cannot be read', { totals: { total: 119 } }],
		['adjustment with an amount or currency that cannot be read', { currency_code: 'EURO' }],
		['adjustment with an amount or currency that cannot be read', { totals: { total: '-119', tax: '0' } }],
		['adjustment of a kind that does not change a sale', { action: 'gift' }],
		['adjustment of a kind that does not change a sale', { action: null }],
	])('says so: %s', (summary, fields) => {
		expect(nothingOf(withData(event, fields))).toBe(summary);
	});
});

/** The disputes in an event, and whether each is over. */
function disputesIn(event: unknown) {
	return factsOf(event).reversals.map(({ reversal }) => [reversal.id, reversal.undoneAt !== undefined]);
}
