import { and, eq, gte, isNull, or, sql } from 'drizzle-orm';
import { keepSumsOfMany } from '../commission-sums/keep-sums.ts';
import { repairSums } from '../commission-sums/repair-sums.ts';
import { type Context, describeFault } from '../context.ts';
import { write } from '../db/client.ts';
import { partnerPrograms } from '../db/schema/partners.ts';
import { programs } from '../db/schema/programs.ts';
import { DAY_MS, dayOf } from '../domain/calendar.ts';
import { monthOf } from '../domain/reporting/closed-months.ts';
import { daysDue, turnAt } from '../domain/reporting/roll-up.ts';
import { datePartners } from '../partners/date-partners.ts';
import { closeMonths, compareMonth, reopenIfChanged } from './closed-months.ts';
import { BREAKDOWN_FIGURES, type BreakdownKey, repairBreakdown, selectBreakdown } from './repair-breakdown.ts';
import { type DailyRow, FIGURES, type ProgramDays, repairDay } from './repair-day.ts';

interface RolledUpProgram extends ProgramDays {
	readonly createdAt: number;
}

/**
 * Derives the daily rows of recent days and one closed day from the raw rows, for the programs due in this turn, and repairs drift. Returns
 * how many rows it repaired. Deltas should keep the rows exact; this detects when they do not.
 */
export async function rollUpDays(ctx: Context, programsPerTick: number): Promise<number> {
	const [newest] = await ctx.db.select({ id: sql<number>`coalesce(max(${programs.id}), 0)` }).from(programs);
	const { ids, round } = turnAt(ctx.now, newest?.id ?? 0, programsPerTick);
	let repaired = 0;
	for (const program of await findPrograms(ctx, ids)) {
		try {
			await redatePartners(ctx, program);
			await keepSumsOfMany(ctx, program.id);
			// One round trip per day, so that other writes can run in between: counting a busy day takes long.
			for (const day of daysDue(program.createdAt, ctx.now, program.timeZone, round)) repaired += await rollUpDay(ctx, program, day);
			await closeMonths(ctx, program);
		} catch (error) {
			ctx.log({ level: 'error', event: 'roll_up_failed', programId: program.id, ...describeFault(error) });
		}
	}
	return repaired;
}

/**
 * Derives a day's rows and writes those that differ. Each table takes one statement, so that nothing changes in between. Logs each repaired
 * row and returns how many.
 */
export async function rollUpDay(ctx: Context, program: ProgramDays, day: string): Promise<number> {
	return (
		(await rollUpTotals(ctx, program, day)) +
		(await rollUpBreakdown(ctx, program, day)) +
		(await repairSums(ctx, program.id, day)) +
		(await rollUpMonth(ctx, program, day))
	);
}

/** A month is compared together with its first day. */
async function rollUpMonth(ctx: Context, { id }: ProgramDays, day: string): Promise<number> {
	return day.endsWith('-01') ? compareMonth(ctx, id, monthOf(day)) : 0;
}

async function rollUpTotals(ctx: Context, program: ProgramDays, day: string): Promise<number> {
	const before = ctx.db.all<DailyRow>(sql`SELECT * FROM daily_performance WHERE program_id = ${program.id} AND day = ${day}`);
	const { found, repaired } = await write(ctx.db, [], { found: before, repaired: repairDay(ctx, program, day) });
	for (const row of repaired) {
		const was = found.find(({ currency }) => currency === row.currency);
		const { currency } = row;
		ctx.log({ level: 'warn', event: 'daily_row_repaired', programId: program.id, day, currency, ...changesOf(FIGURES, was, row) });
	}
	return repaired.length;
}

async function rollUpBreakdown(ctx: Context, program: ProgramDays, day: string): Promise<number> {
	const { found, repaired } = await write(ctx.db, [], {
		found: selectBreakdown(ctx, program, day),
		repaired: repairBreakdown(ctx, program, day),
		reopened: reopenIfChanged(ctx, program.id, day),
	});
	const before = new Map(found.map((row) => [keyOf(row), row]));
	for (const row of repaired) {
		const { dimension, value, currency } = row;
		const changes = changesOf(BREAKDOWN_FIGURES, before.get(keyOf(row)), row);
		ctx.log({ level: 'warn', event: 'breakdown_row_repaired', programId: program.id, day, dimension, value, currency, ...changes });
	}
	return repaired.length;
}

function keyOf({ dimension, value, currency }: BreakdownKey): string {
	return JSON.stringify([dimension, value, currency]);
}

/** The figures that differ, in the form `before -> after`. */
function changesOf<Figure extends string>(
	figures: readonly Figure[],
	was: Readonly<Record<Figure, number>> | undefined,
	is: Readonly<Record<Figure, number>>,
): Record<string, string> {
	const changed = figures.filter((figure) => (was?.[figure] ?? 0) !== is[figure]);
	return Object.fromEntries(changed.map((figure) => [figure, `${was?.[figure] ?? 0} -> ${is[figure]}`]));
}

async function findPrograms(ctx: Context, ids: readonly number[]): Promise<RolledUpProgram[]> {
	return await ctx.db
		.select({ id: programs.id, timeZone: programs.timeZone, createdAt: programs.createdAt })
		.from(programs)
		.where(sql`${programs.id} IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`);
}

/** Corrects the joining day of recent partners, and of older ones without a stored day. */
async function redatePartners(ctx: Context, program: RolledUpProgram): Promise<void> {
	const joined = await ctx.db
		.select({ id: partnerPrograms.id, createdAt: partnerPrograms.createdAt, createdDay: partnerPrograms.createdDay })
		.from(partnerPrograms)
		.where(
			and(
				eq(partnerPrograms.programId, program.id),
				or(isNull(partnerPrograms.createdDay), gte(partnerPrograms.createdAt, ctx.now - 2 * DAY_MS)),
			),
		);
	const misdated = joined.filter(({ createdAt, createdDay }) => createdDay !== dayOf(createdAt, program.timeZone));
	await write(ctx.db, datePartners(ctx, program.id, misdated, program.timeZone));
}
