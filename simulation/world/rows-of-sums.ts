import type { BreakdownRow } from './rows.ts';

export interface MonthlyRow extends Omit<BreakdownRow, 'day'> {
	/** YYYY-MM. */
	month: string;
	/** With a click, lead, conversion or sale. */
	last_day: string | null;
}

export interface SumScopeRow {
	program_id: number;
	partner_program_id: number;
	summed_before: string;
}

/** Beside its key a column for each state and figure: `approved_count`. */
export interface SumRow {
	program_id: number;
	partner_program_id: number;
	day: string;
	currency: string;
	[figure: string]: number | string;
}
