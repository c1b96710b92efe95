import { type SQL, sql } from 'drizzle-orm';
import { LEAST_PART } from '../domain/people/erasure.ts';

/** Whether the column equals a name or contains a longer name as a whole word, like domain/people/erasure.ts. */
export function nameIn(column: SQL, names: readonly string[]): SQL {
	return isAmong(column, sql`json_each(${JSON.stringify(names)})`);
}

/** Whether a refusal contains one of the names, a table with `value`. */
export function namesOneOf(names: SQL): SQL {
	const isNamed = ['customer_key', 'click_id', 'transaction_id'].map((column) => isAmong(sql.raw(column), names));
	return sql`(${sql.join(isNamed, sql` OR `)})`;
}

/** All non-ASCII characters count as letters. */
const OF_WORD = '[A-Za-z0-9\u0080-\u{10ffff}]';

function isAmong(column: SQL, names: SQL): SQL {
	return sql`EXISTS (SELECT 1 FROM ${names} AS name
		WHERE ${column} = name.value OR (length(name.value) >= ${LEAST_PART} AND instr(${column}, name.value) > 0
			AND NOT substr(${column}, instr(${column}, name.value) - 1, 1) GLOB ${OF_WORD}
			AND NOT substr(${column}, instr(${column}, name.value) + length(name.value), 1) GLOB ${OF_WORD}))`;
}
