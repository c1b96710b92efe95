import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DIMENSIONS } from '../../../src/domain/reporting/breakdown.ts';
import { daysThrough } from '../../../src/domain/calendar.ts';
import { detailedPerformanceOf, unknownFieldsOf } from '../../../src/domain/reporting/detailed-performance.ts';
import { type DailyFigures, performanceOf, trendOf } from '../../../src/domain/reporting/performance.ts';

const current = { first: '2028-02-28', last: '2028-03-01' };
const previous = { first: '2028-02-25', last: '2028-02-27' };
const NOTHING = { clicks: 0, leads: 0, openLeads: 0, conversions: 0, partners: 0 };
const NO_AMOUNTS = { sales: 0, revenueCents: 0, refundedCents: 0, commissionCents: 0, deductedCents: 0 };

const count = fc.nat(1_000);
const row: fc.Arbitrary<DailyFigures> = fc
	.record({
		day: fc.constantFrom(...daysThrough('2028-02-23', '2028-03-03')),
		currency: fc.constantFrom('USD', 'EUR', 'JPY'),
		clicks: count,
		leads: count,
		openLeads: count,
		conversions: count,
		partners: count,
		sales: count,
		revenueCents: fc.nat(1_000_000),
		commissionCents: fc.nat(100_000),
		shares: fc.tuple(fc.nat(100), fc.nat(100)),
	})
	.map(({ shares: [refunded, deducted], ...figures }) => ({
		...figures,
		refundedCents: Math.floor((figures.revenueCents * refunded) / 100),
		deductedCents: Math.floor((figures.commissionCents * deducted) / 100),
	}));

/** In whole cents, because sums of fractions are not exact. */
const sum = (values: readonly (number | null)[]) => values.reduce((total: number, value) => total + Math.round(100 * (value ?? 0)), 0);

describe('the report in detail', () => {
	test('has the metrics and days of the report, for any rows', () => {
		fc.assert(
			fc.property(fc.array(row, { maxLength: 30 }), (rows) => {
				const plain = performanceOf(rows, 'USD', current, previous);
				const { data, metrics } = detailedPerformanceOf(rows, 'USD', { current, previous }, undefined);
				expect(metrics).toMatchObject(plain.metrics);
				expect(data).toMatchObject(plain.data);
			}),
		);
	});

	test('the days of each range add up to its sums, which give the trends', () => {
		fc.assert(
			fc.property(fc.array(row, { maxLength: 30 }), (rows) => {
				const { data, metrics, previous: before } = detailedPerformanceOf(rows, 'USD', { current, previous }, undefined);
				expect(before.data.map(({ date }) => date)).toEqual(daysThrough(previous.first, previous.last));
				expect(before.data).toHaveLength(data.length);
				const series = [
					['clicks', 'totalClicks', 'clicksTrend'],
					['leads', 'totalSignups', 'signupsTrend'],
					['conversions', 'totalConversions', 'conversionsTrend'],
					['partners', 'totalPartners', 'partnersTrend'],
					['totalSales', 'totalSales', 'salesTrend'],
					['revenue', 'totalRevenue', 'revenueTrend'],
					['commission', 'totalPartnersCommission', 'commissionTrend'],
				] as const;
				for (const [ofDay, ofAll, trend] of series) {
					const [now, then] = [sum(data.map((day) => day[ofDay])), sum(before.data.map((day) => day[ofDay]))];
					expect([ofDay, now, then]).toEqual([ofDay, sum([metrics[ofAll]]), sum([before.metrics[ofAll]])]);
					expect([trend, metrics[trend]]).toEqual([trend, trendOf(now, then)]);
				}
				for (const net of ['netRevenue', 'netCommission'] as const) {
					expect(sum(data.map((day) => day[net]))).toBe(sum([metrics[net]]));
					expect(sum(before.data.map((day) => day[net]))).toBe(sum([before.metrics[net]]));
				}
			}),
		);
	});

	test('matches a calculation by hand', () => {
		const rows: DailyFigures[] = [
			{
				...NOTHING,
				day: '2028-02-29',
				currency: 'USD',
				clicks: 4,
				leads: 2,
				openLeads: 1,
				conversions: 1,
				...NO_AMOUNTS,
				sales: 2,
				revenueCents: 3_000,
				refundedCents: 500,
				commissionCents: 600,
				deductedCents: 100,
			},
			{
				...NOTHING,
				day: '2028-02-29',
				currency: 'JPY',
				...NO_AMOUNTS,
				sales: 1,
				revenueCents: 700,
				refundedCents: 200,
				commissionCents: 70,
				deductedCents: 20,
			},
			{ ...NOTHING, day: '2028-02-27', currency: 'USD', leads: 1, ...NO_AMOUNTS },
		];
		const { data, metrics, previous: before } = detailedPerformanceOf(rows, 'USD', { current, previous }, 'country');
		expect(data[1]).toEqual({
			date: '2028-02-29',
			period: '2028-02-29',
			clicks: 4,
			leads: 2,
			conversions: 1,
			partners: null,
			sales: 0,
			totalSales: 3,
			revenue: 30,
			netRevenue: 25,
			commission: 6,
			netCommission: 5,
			currencies: { JPY: { totalSales: 1, revenue: 700, netRevenue: 500, commission: 70, netCommission: 50 } },
		});
		expect(data[0]).not.toHaveProperty('currencies');
		expect(metrics).toMatchObject({ totalClicks: 4, totalSignups: 2, totalLeads: null, leadsTrend: null, totalSales: 3 });
		expect(metrics.signupsTrend).toEqual({ trend: 100, trendDirection: 'up' });
		expect(before.metrics).toMatchObject({ totalSignups: 1, totalLeads: null, totalPartners: null, totalRevenue: 0 });
	});
});

describe('fields that a filter makes unknown', () => {
	test.each(DIMENSIONS)('by %s are null everywhere, and named', (by) => {
		const report = detailedPerformanceOf([], 'USD', { current, previous }, by);
		const parts = [...report.data, ...report.previous.data, report.metrics, report.previous.metrics];
		const nulls = parts.flatMap((part) => Object.entries(part).flatMap(([name, value]) => (value === null ? [name] : [])));
		expect(new Set(nulls)).toEqual(new Set(unknownFieldsOf(by)));
	});

	test('are partners who joined and open leads; by product everything but sales', () => {
		const always = ['partners', 'totalLeads', 'totalPartners', 'leadsTrend', 'partnersTrend'];
		expect(new Set(unknownFieldsOf('source'))).toEqual(new Set(always));
		const counts = ['clicks', 'leads', 'conversions', 'totalClicks', 'totalSignups', 'totalConversions'];
		const derived = ['conversionRate', 'averageOrderValue', 'clicksTrend', 'signupsTrend', 'conversionsTrend'];
		expect(new Set(unknownFieldsOf('product'))).toEqual(new Set([...always, ...counts, ...derived]));
	});

	test('do not exist without a filter', () => {
		const report = detailedPerformanceOf([], 'USD', { current, previous }, undefined);
		for (const part of [...report.data, report.metrics, report.previous.metrics]) expect(Object.values(part)).not.toContain(null);
	});
});
