import type { Dimension } from '../../src/domain/reporting/breakdown.ts';
import { rows } from './funnel.ts';
import type { World } from './history.ts';
import type { BreakdownReport } from './report.ts';

// Computes the breakdown from raw rows and the test's own actions, by other means than the service.

interface Customer {
	readonly id: number;
	readonly status: string;
	readonly signup_date: string | null;
	readonly first_purchase_date: string | null;
	readonly referral_link_id: number | null;
	readonly click_id: string | null;
}
interface Sale {
	readonly id: number;
	readonly duplicate_of_sale_id: number | null;
	readonly customer_id: number;
	readonly created_at: number;
	readonly product_id: string | null;
	readonly currency: string;
	readonly amount_cents: number;
	readonly refunded_cents: number;
}
interface Commission {
	readonly sale_id: number;
	readonly created_at: number;
	readonly status: string;
	readonly currency: string;
	readonly amount_cents: number;
	readonly deducted_cents: number;
}
interface Click {
	readonly clicked_at: number;
	readonly referral_link_id: number;
	readonly country: string | null;
	readonly referrer_url: string | null;
}

type Value = string | number | null;
type Row = BreakdownReport['data'][number];

interface Range {
	readonly first: string;
	readonly last: string;
}

/** `decimals` is the number of decimal places of each currency. */
export async function rawBreakdownOf(
	world: World,
	{ timeZone, currency, decimals }: { timeZone: string; currency: string; decimals: Readonly<Record<string, number>> },
): Promise<(by: Dimension, range: Range) => Row[]> {
	const { id } = world.funnel;
	const clicks = await rows<Click>('SELECT * FROM affiliate_click_events WHERE program_id = ? AND is_test = 0 AND is_bot = 0', id);
	const customers = await rows<Customer>('SELECT * FROM customers WHERE program_id = ?', id);
	const sold = await rows<Sale>('SELECT * FROM affiliate_sale_events WHERE program_id = ? AND is_test = 0', id);
	const sales = sold.filter(({ duplicate_of_sale_id }) => duplicate_of_sale_id === null);
	const commissions = await rows<Commission>('SELECT * FROM commissions WHERE program_id = ?', id);
	const links = await rows<{ id: number; short_link: string }>('SELECT id, short_link FROM referral_links WHERE program_id = ?', id);

	const ownerOf = (linkId: number | null) => {
		const shortLink = links.find((link) => link.id === linkId)?.short_link;
		return world.partners.find((partner) => partner.shortLink === shortLink)?.partnerId ?? null;
	};
	const valueOfClick = (by: Dimension, linkId: number | null, country: string | null, referrer: string | null): Value => {
		if (by === 'partner') return ownerOf(linkId);
		if (by === 'link') return linkId;
		return by === 'country' ? country : hostOf(referrer);
	};
	const valueOf = (by: Dimension, customerId: number): Value => {
		const customer = customers.find((candidate) => candidate.id === customerId);
		const click = world.landed.get(customer?.click_id ?? '');
		return valueOfClick(by, customer?.referral_link_id ?? null, click?.country ?? null, click?.referrerUrl ?? null);
	};
	const labelOf = (by: Dimension, value: Value): string | null => {
		if (by === 'partner' && value !== null) return 'Pat Partner';
		if (by === 'link' && value !== null) return links.find((link) => link.id === value)?.short_link ?? null;
		return value === null ? null : String(value);
	};
	const day = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' });
	const major = (cents: number, code: string) => Number((cents / 10 ** (decimals[code] ?? 2)).toFixed(decimals[code] ?? 2));

	return (by, range) => {
		const isWithin = (of: number | string | null) => {
			const on = typeof of === 'number' ? day.format(of) : of;
			return on !== null && on >= range.first && on <= range.last;
		};
		const shown = new Map<Value, { clicks: number; leads: number; conversions: number; sales: Sale[]; commissions: Commission[] }>();
		const under = (value: Value) => {
			const figures = shown.get(value) ?? { clicks: 0, leads: 0, conversions: 0, sales: [], commissions: [] };
			shown.set(value, figures);
			return figures;
		};
		if (by !== 'product') {
			for (const click of clicks)
				if (isWithin(click.clicked_at)) under(valueOfClick(by, click.referral_link_id, click.country, click.referrer_url)).clicks += 1;
			for (const { id: customerId, status, signup_date, first_purchase_date } of customers) {
				if (status !== 'click' && isWithin(signup_date)) under(valueOf(by, customerId)).leads += 1;
				if (status === 'conversion' && isWithin(first_purchase_date)) under(valueOf(by, customerId)).conversions += 1;
			}
		}
		for (const sale of sales)
			if (isWithin(sale.created_at)) under(by === 'product' ? sale.product_id : valueOf(by, sale.customer_id)).sales.push(sale);
		for (const commission of commissions) {
			const sale = sales.find((candidate) => candidate.id === commission.sale_id);
			if (!sale || !isWithin(commission.created_at)) continue;
			under(by === 'product' ? sale.product_id : valueOf(by, sale.customer_id)).commissions.push(commission);
		}
		const amountsOf = (figures: { sales: Sale[]; commissions: Commission[] }, code: string) => {
			const revenue = sum(figures.sales, code, (sale) => sale.amount_cents);
			const commission = sum(figures.commissions, code, (earned) => earned.amount_cents);
			const taken = sum(figures.commissions, code, (earned) =>
				earned.status === 'rejected' ? earned.amount_cents : earned.deducted_cents,
			);
			return {
				revenue: major(revenue, code),
				netRevenue: major(revenue - sum(figures.sales, code, (sale) => sale.refunded_cents), code),
				commission: major(commission, code),
				netCommission: major(commission - taken, code),
			};
		};
		return [...shown]
			.map(([value, figures]) => {
				const codes = [
					...new Set([...figures.sales, ...figures.commissions.filter((earned) => earned.amount_cents > 0)].map((row) => row.currency)),
				];
				const others = codes.filter((code) => code !== currency);
				const counts = { clicks: figures.clicks, leads: figures.leads, conversions: figures.conversions };
				return {
					value,
					label: labelOf(by, value),
					...(by === 'product' ? { clicks: null, leads: null, conversions: null } : counts),
					...amountsOf(figures, currency),
					sales: figures.sales.length,
					...(others.length === 0
						? {}
						: {
								currencies: Object.fromEntries(
									others.map((code) => [
										code,
										{ ...amountsOf(figures, code), sales: figures.sales.filter((sale) => sale.currency === code).length },
									]),
								),
							}),
				};
			})
			.toSorted(
				(a, b) => b.revenue - a.revenue || (b.clicks ?? 0) - (a.clicks ?? 0) || (String(b.value ?? '') < String(a.value ?? '') ? -1 : 1),
			);
	};
}

function sum<Amount extends { currency: string }>(of: readonly Amount[], code: string, cents: (amount: Amount) => number): number {
	return of.filter((amount) => amount.currency === code).reduce((total, amount) => total + cents(amount), 0);
}

/** The host of one of the histories' few referrers. */
function hostOf(referrer: string | null): string | null {
	return /^https:\/\/(?:www\.)?([a-z.]+)/.exec(referrer ?? '')?.[1] ?? null;
}
