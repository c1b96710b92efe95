import type { BreakdownRow } from '../rows.ts';
import type { Simulation } from '../simulation.ts';
import { WORLD } from '../world.ts';
import { byId, type Invariant, violated } from './invariant.ts';

/** What a report says of a partner, link, product, country or source is what the raw rows say of it, less duplicates (decision 36). */
export const breakdowns: Invariant = {
	name: 'the breakdown is the sum of the raw rows',
	reads: ['breakdown', 'clicks', 'customers', 'sales', 'commissions'],
	check: checkBreakdowns,
};

type Dimension = BreakdownRow['dimension'];
type Figures = Partial<Omit<BreakdownRow, 'program_id' | 'dimension' | 'day' | 'value' | 'currency'>>;
type Values = Partial<Record<Dimension, string | number | null>>;

function checkBreakdowns(sim: Simulation): void {
	const told = new Map<string, number>();
	for (const { program_id, dimension, day, value, currency, ...figures } of sim.rows.breakdown)
		add(told, program_id, day, currency, { [dimension]: value }, figures);
	const stored = sumUp(sim);
	for (const key of new Set([...told.keys(), ...stored.keys()])) {
		const [is, should] = [told.get(key) ?? 0, stored.get(key) ?? 0];
		if (is !== should) throw violated(breakdowns.name, `${key} is ${is} in the breakdown, ${should} in raw rows`);
	}
}

function sumUp({ rows }: Simulation): Map<string, number> {
	const sums = new Map<string, number>();
	const clicks = new Map(rows.clicks.map((click) => [click.click_id, click]));
	const customers = byId(rows.customers);
	const counting = rows.sales.filter((sale) => !sale.is_test && sale.duplicate_of_sale_id === null);
	const sales = byId(counting);
	const valuesOf = (customerId: number | null): Values => {
		const customer = customers.get(customerId ?? 0);
		const click = clicks.get(customer?.click_id ?? '');
		return { ...ofLink(customer?.referral_link_id ?? null), country: click?.country ?? null, source: click?.source ?? null };
	};

	for (const { program_id, click_day, referral_link_id, country, source, is_test, is_bot } of rows.clicks) {
		if (!is_test && !is_bot)
			add(sums, program_id, click_day, currencyOf(program_id), { ...ofLink(referral_link_id), country, source }, { clicks: 1 });
	}
	for (const { id, program_id, status, signup_date, first_purchase_date } of rows.customers) {
		if (status !== 'click') add(sums, program_id, signup_date, currencyOf(program_id), valuesOf(id), { leads: 1 });
		if (status === 'conversion') add(sums, program_id, first_purchase_date, currencyOf(program_id), valuesOf(id), { conversions: 1 });
	}
	for (const { customer_id, program_id, sale_day, currency, product_id, amount_cents, refunded_cents } of counting) {
		const values = { ...valuesOf(customer_id), product: product_id };
		add(sums, program_id, sale_day, currency, values, { sales: 1, revenue_cents: amount_cents, refunded_cents });
	}
	for (const { sale_id, program_id, created_day, currency, status, amount_cents, deducted_cents } of rows.commissions) {
		const sale = sales.get(sale_id);
		if (!sale) continue;
		const values = { ...valuesOf(sale.customer_id), product: sale.product_id };
		const taken = status === 'rejected' ? amount_cents : deducted_cents;
		add(sums, program_id, created_day, currency, values, { commission_cents: amount_cents, deducted_cents: taken });
	}
	return sums;
}

/** Counts stand in the program's own. */
function currencyOf(programId: number): string {
	return WORLD.programs.find(({ id }) => id === programId)?.currency ?? '';
}

/** As it was in the beginning: that a membership ends takes nothing from its partner. */
function ofLink(linkId: number | null): Values {
	const link = WORLD.links.find(({ id }) => id === linkId);
	return { link: linkId, partner: WORLD.memberships.find(({ id }) => id === link?.partnerProgramId)?.partnerId ?? null };
}

function add(sums: Map<string, number>, programId: number, day: string | null, currency: string, values: Values, figures: Figures): void {
	if (day === null) return;
	for (const [dimension, value] of Object.entries(values)) {
		for (const [figure, amount] of Object.entries(figures)) {
			const key = `program ${programId}, ${day}, ${figure} ${currency} of ${dimension} "${value ?? ''}"`;
			sums.set(key, (sums.get(key) ?? 0) + amount);
		}
	}
}
