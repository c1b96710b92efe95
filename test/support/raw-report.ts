import { rows } from './funnel.ts';
import type { Report } from './report.ts';

// Computes the report from raw rows, by other means than the service. Both must agree to the cent.

interface Raw {
	readonly clicks: readonly { clicked_at: number; is_test: number; is_bot: number }[];
	readonly customers: readonly { status: string; signup_date: string | null; first_purchase_date: string | null }[];
	readonly partners: readonly { created_at: number }[];
	readonly sales: readonly {
		id: number;
		created_at: number;
		is_test: number;
		duplicate_of_sale_id: number | null;
		currency: string;
		amount_cents: number;
		refunded_cents: number;
	}[];
	readonly commissions: readonly {
		sale_id: number;
		created_at: number;
		status: string;
		currency: string;
		amount_cents: number;
		deducted_cents: number;
	}[];
}

export interface RawReport {
	readonly data: (range: Range) => Report['data'];
	readonly metrics: (range: Range, previous: Range) => Report['metrics'];
}

interface Range {
	readonly first: string;
	readonly last: string;
}

/** `decimals` is the number of decimal places of each currency. */
export async function rawReportOf(
	programId: number,
	{ timeZone, currency, decimals }: { timeZone: string; currency: string; decimals: Readonly<Record<string, number>> },
): Promise<RawReport> {
	const raw: Raw = {
		clicks: await rows('SELECT * FROM affiliate_click_events WHERE program_id = ?', programId),
		customers: await rows('SELECT * FROM customers WHERE program_id = ?', programId),
		partners: await rows('SELECT * FROM partner_programs WHERE program_id = ?', programId),
		sales: await rows('SELECT * FROM affiliate_sale_events WHERE program_id = ?', programId),
		commissions: await rows('SELECT * FROM commissions WHERE program_id = ?', programId),
	};
	const day = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' });
	const figuresOf = ({ first, last }: Range) =>
		figures(raw, (of) => {
			const on = typeof of === 'number' ? day.format(of) : of;
			return on !== null && on >= first && on <= last;
		});
	const major = (cents: number, code: string) => cents / 10 ** (decimals[code] ?? 2);
	const rounded = (cents: number, code: string) => (decimals[code] === 3 ? halfUp(cents, 1000, 2) : major(cents, code));
	const others = (of: ReturnType<typeof figures>) => [...of.currencies].filter((code) => code !== currency).toSorted();
	return {
		data: (range) =>
			daysOf(range).map((date) => {
				const of = figuresOf({ first: date, last: date });
				return {
					date,
					period: date,
					clicks: of.clicks,
					leads: of.signups,
					conversions: of.conversions,
					partners: of.partners,
					sales: 0,
					revenue: major(of.revenue(currency), currency),
					commission: major(of.commission(currency), currency),
					...(others(of).length === 0
						? {}
						: {
								currencies: Object.fromEntries(
									others(of).map((code) => [
										code,
										{ revenue: major(of.revenue(code), code), commission: major(of.commission(code), code) },
									]),
								),
							}),
				};
			}),
		metrics: (range, previousRange) => {
			const [of, previous] = [figuresOf(range), figuresOf(previousRange)];
			const amounts = (code: string) => ({
				totalRevenue: rounded(of.revenue(code), code),
				netRevenue: rounded(of.revenue(code) - of.refunded(code), code),
				totalPartnersCommission: rounded(of.commission(code), code),
				netCommission: rounded(of.commission(code) - of.deducted(code), code),
			});
			return {
				totalClicks: of.clicks,
				totalLeads: of.leads,
				totalSignups: of.signups,
				totalConversions: of.conversions,
				totalPartners: of.partners,
				totalSales: of.sales(),
				...amounts(currency),
				conversionRate: of.clicks === 0 ? 0 : halfUp(100 * of.conversions, of.clicks, 2),
				averageOrderValue: of.conversions === 0 ? 0 : halfUp(of.revenue(currency), of.conversions * 10 ** (decimals[currency] ?? 2), 2),
				averageSaleValues: Object.fromEntries(
					[currency, ...others(of)].flatMap((code) =>
						of.sales(code) === 0 ? [] : [[code, halfUp(of.revenue(code), of.sales(code) * 10 ** (decimals[code] ?? 2), 2)]],
					),
				),
				currencies: Object.fromEntries(others(of).map((code) => [code, { totalSales: of.sales(code), ...amounts(code) }])),
				clicksTrend: trend(of.clicks, previous.clicks),
				leadsTrend: trend(of.leads, previous.leads),
				conversionsTrend: trend(of.conversions, previous.conversions),
				revenueTrend: trend(of.revenue(currency), previous.revenue(currency)),
				partnersTrend: trend(of.partners, previous.partners),
				salesTrend: trend(of.sales(), previous.sales()),
				commissionTrend: trend(of.commission(currency), previous.commission(currency)),
			};
		},
	};
}

function figures(raw: Raw, isWithin: (of: number | string | null) => boolean) {
	const counting = raw.sales.filter((sale) => !sale.is_test && sale.duplicate_of_sale_id === null);
	const sales = counting.filter((sale) => isWithin(sale.created_at));
	const commissions = raw.commissions.filter(
		({ sale_id, created_at }) => isWithin(created_at) && counting.some(({ id }) => id === sale_id),
	);
	const signups = raw.customers.filter((customer) => customer.status !== 'click' && isWithin(customer.signup_date));
	return {
		clicks: raw.clicks.filter((click) => !click.is_test && !click.is_bot && isWithin(click.clicked_at)).length,
		signups: signups.length,
		leads: signups.filter((customer) => customer.status === 'lead').length,
		conversions: raw.customers.filter((customer) => customer.status === 'conversion' && isWithin(customer.first_purchase_date)).length,
		partners: raw.partners.filter((partner) => isWithin(partner.created_at)).length,
		currencies: new Set([...sales, ...commissions.filter((commission) => commission.amount_cents > 0)].map((row) => row.currency)),
		sales: (code?: string) => sales.filter((sale) => code === undefined || sale.currency === code).length,
		revenue: (code: string) => sum(sales, code, (sale) => sale.amount_cents),
		refunded: (code: string) => sum(sales, code, (sale) => sale.refunded_cents),
		commission: (code: string) => sum(commissions, code, (commission) => commission.amount_cents),
		deducted: (code: string) =>
			sum(commissions, code, (commission) => (commission.status === 'rejected' ? commission.amount_cents : commission.deducted_cents)),
	};
}

function sum<Row extends { currency: string }>(of: readonly Row[], code: string, cents: (row: Row) => number): number {
	return of.filter((row) => row.currency === code).reduce((total, row) => total + cents(row), 0);
}

function trend(current: number, previous: number): Report['metrics']['clicksTrend'] {
	if (previous === 0) return { trend: current > 0 ? 100 : 0, trendDirection: current > 0 ? 'up' : 'stable' };
	const change = current - previous;
	return { trend: halfUp(100 * Math.abs(change), previous, 1), trendDirection: change > 0 ? 'up' : change < 0 ? 'down' : 'stable' };
}

/** Long division, digit by digit, rounding half up. */
function halfUp(numerator: number, denominator: number, places: number): number {
	let digits = String(Math.floor(numerator / denominator));
	let rest = numerator % denominator;
	for (let place = 0; place < places; place += 1) {
		digits += String(Math.floor((rest * 10) / denominator));
		rest = (rest * 10) % denominator;
	}
	return (Number(digits) + (rest * 2 >= denominator ? 1 : 0)) / 10 ** places;
}

function daysOf({ first, last }: Range): string[] {
	const days: string[] = [];
	for (const day = new Date(`${first}T00:00:00Z`); day.toISOString().slice(0, 10) <= last; day.setUTCDate(day.getUTCDate() + 1)) {
		days.push(day.toISOString().slice(0, 10));
	}
	return days;
}
