import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
	breakdownRowOf,
	type BreakdownFigures,
	formatBreakdownPosition,
	parseBreakdownPosition,
	DIMENSIONS,
	storedDimensionOf,
} from '../../../src/domain/reporting/breakdown.ts';

const FIGURES: BreakdownFigures = { value: '7', label: 'Pat', clicks: 12, leads: 3, conversions: 2, sales: 4, amounts: [] };
const amounts = (
	currency: string,
	sales: number,
	revenueCents: number,
	refundedCents: number,
	commissionCents: number,
	deductedCents: number,
) => ({
	currency,
	sales,
	revenueCents,
	refundedCents,
	commissionCents,
	deductedCents,
});
const NOTHING = { revenue: 0, netRevenue: 0, commission: 0, netCommission: 0 };

describe('a row', () => {
	test('has its amounts in major units, gross and net, and other currencies under their code', () => {
		const figures = {
			...FIGURES,
			amounts: [amounts('USD', 2, 10_001, 1, 2_000, 2_000), amounts('KWD', 1, 1_234, 0, 247, 7), amounts('EUR', 1, 500, 700, 100, 0)],
		};
		expect(breakdownRowOf('partner', figures, 'USD')).toEqual({
			value: 7,
			label: 'Pat',
			clicks: 12,
			leads: 3,
			conversions: 2,
			sales: 4,
			revenue: 100.01,
			netRevenue: 100,
			commission: 20,
			netCommission: 0,
			currencies: {
				EUR: { sales: 1, revenue: 5, netRevenue: -2, commission: 1, netCommission: 1 },
				KWD: { sales: 1, revenue: 1.234, netRevenue: 1.234, commission: 0.247, netCommission: 0.24 },
			},
		});
	});

	test('lists its own currency first, and the others in the order of their codes', () => {
		const all = ['KWD', 'AED', 'USD', 'EUR', 'JPY'].map((currency, index) => amounts(currency, 1, 100 * (index + 1), 0, 0, 0));
		for (const inAnyOrder of [all, all.toReversed()]) {
			const row = breakdownRowOf('link', { ...FIGURES, amounts: inAnyOrder }, 'USD');
			expect(row.revenue).toBe(3);
			expect(Object.keys(row.currencies ?? {})).toEqual(['AED', 'EUR', 'JPY', 'KWD']);
		}
	});

	test('includes a currency in which something was sold or earned, even for 0', () => {
		const figures = { ...FIGURES, amounts: [amounts('EUR', 1, 0, 0, 0, 0), amounts('KWD', 0, 0, 0, 1, 0), amounts('JPY', 0, 0, 0, 0, 0)] };
		expect(Object.keys(breakdownRowOf('link', figures, 'USD').currencies ?? {})).toEqual(['EUR', 'KWD']);
	});

	test('includes no currency without a sale', () => {
		const figures = { ...FIGURES, amounts: [amounts('USD', 0, 0, 0, 0, 0), amounts('EUR', 0, 0, 0, 0, 0)] };
		expect(breakdownRowOf('link', figures, 'USD')).toEqual({ ...FIGURES, amounts: undefined, value: 7, ...NOTHING });
	});

	test.each([
		['partner', '7', 'Pat', 7, 'Pat'],
		['link', '7', 'pat', 7, 'pat'],
		['product', '7', null, '7', '7'],
		['country', 'DE', null, 'DE', 'DE'],
		['source', 't.co', null, 't.co', 't.co'],
		['source', '', null, null, null],
		['partner', '', null, null, null],
	] as const)('of %s %j, called %j, is %j, %j', (by, value, label, expectedValue, expectedLabel) => {
		expect(breakdownRowOf(by, { ...FIGURES, value, label }, 'USD')).toMatchObject({ value: expectedValue, label: expectedLabel });
	});

	test('of a product has no clicks and customers, because those have no product', () => {
		expect(breakdownRowOf('product', FIGURES, 'USD')).toMatchObject({ clicks: null, leads: null, conversions: null, sales: 4 });
	});
});

describe('a cursor', () => {
	test('encodes a position with any value, and needs no escaping in an address', () => {
		const position = fc.record({
			revenueCents: fc.nat(Number.MAX_SAFE_INTEGER),
			clicks: fc.nat(1e9),
			value: fc.string({ unit: 'grapheme', maxLength: 255 }),
		});
		fc.assert(
			fc.property(position, (at) => {
				const cursor = formatBreakdownPosition(at);
				expect(cursor).toMatch(/^[\w.~!*'()-]+$/);
				expect(parseBreakdownPosition(cursor)).toEqual(at);
			}),
		);
	});

	test.each(['~', '%', '~41', '%7E', '~7E~', 'a~b%41', 'ä~', ''])('encodes the value %j too', (value) => {
		const at = { revenueCents: 1, clicks: 2, value };
		expect(parseBreakdownPosition(formatBreakdownPosition(at))).toEqual(at);
	});

	test.each(['', '1', '1.2', '-1.2.x', '1.2.%41', '1.2.~', '1.2.~ff', '1.2.~C3', 'x.1.y', '1.1e3.y', `1.1.${'x'.repeat(2_301)}`])(
		'%j is invalid',
		(text) => {
			expect(parseBreakdownPosition(text)).toBeUndefined();
		},
	);
});

test("a partner's rows are those of its links; every other dimension has its own", () => {
	expect(DIMENSIONS.map(storedDimensionOf)).toEqual(['link', 'link', 'product', 'country', 'source']);
});
