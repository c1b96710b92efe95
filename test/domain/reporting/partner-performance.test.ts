import { expect, test } from 'vitest';
import { type LinkFigures, partnerPerformanceOf } from '../../../src/domain/reporting/partner-performance.ts';

function figures(day: string, linkId: number, of: Partial<LinkFigures> = {}): LinkFigures {
	const none = { clicks: 0, leads: 0, conversions: 0, sales: 0, revenueCents: 0, refundedCents: 0, commissionCents: 0, deductedCents: 0 };
	return { day, linkId, currency: 'USD', ...none, ...of };
}

const SALE = { sales: 1, revenueCents: 1_000, refundedCents: 100, commissionCents: 200, deductedCents: 20 };
const ROWS = [
	figures('2026-01-30', 1, { clicks: 7, ...SALE }),
	figures('2026-01-31', 1, { clicks: 2, leads: 1, conversions: 1, ...SALE }),
	figures('2026-02-01', 2, { clicks: 3, ...SALE }),
	figures('2026-02-01', 1, SALE),
	figures('2026-02-01', 1, { ...SALE, currency: 'JPY' }),
	figures('2026-02-01', 1, { ...SALE, currency: 'EUR' }),
	figures('2026-02-01', 1, { currency: 'CHF' }),
	figures('2026-02-03', 1, { clicks: 100 }),
];
const amounts = (times: number) => ({
	revenueCents: 1_000 * times,
	refundedCents: 100 * times,
	commissionCents: 200 * times,
	deductedCents: 20 * times,
});

test('metrics add up by day, by link and in total, separately in each currency', () => {
	const report = partnerPerformanceOf(
		ROWS,
		'USD',
		{ first: '2026-01-31', last: '2026-02-02' },
		{ first: '2026-01-28', last: '2026-01-30' },
	);
	expect(report.days.map(({ day }) => day)).toEqual(['2026-01-31', '2026-02-01', '2026-02-02']);
	expect(report.days[2]?.figures).toEqual({ clicks: 0, leads: 0, conversions: 0, sales: 0, ...amounts(0), others: {} });
	expect(report.links.get(2)).toEqual({ clicks: 3, leads: 0, conversions: 0, sales: 1, ...amounts(1), others: {} });
	expect(report.totals).toEqual({
		clicks: 5,
		leads: 1,
		conversions: 1,
		sales: 5,
		...amounts(3),
		others: { EUR: { sales: 1, ...amounts(1) }, JPY: { sales: 1, ...amounts(1) } },
	});
	expect(Object.keys(report.totals.others)).toEqual(['EUR', 'JPY']);
	expect(report.previousTotals).toMatchObject({ clicks: 7, sales: 1 });
	expect(report.previousDays?.map(({ day, figures: { clicks } }) => [day, clicks])).toEqual([
		['2026-01-28', 0],
		['2026-01-29', 0],
		['2026-01-30', 7],
	]);
});

test('without a previous range there is no comparison', () => {
	const report = partnerPerformanceOf(ROWS, 'USD', { first: '2026-02-02', last: '2026-02-02' }, undefined);
	expect([report.previousTotals, report.previousDays]).toEqual([undefined, undefined]);
});
