import type { Rows } from '../world/rows.ts';
import type { Simulation } from '../world/simulation.ts';
import { Violation } from '../world/violation.ts';

/** Must hold after every step. `check` throws a Violation otherwise. */
export interface Invariant<Seen = Simulation> {
	readonly name: string;
	/** Also checks responses, and so runs even if nothing was written. */
	readonly onAnswers?: boolean;
	/** Skipped until one of these rows changes. */
	readonly reads?: readonly (keyof Rows)[];
	check(sim: Seen): void;
}

/** crash/books.ts checks it in any database of the service. */
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
