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

/** A column for each status and figure, such as `approved_count`. */
export interface SumRow {
	program_id: number;
	partner_program_id: number;
	day: string;
	currency: string;
	[figure: string]: number | string;
}
