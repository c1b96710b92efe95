import { type SQL, sql } from 'drizzle-orm';
import { type Given, prepare } from '../db/prepare.ts';
import {
	BROKEN_DOWN_COLUMNS,
	brokenDownFigureOf,
	CURRENCY,
	DAY,
	DIMENSION,
	eachColumn,
	figureOf,
	IS_IN_TOTALS,
	keyed,
	MOVED_COLUMNS,
	movesBy,
	movesOf,
	STORED_DIMENSIONS,
	VALUE,
	withProgram,
} from './waiting-moves.ts';

/** Adds what the outbox rows of a list of keys (JSON) move to the daily rows: for the batch that deletes them, before it does. */
export const addToTotals = prepare(({ db }, { keys }: Given<{ keys: string }>) =>
	db.run(sql`
		INSERT INTO daily_performance (program_id, day, currency, ${eachColumn(MOVED_COLUMNS)})
		SELECT o.program_id, ${DAY}, ${CURRENCY}, ${eachColumn(MOVED_COLUMNS, (column) => `sum(${figureOf(column)})`)}
		FROM ${movesOf(withProgram(keyed(keys)))} WHERE ${IS_IN_TOTALS}
		GROUP BY 1, 2, 3
		ON CONFLICT (program_id, day, currency) DO UPDATE SET ${raised(MOVED_COLUMNS)}`),
);

/** The same for the rows of the breakdown. */
export const addToBreakdown = prepare(({ db }, { keys }: Given<{ keys: string }>) =>
	db.run(sql`
		INSERT INTO daily_breakdown (program_id, dimension, day, value, currency, ${eachColumn(BROKEN_DOWN_COLUMNS)})
		SELECT o.program_id, ${DIMENSION}, ${DAY}, ${VALUE}, ${CURRENCY}, ${sums}
		FROM ${movesBy(STORED_DIMENSIONS, withProgram(keyed(keys)))}
		GROUP BY 1, 2, 3, 4, 5
		HAVING (${sums}) <> (${eachColumn(BROKEN_DOWN_COLUMNS, () => '0')})
		ON CONFLICT (program_id, dimension, day, value, currency) DO UPDATE SET ${raised(BROKEN_DOWN_COLUMNS)}`),
);

const sums = eachColumn(BROKEN_DOWN_COLUMNS, (column) => `sum(${brokenDownFigureOf(column)})`);

function raised(columns: readonly string[]): SQL {
	return eachColumn(columns, (column) => `${column} = ${column} + excluded.${column}`);
}
