import { sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { read, type Statement, write } from '../db/client.ts';
import { type Placeholders, prepare } from '../db/prepare.ts';
import { dayOf, monthOf } from '../domain/calendar.ts';
import { daysOfMonth, mayBeClosed, monthsToClose } from '../domain/reporting/closed-months.ts';
import { type Increment, STORED_DIMENSIONS, type StoredDimension } from '../domain/reporting/changed-figures.ts';
import type { ComparedDay, ProgramDays } from './compared-days.ts';
import { BREAKDOWN_FIGURES } from './repair-breakdown.ts';
import { BROKEN_DOWN_COLUMNS, DAY, eachColumn, figureOf } from './waiting-deltas.ts';

// Stores the breakdown of whole months as rows (decision 63).

/** Over all dimensions. */
const MONTHS_PER_PROGRAM = 12;
const MONTHS_PER_TURN = 120;
const MONTHS_PER_BATCH = 12;
const COUNTS = ['clicks', 'leads', 'conversions', 'sales'] as const;
const HAS_EVENTS = sql.raw(`${COUNTS.join(' + ')} > 0`);

/** Sums closed months, the latest first. Returns how many. Months that do not fit into this turn follow in the next. */
export async function closeMonths(ctx: Context, programs: readonly ProgramDays[], perProgram = MONTHS_PER_PROGRAM): Promise<number> {
	const open = await findOpenMonths(ctx, programs);
	const due = programs.flatMap(({ id }) => open.filter(({ programId }) => programId === id).slice(0, perProgram)).slice(0, MONTHS_PER_TURN);
	for (let first = 0; first < due.length; first += MONTHS_PER_BATCH) {
		const batch = due.slice(first, first + MONTHS_PER_BATCH);
		// One batch, so that no day changes in between.
		await write(
			ctx.db,
			batch.flatMap((month) => closeMonth(ctx, month)),
		);
	}
	return due.length;
}

interface Month {
	readonly dimension: StoredDimension;
	readonly month: string;
}

interface ProgramMonth extends Month {
	readonly programId: number;
}

async function findOpenMonths(ctx: Context, programs: readonly ProgramDays[]): Promise<ProgramMonth[]> {
	const ids = JSON.stringify(programs.map(({ id }) => id));
	const { first, closed } = await read(ctx.db, {
		first: ctx.db.all<{ programId: number; day: string | null }>(sql`
			SELECT program.value AS programId, (SELECT min(day) FROM daily_performance WHERE program_id = program.value) AS day
			FROM json_each(${ids}) AS program`),
		closed: ctx.db.all<ProgramMonth>(sql`
			SELECT program_id AS programId, dimension, month FROM breakdown_months WHERE program_id IN (SELECT value FROM json_each(${ids}))`),
	});
	const firstDays = new Map(first.map(({ programId, day }) => [programId, day]));
	const known = new Set(closed.map(({ programId, dimension, month }) => `${programId} ${dimension} ${month}`));
	return programs.flatMap(({ id: programId, timeZone }) => {
		const day = firstDays.get(programId);
		if (!day) return [];
		return monthsToClose(day, dayOf(ctx.now, timeZone))
			.flatMap((month) => STORED_DIMENSIONS.map((dimension) => ({ programId, dimension, month })))
			.filter(({ dimension, month }) => !known.has(`${programId} ${dimension} ${month}`));
	});
}

/** Replaces an earlier sum. */
function closeMonth({ db }: Context, { programId, dimension, month }: ProgramMonth): Statement[] {
	const { first, last } = daysOfMonth(month);
	const isMonth = sql`program_id = ${programId} AND dimension = ${dimension} AND month = ${month}`;
	return [
		db.run(sql`DELETE FROM monthly_breakdown WHERE ${isMonth}`),
		db.run(sql`
			INSERT INTO monthly_breakdown (program_id, dimension, month, value, currency, last_day, ${eachColumn(BREAKDOWN_FIGURES)})
			SELECT ${programId}, ${dimension}, ${month}, value, currency, max(iif(${HAS_EVENTS}, day, NULL)),
				${eachColumn(BREAKDOWN_FIGURES, (column) => `sum(${column})`)}
			FROM daily_breakdown
			WHERE program_id = ${programId} AND dimension = ${dimension} AND day BETWEEN ${first} AND ${last}
			GROUP BY value, currency`),
		db.run(sql`INSERT OR IGNORE INTO breakdown_months (program_id, dimension, month) VALUES (${programId}, ${dimension}, ${month})`),
	];
}

/**
 * Adds increments of days to closed months. Must follow the days in the same batch, because their rows show whether a day still has events.
 * A day that loses a sale may no longer be its value's last day, so its month reopens.
 */
export function raiseMonths(ctx: Pick<Context, 'db' | 'now'>, increments: readonly Increment[]): Statement[] {
	const today = dayOf(ctx.now, 'UTC');
	const late = increments.filter(({ day }) => mayBeClosed(day, today));
	if (late.length === 0) return [];
	const lost = late.filter(({ leads = 0, conversions = 0, sales = 0 }) => Math.min(leads, conversions, sales) < 0);
	const months = lost.map(({ programId, dimension, day }) => [programId, dimension, monthOf(day)]);
	return [
		...(months.length > 0 ? [reopen(ctx, { months: JSON.stringify(months) })] : []),
		raise(ctx, { increments: JSON.stringify(late) }),
	];
}

const raise = prepare(({ db }, { increments }: Placeholders<{ increments: string }>) =>
	db.run(sql`
		INSERT INTO monthly_breakdown (program_id, dimension, month, value, currency, last_day, ${eachColumn(BROKEN_DOWN_COLUMNS)})
		SELECT closed.program_id, closed.dimension, closed.month, m.value ->> 'value', m.value ->> 'currency',
			max((SELECT iif(${HAS_EVENTS}, day, NULL) FROM daily_breakdown AS raised
				WHERE raised.program_id = m.value ->> 'programId' AND raised.dimension = m.value ->> 'dimension' AND raised.day = ${DAY}
					AND raised.value = m.value ->> 'value' AND raised.currency = m.value ->> 'currency')),
			${eachColumn(BROKEN_DOWN_COLUMNS, (column) => `sum(${figureOf(column)})`)}
		FROM json_each(${increments}) AS m CROSS JOIN breakdown_months closed
			ON closed.program_id = m.value ->> 'programId' AND closed.dimension = m.value ->> 'dimension' AND closed.month = substr(${DAY}, 1, 7)
		WHERE true GROUP BY 1, 2, 3, 4, 5
		ON CONFLICT (program_id, dimension, month, value, currency) DO UPDATE SET
			last_day = nullif(max(coalesce(last_day, ''), coalesce(excluded.last_day, '')), ''),
			${eachColumn(BROKEN_DOWN_COLUMNS, (column) => `${column} = ${column} + excluded.${column}`)}`),
);

const reopen = prepare(({ db }, { months }: Placeholders<{ months: string }>) =>
	db.run(sql`
		DELETE FROM breakdown_months
		WHERE (program_id, dimension, month) IN (SELECT value ->> 0, value ->> 1, value ->> 2 FROM json_each(${months}))`),
);

const ROW = eachColumn(BREAKDOWN_FIGURES);

/** Reopens months whose stored sums differ from their days, so that the next turn sums them again. Returns how many. */
export async function compareMonths(ctx: Context, months: readonly { readonly id: number; readonly month: string }[]): Promise<number> {
	const answers = await write(
		ctx.db,
		[],
		Object.fromEntries(months.map(({ id, month }) => [`${id} ${month}`, reopenDiffering(ctx, id, month)])),
	);
	const differing = Object.values(answers).flat();
	for (const { programId, dimension, month } of differing) {
		ctx.log({ level: 'warn', event: 'breakdown_month_differs', programId, dimension, month });
	}
	return differing.length;
}

function reopenDiffering({ db }: Context, programId: number, month: string) {
	const { first, last } = daysOfMonth(month);
	const of = sql`program_id = ${programId} AND dimension = closed.dimension`;
	const days = sql`
		SELECT value, currency, max(iif(${HAS_EVENTS}, day, NULL)), ${eachColumn(BREAKDOWN_FIGURES, (column) => `sum(${column})`)}
		FROM daily_breakdown WHERE ${of} AND day BETWEEN ${first} AND ${last} GROUP BY value, currency`;
	const kept = sql`SELECT value, currency, last_day, ${ROW} FROM monthly_breakdown WHERE ${of} AND month = ${month}`;
	return db.all<ProgramMonth>(sql`
		DELETE FROM breakdown_months AS closed
		WHERE program_id = ${programId} AND dimension IN (SELECT value FROM json_each(${JSON.stringify(STORED_DIMENSIONS)})) AND month = ${month}
			AND (EXISTS (${days} EXCEPT ${kept}) OR EXISTS (${kept} EXCEPT ${days}))
		RETURNING program_id AS programId, dimension, month`);
}

/** Reopens the months of these days if the batch's previous statement changed a row. */
export function reopenIfChanged({ db }: Pick<Context, 'db'>, days: readonly ComparedDay[]) {
	const months = [...new Set(days.map(({ id, day }) => JSON.stringify([id, monthOf(day)])))];
	return db.all<Month>(sql`
		DELETE FROM breakdown_months
		WHERE changes() > 0 AND (program_id, dimension, month) IN (
			SELECT changed.value ->> 0, dimension.value, changed.value ->> 1
			FROM json_each(${`[${months.join(',')}]`}) AS changed CROSS JOIN json_each(${JSON.stringify(STORED_DIMENSIONS)}) AS dimension)
		RETURNING dimension, month`);
}
