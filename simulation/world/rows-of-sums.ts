import type { BreakdownRow } from './rows.ts';

export interface MonthlyRow extends Omit<BreakdownRow, 'day'> {
	/** YYYY-MM. */
	month: string;
	/** The last day with a click, lead, conversion or sale. */
	last_day: string | null;
}

export interface SumScopeRow {
	program_id: number;
	partner_program_id: number;
	summed_before: string;
}

/** Of payouts that have something to send and have not failed. */
export interface PayoutSumRow {
	program_id: number;
	/** A quarter of an hour, in ms; 0 for unsent payouts. */
	sent_from: number;
	currency: string;
	payouts: number;
	amount_cents: number;
}

/** A column for each status and figure, such as `approved_count`. */
export interface SumRow {
	program_id: number;
	partner_program_id: number;
	day: string;
	currency: string;
	[figure: string]: number | string;
}
