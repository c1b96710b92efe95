import { type SQL, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import type { Statement } from '../db/client.ts';
import { type Placeholders, prepare } from '../db/prepare.ts';
import { type DeltasOfChange, incrementsOfTotals, incrementsOfValues } from '../domain/reporting/changed-figures.ts';
import { raiseMonths } from './closed-months.ts';
import { BROKEN_DOWN_COLUMNS, DAY, eachColumn, figureOf, MOVED_COLUMNS } from './waiting-deltas.ts';

/** Adds the deltas to the daily rows and the breakdown. Counts go to rows in the program's currency. */
export function applyDeltas(ctx: Context, changes: readonly DeltasOfChange[]): Statement[] {
	const [totals, values] = [incrementsOfTotals(changes), incrementsOfValues(changes)];
	return [
		...(totals.length > 0 ? [raiseTotals(ctx, { increments: JSON.stringify(totals) })] : []),
		...(values.length > 0 ? [raiseValues(ctx, { increments: JSON.stringify(values) }), ...raiseMonths(ctx, values)] : []),
	];
}

const raiseTotals = prepare(({ db }, { increments }: Placeholders<{ increments: string }>) =>
	db.run(sql`
		INSERT INTO daily_performance (program_id, day, currency, ${eachColumn(MOVED_COLUMNS)})
		SELECT m.value ->> 'programId', ${DAY}, m.value ->> 'currency', ${eachColumn(MOVED_COLUMNS, figureOf)}
		FROM json_each(${increments}) AS m WHERE true
		ON CONFLICT (program_id, day, currency) DO UPDATE SET ${raised(MOVED_COLUMNS)}`),
);

const raiseValues = prepare(({ db }, { increments }: Placeholders<{ increments: string }>) =>
	db.run(sql`
		INSERT INTO daily_breakdown (program_id, dimension, day, value, currency, ${eachColumn(BROKEN_DOWN_COLUMNS)})
		SELECT m.value ->> 'programId', m.value ->> 'dimension', ${DAY}, m.value ->> 'value', m.value ->> 'currency',
			${eachColumn(BROKEN_DOWN_COLUMNS, figureOf)}
		FROM json_each(${increments}) AS m WHERE true
		ON CONFLICT (program_id, dimension, day, value, currency) DO UPDATE SET ${raised(BROKEN_DOWN_COLUMNS)}`),
);

function raised(columns: readonly string[]): SQL {
	return eachColumn(columns, (column) => `${column} = ${column} + excluded.${column}`);
}
