import { describe, expect, test } from 'vitest';
import { isSameTerms, type SentTerms, type Terms, termsOf } from '../../../src/domain/commissions/terms.ts';

const PERCENT: Terms = { type: 'percent', basisPoints: 2_000, amountCents: null, currency: null, recurringMonths: 12, holdDays: 30 };
const FLAT: Terms = { type: 'flat', basisPoints: null, amountCents: 500, currency: 'EUR', recurringMonths: null, holdDays: 7 };

describe('a new rule', () => {
	test.each<[string, SentTerms, Terms]>([
		[
			'with a percentage earns without limit and has no hold by default',
			{ type: 'percent', basisPoints: 2_000 },
			{ ...PERCENT, recurringMonths: null, holdDays: 0 },
		],
		['with a percentage keeps the sent values', { type: 'percent', basisPoints: 2_000, recurringMonths: 12, holdDays: 30 }, PERCENT],
		[
			'with 0 % is allowed',
			{ type: 'percent', basisPoints: 0, recurringMonths: 0, holdDays: 0 },
			{ ...PERCENT, basisPoints: 0, recurringMonths: 0, holdDays: 0 },
		],
		['with an amount keeps the sent values', { type: 'flat', amountCents: 500, currency: 'EUR', holdDays: 7 }, FLAT],
		[
			"with an amount uses the program's currency by default",
			{ type: 'flat', amountCents: 0 },
			{ ...FLAT, amountCents: 0, currency: 'USD', holdDays: 0 },
		],
	])('%s', (_what, sent, terms) => {
		expect(termsOf(sent, 'USD')).toEqual(terms);
	});

	test.each<[string, SentTerms]>([
		['type must be "percent" or "flat"', { basisPoints: 2_000 }],
		['percent is required for a rule of type "percent"', { type: 'percent' }],
		['amount_cents belongs to a rule of type "flat"', { type: 'percent', basisPoints: 1, amountCents: 0 }],
		['currency belongs to a rule of type "flat"', { type: 'percent', basisPoints: 1, currency: 'USD' }],
		['amount_cents is required for a rule of type "flat"', { type: 'flat', currency: 'USD' }],
		['percent belongs to a rule of type "percent"', { type: 'flat', amountCents: 1, basisPoints: 0 }],
	])('is refused: %s', (message, sent) => {
		expect(() => termsOf(sent, 'USD')).toThrow(expect.objectContaining({ message, status: 400 }));
	});
});

describe('the next version of a rule', () => {
	test.each<[string, SentTerms, Terms, Terms]>([
		['keeps missing fields', {}, PERCENT, PERCENT],
		['keeps the amount and its currency too', {}, FLAT, FLAT],
		[
			'takes the sent values',
			{ basisPoints: 1_500, recurringMonths: 6, holdDays: 0 },
			PERCENT,
			{ ...PERCENT, basisPoints: 1_500, recurringMonths: 6, holdDays: 0 },
		],
		['may earn without limit: null is not a missing field', { recurringMonths: null }, PERCENT, { ...PERCENT, recurringMonths: null }],
		[
			'may change to an amount',
			{ type: 'flat', amountCents: 500 },
			PERCENT,
			{ ...FLAT, currency: 'USD', recurringMonths: 12, holdDays: 30 },
		],
		['may change to a percentage', { type: 'percent', basisPoints: 2_000 }, FLAT, { ...PERCENT, recurringMonths: null, holdDays: 7 }],
		['may change only the currency', { currency: 'JPY' }, FLAT, { ...FLAT, currency: 'JPY' }],
	])('%s', (_what, sent, current, terms) => {
		expect(termsOf(sent, 'USD', current)).toEqual(terms);
	});

	test('with another type needs the fields of that type', () => {
		expect(() => termsOf({ type: 'flat' }, 'USD', PERCENT)).toThrow('amount_cents is required');
		expect(() => termsOf({ type: 'percent' }, 'USD', FLAT)).toThrow('percent is required');
	});
});

test('terms are equal only if nothing differs', () => {
	expect(isSameTerms(PERCENT, { ...PERCENT })).toBe(true);
	expect(isSameTerms(FLAT, { ...FLAT })).toBe(true);
	const others: Terms[] = [FLAT, { ...PERCENT, basisPoints: 1_999 }, { ...PERCENT, recurringMonths: null }, { ...PERCENT, holdDays: 0 }];
	for (const other of others) expect(isSameTerms(PERCENT, other)).toBe(false);
	expect(isSameTerms(FLAT, { ...FLAT, amountCents: 501 })).toBe(false);
	expect(isSameTerms(FLAT, { ...FLAT, currency: 'USD' })).toBe(false);
});
