import type { Rows } from '../world/rows.ts';
import type { Simulation } from '../world/simulation.ts';
import { Violation } from '../world/violation.ts';

/** Something that holds after every step. It throws a Violation where it does not. */
export interface Invariant<Seen = Simulation> {
	readonly name: string;
	/** Whether it speaks of answers too: then it is looked at also where nothing was written. */
	readonly onAnswers?: boolean;
	/** All that it looks at, where that is only these rows: it is not looked at again until one of them has changed. */
	readonly reads?: readonly (keyof Rows)[];
	check(sim: Seen): void;
}

/** One that asks nothing but the rows: it holds for any database of the service (crash/books.ts asks it too). */
export type BookInvariant = Invariant<Books>;
export type Books = Pick<Simulation, 'rows'>;

export function violated(name: string, detail: string): Violation {
	return new Violation(name, detail);
}

/** Rows by a column of theirs. */
export function byId<Row extends { readonly id: number }>(rows: readonly Row[]): Map<number, Row> {
	return new Map(rows.map((row) => [row.id, row]));
}

export function grouped<Row, Key>(rows: readonly Row[], keyOf: (row: Row) => Key): Map<Key, Row[]> {
	return Map.groupBy(rows, keyOf);
}
