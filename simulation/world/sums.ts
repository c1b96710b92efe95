import { Sums } from './figures.ts';
import type { CommissionRow, OutboxRow, Rows } from './rows.ts';
import type { SumRow, SumScopeRow } from './rows-of-sums.ts';

// The sums of commissions by status (decision 63), and the stored sums plus waiting deltas. Imports nothing from src/.

type Scope = Pick<SumScopeRow, 'program_id' | 'partner_program_id'>;

function nameOf({ program_id, partner_program_id }: Scope, day: string): string {
	return `program ${program_id}, ${partner_program_id === 0 ? 'all partners' : `membership ${partner_program_id}`}, ${day}`;
}

/** The expected sums of each scope, for the days it includes. */
export function dueSums({ sumScopes, commissions }: Pick<Rows, 'sumScopes' | 'commissions'>): Sums {
	const due = new Sums();
	for (const scope of sumScopes)
		for (const row of commissions)
			if (isIn(scope, row) && row.created_day < scope.summed_before) addRow(due, nameOf(scope, row.created_day), row);
	return due;
}

export function keptSums({ sumScopes, sums, outbox }: Pick<Rows, 'sumScopes' | 'sums' | 'outbox'>): Sums {
	const kept = new Sums();
	for (const row of sums) addKept(kept, row);
	for (const { program_id, day, currency, partnerProgramId, sums: changes } of outbox.flatMap(deltasOf))
		for (const scope of sumScopes)
			if (isIn(scope, { program_id, partner_program_id: partnerProgramId }) && day < scope.summed_before)
				for (const [field, change] of Object.entries(changes)) add(kept, nameOf(scope, day), currency, inSnakeCase(field), change);
	return kept;
}

function addKept(kept: Sums, { program_id, partner_program_id, day, currency, ...figures }: SumRow): void {
	for (const [figure, value] of Object.entries(figures))
		add(kept, nameOf({ program_id, partner_program_id }, day), currency, figure, Number(value));
}

export function linesOf(commissions: readonly CommissionRow[]): string[] {
	const groups = Map.groupBy(commissions, ({ status, currency }) => `${status} ${currency}`);
	return [...groups].map(([name, rows]) => `${name} ${rows.length} ${total(rows, 'amount_cents')} ${total(rows, 'deducted_cents')}`);
}

function total(rows: readonly CommissionRow[], column: 'amount_cents' | 'deducted_cents'): number {
	return rows.reduce((sum, row) => sum + row[column], 0);
}

function isIn(scope: Scope, row: Scope): boolean {
	return scope.program_id === row.program_id && [0, row.partner_program_id].includes(scope.partner_program_id);
}

function addRow(due: Sums, name: string, { status, currency, amount_cents, deducted_cents }: CommissionRow): void {
	for (const [figure, value] of [
		['count', 1],
		['amount_cents', amount_cents],
		['deducted_cents', deducted_cents],
	] as const)
		add(due, name, currency, `${status}_${figure}`, value);
}

function add(sums: Sums, name: string, currency: string, figure: string, value: number): void {
	sums.add(name, currency, { [figure]: value });
}

interface SumDelta {
	readonly program_id: number;
	readonly day: string;
	readonly currency: string;
	readonly partnerProgramId: number;
	readonly sums: Readonly<Record<string, number>>;
}

function deltasOf({ program_id, moves }: OutboxRow): SumDelta[] {
	const all: readonly Omit<SumDelta, 'program_id'>[] = moves === null ? [] : JSON.parse(moves);
	return all.filter((delta) => 'sums' in delta).map((delta) => ({ ...delta, program_id }));
}

function inSnakeCase(field: string): string {
	return field.replaceAll(/[A-Z]/g, (capital) => `_${capital.toLowerCase()}`);
}
