import { DAY_MS } from '../../src/domain/calendar.ts';
import type { Plan } from './size.ts';

/** D1 aborts statements that take too long. */
const ROWS_PER_STATEMENT = 250_000;

/** A `WITH RECURSIVE n(i)`. Both ends are included. */
export function numbers(from: number, to: number): string {
	return `WITH RECURSIVE n(i) AS (SELECT ${from} UNION ALL SELECT i + 1 FROM n WHERE i < ${to})`;
}

/** Splits the statement for the numbers 1 to `count` into parts that D1 accepts. */
export function inParts(count: number, statement: (range: { readonly from: number; readonly to: number }) => string): string[] {
	const parts = Math.ceil(count / ROWS_PER_STATEMENT);
	return Array.from({ length: parts }, (_, part) =>
		statement({ from: part * ROWS_PER_STATEMENT + 1, to: Math.min(count, (part + 1) * ROWS_PER_STATEMENT) }),
	);
}

const MULTIPLIERS = [2_654_435_761, 2_246_822_519, 3_266_489_917, 668_265_263] as const;

/** Pseudo-random, from 0 to 1, the same in each run. */
export function draw(x: string, which: 0 | 1 | 2 | 3): string {
	return `(((${x}) * ${MULTIPLIERS[which]} + ${which * 97}) & 4294967295) / 4294967296.0`;
}

/** The rows are spread evenly over the program's life. */
export function instantOf({ start, now }: Plan, i: string, count: number): string {
	return `(${start} + (${i}) * ${now - start - DAY_MS / 8} / ${count})`;
}

export function dayOf(at: string): string {
	return `date((${at}) / 1000, 'unixepoch')`;
}

/** A few partners get most of the clicks. */
export function partnerOf({ partners }: Plan, i: string): string {
	const u = draw(i, 0);
	return `(1 + CAST(${partners} * (${u}) * (${u}) * (${u}) AS INTEGER))`;
}

export function clickIdOf(i: string): string {
	return `('cust_' || (1000000000 + (${i})) || '_' || (2000000000 + (${i})))`;
}
