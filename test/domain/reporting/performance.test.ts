import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { averageOf, type DailyFigures, percentageOf, performanceOf, trendOf } from '../../../src/domain/reporting/performance.ts';
import { roundHalfUp } from '../../../src/domain/rounding.ts';

describe('half up, without floating point', () => {
	test.each([
		[36_665n, 1000n, 2, 36.67],
		[36_664n, 1000n, 2, 36.66],
		[1005n, 1000n, 2, 1.01],
		[8_575n, 1000n, 2, 8.58],
		[1n, 3n, 2, 0.33],
		[2n, 3n, 2, 0.67],
		[1n, 8n, 2, 0.13],
		[0n, 7n, 2, 0],
		[5n, 100n, 1, 0.1],
		[4_999n, 100_000n, 1, 0],
		[9_007_199_254_740_993n, 1n, 0, 9_007_199_254_740_992],
		[-5n, 100n, 1, 0],
		[-15n, 100n, 1, -0.1],
		[-16n, 100n, 1, -0.2],
	])('%d / %d to %d places is %d', (numerator, denominator, places, rounded) =>
		expect(roundHalfUp(numerator, denominator, places) + 0).toBe(rounded),
	);

	test('differs from the true value by at most half a unit in the last place', () => {
		const whole = fc.bigInt({ min: -(10n ** 15n), max: 10n ** 15n });
		fc.assert(
			fc.property(whole, fc.bigInt({ min: 1n, max: 10n ** 6n }), (numerator, denominator) => {
				const rounded = BigInt(roundHalfUp(numerator, denominator, 0));
				const twiceOff = 2n * (rounded * denominator - numerator);
				expect(twiceOff > -denominator && twiceOff <= denominator).toBe(true);
			}),
		);
	});
});

describe('a trend is the absolute change in percent, one decimal, and its direction', () => {
	test.each([
		[0, 0, 0, 'stable'],
		[5, 0, 100, 'up'],
		[1, 0, 100, 'up'],
		[0, 5, 100, 'down'],
		[5, 5, 0, 'stable'],
		[3, 2, 50, 'up'],
		[2, 3, 33.3, 'down'],
		[10, 5, 100, 'up'],
		[15, 5, 200, 'up'],
		[1, 3, 66.7, 'down'],
		[7, 3, 133.3, 'up'],
		// 0.05 % rounds up to 0.1 %. 0.04 % rounds to 0, but the direction is still up.
		[2001, 2000, 0.1, 'up'],
		[2501, 2500, 0, 'up'],
		[1999, 2000, 0.1, 'down'],
		[9_999_999_999_999, 3, 333_333_333_333_200, 'up'],
	] as const)('from %d, now %d', (current, previous, trend, trendDirection) =>
		expect(trendOf(current, previous)).toEqual({ trend, trendDirection }),
	);
});

test.each([
	[0, 0, 0],
	[5, 0, 0],
	[0, 5, 0],
	[1, 3, 33.33],
	[2, 3, 66.67],
	[1, 1, 100],
	[3, 2, 150],
	[7_333, 20_000, 36.67],
	[1, 20_000, 0.01],
	[1, 20_001, 0],
])('%d of %d is a rate of %d %%', (part, whole, rate) => expect(percentageOf(part, whole)).toBe(rate));

test.each([
	[0, 'USD', 0, 0],
	[500, 'USD', 0, 0],
	[100, 'USD', 3, 0.33],
	[200, 'USD', 3, 0.67],
	[7_333, 'USD', 2, 36.67],
	[36_665, 'KWD', 1, 36.67],
	[36_664, 'KWD', 1, 36.66],
	[1_001, 'JPY', 2, 500.5],
	[2, 'JPY', 3, 0.67],
	[1, 'USD', 2, 0.01],
	[1, 'USD', 3, 0],
])('%d minor units of %s among %d are %d each', (cents, currency, among, average) =>
	expect(averageOf(cents, currency, among)).toBe(average),
);

describe('the report', () => {
	const NOTHING = {
		clicks: 0,
		leads: 0,
		openLeads: 0,
		conversions: 0,
		partners: 0,
		sales: 0,
		revenueCents: 0,
		refundedCents: 0,
		commissionCents: 0,
		deductedCents: 0,
	};
	const row = (day: string, figures: Partial<DailyFigures>): DailyFigures => ({ day, currency: 'USD', ...NOTHING, ...figures });
	const current = { first: '2028-02-28', last: '2028-03-01' };
	const previous = { first: '2028-02-25', last: '2028-02-27' };

	test('has a row for every day, including the leap day and days without activity', () => {
		const { data } = performanceOf([row('2028-02-29', { clicks: 2, revenueCents: 1999 })], 'USD', current, previous);
		expect(data).toEqual([dayOf('2028-02-28'), { ...dayOf('2028-02-29'), clicks: 2, revenue: 19.99 }, dayOf('2028-03-01')]);
	});

	test('counts the range and the previous one separately, and nothing else', () => {
		const rows = ['2028-02-24', '2028-02-25', '2028-02-27', '2028-02-28', '2028-03-01', '2028-03-02'].map((day, index) =>
			row(day, { clicks: 10 ** index }),
		);
		const { metrics } = performanceOf(rows, 'USD', current, previous);
		expect([metrics.totalClicks, metrics.clicksTrend]).toEqual([11_000, { trend: 9900, trendDirection: 'up' }]);
	});

	test('matches a calculation by hand', () => {
		const rows = [
			row('2028-02-26', {
				clicks: 40,
				leads: 3,
				openLeads: 2,
				conversions: 4,
				sales: 4,
				revenueCents: 30_000,
				commissionCents: 6_000,
				partners: 1,
			}),
			row('2028-02-28', { clicks: 20, leads: 4, openLeads: 3, conversions: 1, sales: 1, revenueCents: 7_333, commissionCents: 1_467 }),
			row('2028-03-01', { clicks: 10, conversions: 1, sales: 2, revenueCents: 0, refundedCents: 3_000, deductedCents: 600 }),
		];
		expect(performanceOf(rows, 'USD', current, previous).metrics).toEqual({
			totalClicks: 30,
			totalLeads: 3,
			totalSignups: 4,
			totalConversions: 2,
			totalRevenue: 73.33,
			netRevenue: 43.33,
			conversionRate: 6.67,
			averageOrderValue: 36.67,
			// 73.33 / 3
			averageSaleValues: { USD: 24.44 },
			totalPartners: 0,
			totalSales: 3,
			totalPartnersCommission: 14.67,
			netCommission: 8.67,
			currencies: {},
			clicksTrend: { trend: 25, trendDirection: 'down' },
			leadsTrend: { trend: 50, trendDirection: 'up' },
			conversionsTrend: { trend: 50, trendDirection: 'down' },
			// (300.00 - 73.33) / 300.00 = 75.556...
			revenueTrend: { trend: 75.6, trendDirection: 'down' },
			partnersTrend: { trend: 100, trendDirection: 'down' },
			salesTrend: { trend: 25, trendDirection: 'down' },
			// (60.00 - 14.67) / 60.00 = 75.55
			commissionTrend: { trend: 75.6, trendDirection: 'down' },
		});
	});

	test('lists other currencies in the order of their codes, if something was sold or earned in them', () => {
		const rows = [
			row('2028-02-29', { currency: 'KWD', sales: 1 }),
			row('2028-02-29', { currency: 'AED', commissionCents: 1 }),
			row('2028-02-29', { currency: 'JPY', clicks: 1 }),
			row('2028-02-29', { currency: 'EUR', sales: 1, commissionCents: 1 }),
			row('2028-02-29', { currency: 'BHD', sales: 1 }),
		];
		for (const inAnyOrder of [rows, rows.toReversed()]) {
			const { data, metrics } = performanceOf(inAnyOrder, 'USD', current, previous);
			expect(Object.keys(metrics.currencies)).toEqual(['AED', 'BHD', 'EUR', 'KWD']);
			expect(Object.keys(data[1]?.currencies ?? {})).toEqual(['AED', 'BHD', 'EUR', 'KWD']);
		}
	});

	test('never adds amounts in different currencies', () => {
		const rows = [
			row('2028-02-29', { sales: 1, revenueCents: 1_000, commissionCents: 200 }),
			row('2028-02-29', { currency: 'KWD', sales: 1, revenueCents: 36_665, refundedCents: 1, commissionCents: 7_333 }),
			row('2028-02-29', { currency: 'EUR', sales: 2, revenueCents: 500, commissionCents: 100, deductedCents: 50 }),
			row('2028-02-26', { currency: 'JPY', sales: 2, revenueCents: 500 }),
		];
		const { data, metrics } = performanceOf(rows, 'USD', current, previous);
		expect(data[1]).toEqual({
			...dayOf('2028-02-29'),
			revenue: 10,
			commission: 2,
			currencies: { EUR: { revenue: 5, commission: 1 }, KWD: { revenue: 36.665, commission: 7.333 } },
		});
		expect(metrics).toMatchObject({
			totalSales: 4,
			totalRevenue: 10,
			totalPartnersCommission: 2,
			salesTrend: { trend: 100, trendDirection: 'up' },
		});
		expect(metrics.currencies).toEqual({
			EUR: { totalSales: 2, totalRevenue: 5, netRevenue: 5, totalPartnersCommission: 1, netCommission: 0.5 },
			KWD: { totalSales: 1, totalRevenue: 36.67, netRevenue: 36.66, totalPartnersCommission: 7.33, netCommission: 7.33 },
		});
	});
});

function dayOf(day: string) {
	return {
		date: day,
		period: day,
		clicks: 0,
		leads: 0,
		conversions: 0,
		revenue: 0,
		partners: 0,
		sales: 0,
		commission: 0,
	};
}
