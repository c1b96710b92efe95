import { describe, expect, test } from 'vitest';
import { exampleOf, headlineOf, moneyWords, type Offer, payoutWords } from '../../../src/domain/commissions/offer.ts';
import type { Terms } from '../../../src/domain/commissions/terms.ts';

const percent = (basisPoints: number, recurringMonths: number | null, holdDays = 0): Terms => ({
	type: 'percent',
	basisPoints,
	amountCents: null,
	currency: null,
	recurringMonths,
	holdDays,
});
const flat = (amountCents: number, currency: string): Terms => ({
	type: 'flat',
	basisPoints: null,
	amountCents,
	currency,
	recurringMonths: 0,
	holdDays: 0,
});
const offer = (terms: Terms | undefined, { currency = 'USD', payoutMinimumCents = 0 } = {}): Offer => ({
	currency,
	terms,
	payoutMinimumCents,
});

describe('the text of what a new partner earns', () => {
	test.each([
		[
			offer(percent(2000, 12)),
			'20% of every sale',
			'A sale of $100 earns you $20, and so does each later payment of a subscription for 12 months.',
		],
		[
			offer(percent(3350, 1)),
			'33.5% of every sale',
			'A sale of $100 earns you $33.50, and so does each later payment of a subscription for 1 month.',
		],
		[
			offer(percent(700, null), { currency: 'JPY' }),
			'7% of every sale',
			'A sale of ¥10,000 earns you ¥700, and so does each later payment of a subscription, as long as it goes on.',
		],
		[
			offer(percent(1000, 0), { currency: 'KWD' }),
			'10% of every sale',
			'A sale of KWD 100 earns you KWD 10. For a subscription, only the first payment counts.',
		],
		[offer(flat(1500, 'EUR')), '€15 for every sale', 'Every sale in EUR earns you €15. For a subscription, only the first payment counts.'],
		[offer(undefined), 'By agreement', 'Commissions are agreed individually with each partner.'],
	])('%#', (given, headline, example) => {
		expect([headlineOf(given), exampleOf(given)].map((text) => text.replaceAll('\u00a0', ' '))).toEqual([headline, example]);
	});
});

test('when it is paid, and from which amount', () => {
	expect(payoutWords(offer(percent(2000, 0)))).toBe('Your commission can be paid at once.');
	expect(payoutWords(offer(percent(2000, 0, 30), { payoutMinimumCents: 5_000 }))).toBe(
		'What a sale earns you can be paid after 30 days, unless it was refunded. A payout is $50 or more.',
	);
	expect(payoutWords(offer(undefined, { payoutMinimumCents: 250 }))).toBe(
		'Your commission can be paid at once. A payout is $2.50 or more.',
	);
});

test('money as people write it: without needless decimals', () => {
	expect([moneyWords(2_000, 'USD'), moneyWords(2_005, 'USD'), moneyWords(1_500, 'JPY'), moneyWords(123_456_700, 'USD')]).toEqual([
		'$20',
		'$20.05',
		'¥1,500',
		'$1,234,567',
	]);
});
