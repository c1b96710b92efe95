import type { Rows } from '../world/rows.ts';
import type { Simulation } from '../world/simulation.ts';
import { Violation } from '../world/violation.ts';

/** Must hold after every step. `check` throws a Violation if it does not. */
export interface Invariant<Seen = Simulation> {
	readonly name: string;
	/** Whether it also covers answers, so that it is checked even if nothing was written. */
	readonly onAnswers?: boolean;
	/** The only rows that it reads. It is skipped until one of them changes. */
	readonly reads?: readonly (keyof Rows)[];
	check(sim: Seen): void;
}

/** Needs only the rows, so it holds for any database of the service (also used by crash/books.ts). */
export type RowInvariant = Invariant<WithRows>;
export type WithRows = Pick<Simulation, 'rows'>;

export function violated(name: string, detail: string): Violation {
	return new Violation(name, detail);
}

export function byId<Row extends { readonly id: number }>(rows: readonly Row[]): Map<number, Row> {
	return new Map(rows.map((row) => [row.id, row]));
}

export function grouped<Row, Key>(rows: readonly Row[], keyOf: (row: Row) => Key): Map<Key, Row[]> {
	return Map.groupBy(rows, keyOf);
}
