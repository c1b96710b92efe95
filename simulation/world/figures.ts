import type { BreakdownRow, DailyRow, OutboxRow, Rows } from './rows.ts';

// Report figures from the raw rows (decisions 24, 25 and 36), and from daily rows plus waiting metric deltas. Imports nothing from src/.

export const COUNTS = ['clicks', 'leads', 'open_leads', 'conversions', 'partners'] as const;
export const AMOUNTS = ['sales', 'revenue_cents', 'refunded_cents', 'commission_cents', 'deducted_cents'] as const;
export type Figure = (typeof COUNTS)[number] | (typeof AMOUNTS)[number];
export type Figures = Partial<Readonly<Record<Figure, number>>>;

export const DIMENSIONS = ['link', 'product', 'country', 'source'] as const;
export type Values = Readonly<Record<(typeof DIMENSIONS)[number], string | number | null>>;

export interface Fact extends Values {
	readonly programId: number;
	readonly day: string;
	readonly currency: string;
	readonly figures: Figures;
	/** The day's totals already include them. */
	readonly onlyValues: boolean;
}

const NO_VALUES: Values = { link: null, product: null, country: null, source: null };

const known = new WeakMap<Rows, readonly Fact[]>();

export function rawFacts(rows: Rows): readonly Fact[] {
	const facts = known.get(rows) ?? derive(rows);
	known.set(rows, facts);
	return facts;
}

function derive(rows: Rows): Fact[] {
	const facts: Fact[] = [];
	const currencies = new Map(rows.programs.map(({ id, currency }) => [id, currency]));
	const customers = new Map(rows.customers.map((customer) => [customer.id, customer]));
	const add = (programId: number, day: string | null, currency: string | undefined, values: Values, figures: Figures) => {
		if (day !== null)
			facts.push({ programId, day, currency: currency ?? currencies.get(programId) ?? '', ...values, figures, onlyValues: false });
	};
	const valuesOf = (customerId: number | null, product: string | null): Values => {
		const customer = customers.get(customerId ?? 0);
		return { link: customer?.referral_link_id ?? null, product, country: customer?.country ?? null, source: customer?.source ?? null };
	};

	for (const { program_id, click_day, referral_link_id: link, country, source, is_test, is_bot } of rows.clicks)
		if (!is_test && !is_bot) add(program_id, click_day, undefined, { link, product: null, country, source }, { clicks: 1 });
	for (const { id, program_id, status, signup_date, first_purchase_date } of rows.customers) {
		const values = valuesOf(id, null);
		if (status !== 'click') add(program_id, signup_date, undefined, values, { leads: 1, open_leads: status === 'lead' ? 1 : 0 });
		if (status === 'conversion') add(program_id, first_purchase_date, undefined, values, { conversions: 1 });
	}
	for (const { program_id, created_day } of rows.memberships) add(program_id, created_day, undefined, NO_VALUES, { partners: 1 });
	const counting = new Map(rows.sales.filter((sale) => !sale.is_test && sale.duplicate_of_sale_id === null).map((sale) => [sale.id, sale]));
	for (const { customer_id, program_id, sale_day, currency, product_id, amount_cents, refunded_cents } of counting.values())
		add(program_id, sale_day, currency, valuesOf(customer_id, product_id), { sales: 1, revenue_cents: amount_cents, refunded_cents });
	for (const { sale_id, program_id, created_day, currency, status, amount_cents, deducted_cents } of rows.commissions) {
		const sale = counting.get(sale_id);
		const taken = status === 'rejected' ? amount_cents : deducted_cents;
		const figures = { commission_cents: amount_cents, deducted_cents: taken };
		if (sale) add(program_id, created_day, currency, valuesOf(sale.customer_id, sale.product_id), figures);
	}
	return facts;
}

/** A metric delta as the outbox stores it. */
interface MetricDelta extends Readonly<Record<string, unknown>> {
	readonly day: string;
	readonly currency?: string | null;
	readonly onlyValues?: true;
	/** See sums.ts. */
	readonly sums?: unknown;
	readonly partnerProgramId?: unknown;
}

/** Counts are in the program's current currency. */
export function waitingFacts({ outbox, programs }: Pick<Rows, 'outbox' | 'programs'>): Fact[] {
	const currencies = new Map(programs.map(({ id, currency }) => [id, currency]));
	return outbox.flatMap((row) => deltasOf(row).map((delta) => factOf(row, delta, currencies.get(row.program_id) ?? '')));
}

function deltasOf({ moves }: OutboxRow): readonly MetricDelta[] {
	return moves === null ? [] : JSON.parse(moves);
}

function factOf({ program_id: programId, ...row }: OutboxRow, delta: MetricDelta, own: string): Fact {
	const { day, currency, onlyValues = false, sums: _sums, partnerProgramId: _of, ...rest } = delta;
	const { referral_link_id: link, product_id: product, country, source } = row;
	const figures = Object.fromEntries(
		Object.entries(rest).map(([name, value]) => [name.replaceAll(/[A-Z]/g, (capital) => `_${capital.toLowerCase()}`), Number(value)]),
	);
	return { programId, day, currency: currency ?? own, link, product, country, source, figures, onlyValues };
}

/** Totals by program, day, figure and currency. */
export function totalsOf(facts: readonly Fact[], daily: readonly DailyRow[]): Sums {
	const sums = new Sums();
	for (const { program_id, day, currency, ...figures } of daily) sums.add(`program ${program_id}, ${day}`, currency, figures);
	for (const { programId, day, currency, figures, onlyValues } of facts)
		if (!onlyValues) sums.add(`program ${programId}, ${day}`, currency, figures);
	return sums;
}

/** A fact without a value counts only in the totals, and only sales have a product. */
export function breakdownOf(facts: readonly Fact[], breakdown: readonly BreakdownRow[]): Sums {
	const sums = new Sums();
	for (const { program_id, day, dimension, value, currency, ...figures } of breakdown)
		sums.add(`program ${program_id}, ${day}, ${dimension} "${value}"`, currency, figures);
	for (const fact of facts) {
		const { open_leads: _open, partners: _partners, ...figures } = fact.figures;
		const { clicks: _clicks, leads: _leads, conversions: _conversions, ...ofSales } = figures;
		for (const dimension of DIMENSIONS) {
			const value = fact[dimension];
			const key = `program ${fact.programId}, ${fact.day}, ${dimension} "${value}"`;
			if (value !== null) sums.add(key, fact.currency, dimension === 'product' ? ofSales : figures);
		}
	}
	return sums;
}

export class Sums {
	readonly #sums = new Map<string, number>();

	add(of: string, currency: string, figures: Figures): void {
		for (const [figure, value] of Object.entries(figures)) {
			if (value === 0) continue;
			const key = `${of}: ${figure} in ${currency}`;
			this.#sums.set(key, (this.#sums.get(key) ?? 0) + value);
		}
	}

	differenceFrom(due: Sums): string | undefined {
		for (const key of new Set([...this.#sums.keys(), ...due.#sums.keys()])) {
			const [is, should] = [this.#sums.get(key) ?? 0, due.#sums.get(key) ?? 0];
			if (is !== should) return `${key} is ${is} with waiting deltas, ${should} in raw rows`;
		}
		return undefined;
	}
}
