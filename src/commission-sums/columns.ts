import { type SQL, sql } from 'drizzle-orm';
import { SUM_FIELDS, type SumField } from '../domain/commissions/commission-sums.ts';

// SQL for the stored sums of commissions (decision 63). `scope` is a row of commission_sum_scopes.

/** Later than every day. A complete scope has this as `summed_before`. */
export const ALL_DAYS = '9999-12-31';

/** The membership id that means the whole program. */
export const ALL_PARTNERS = 0;

export function columnOf(field: SumField): string {
	return field.replaceAll(/[A-Z]/g, (capital) => `_${capital.toLowerCase()}`);
}

export function eachField(say: (column: string, field: SumField) => string = (column) => column): SQL {
	return sql.raw(SUM_FIELDS.map((field) => say(columnOf(field), field)).join(', '));
}

/** Whether delta `m` of the outbox changes a sum. */
export const IS_OF_SUMS = sql`m.value -> 'sums' IS NOT NULL`;

export function deltaOf(field: SumField): string {
	return `coalesce(m.value -> 'sums' ->> '${field}', 0)`;
}

/** SQL for the share of commission `c` in a field if its state is `status`. */
export function figureOf(field: SumField, status: string): string {
	const [, state, figure] = /^([a-z]+)(.*)$/.exec(field) ?? [];
	const value = figure === 'Count' ? '1' : figure === 'AmountCents' ? 'c.amount_cents' : 'c.deducted_cents';
	return `iif(${status} = '${state}', ${value}, 0)`;
}

interface Commission {
	readonly programId: string;
	readonly partnerProgramId: string;
	/** Limits the scopes to those whose sums include this day. */
	readonly day?: string;
}

export function scopesOf({ programId, partnerProgramId, day }: Commission): SQL {
	const isSummed = day === undefined ? '' : ` AND scope.summed_before > ${day}`;
	return sql.raw(`commission_sum_scopes scope ON scope.program_id = ${programId}
		AND scope.partner_program_id IN (${ALL_PARTNERS}, ${partnerProgramId})${isSummed}`);
}

export const KEY = sql.raw('program_id, partner_program_id, day, currency');
