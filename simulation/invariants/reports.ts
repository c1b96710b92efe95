import type { DailyRow } from '../rows.ts';
import { type BookInvariant, type Books, violated } from './invariant.ts';

/** What a report says is what its raw rows say, less duplicates (decisions 25 and 36). */
export const reports: BookInvariant = {
	name: 'the daily rows are the sum of the raw rows',
	reads: ['daily', 'clicks', 'customers', 'memberships', 'sales', 'commissions'],
	check: checkReports,
};

type Figures = Partial<Omit<DailyRow, 'program_id' | 'day' | 'currency'>>;

function checkReports({ rows }: Books): void {
	const told = new Sums();
	for (const { program_id, day, currency, ...figures } of rows.daily) told.add(program_id, day, currency, figures);
	const stored = sumUp(rows);
	for (const key of new Set([...told.keys(), ...stored.keys()])) {
		if (told.at(key) !== stored.at(key))
			throw violated(reports.name, `${key} is ${told.at(key)} in the daily rows, ${stored.at(key)} in raw ones`);
	}
}

function sumUp({ clicks, customers, memberships, sales, commissions }: Books['rows']): Sums {
	const sums = new Sums();
	for (const click of clicks) if (!click.is_test && !click.is_bot) sums.add(click.program_id, click.click_day, '', { clicks: 1 });
	for (const { program_id, status, signup_date, first_purchase_date } of customers) {
		if (status !== 'click') sums.add(program_id, signup_date, '', { leads: 1, open_leads: status === 'lead' ? 1 : 0 });
		if (status === 'conversion') sums.add(program_id, first_purchase_date, '', { conversions: 1 });
	}
	for (const { program_id, created_day } of memberships) sums.add(program_id, created_day, '', { partners: 1 });
	const duplicates = new Set<number>();
	for (const { id, is_test, duplicate_of_sale_id, program_id, sale_day, currency, amount_cents, refunded_cents } of sales) {
		if (duplicate_of_sale_id !== null) duplicates.add(id);
		else if (!is_test) sums.add(program_id, sale_day, currency, { sales: 1, revenue_cents: amount_cents, refunded_cents });
	}
	for (const { sale_id, program_id, created_day, currency, status, amount_cents, deducted_cents } of commissions) {
		if (duplicates.has(sale_id)) continue;
		const taken = status === 'rejected' ? amount_cents : deducted_cents;
		sums.add(program_id, created_day, currency, { commission_cents: amount_cents, deducted_cents: taken });
	}
	return sums;
}

const COUNTS = new Set(['clicks', 'leads', 'open_leads', 'conversions', 'partners']);

/** By program, day and figure; amounts and sales by currency too. */
class Sums {
	readonly #sums = new Map<string, number>();

	add(programId: number, day: string | null, currency: string, figures: Figures): void {
		if (day === null) return;
		for (const [figure, value] of Object.entries(figures)) {
			const key = `program ${programId}, ${day}, ${figure} ${COUNTS.has(figure) ? '' : currency}`;
			this.#sums.set(key, this.at(key) + value);
		}
	}

	at(key: string): number {
		return this.#sums.get(key) ?? 0;
	}

	keys(): Iterable<string> {
		return this.#sums.keys();
	}
}
