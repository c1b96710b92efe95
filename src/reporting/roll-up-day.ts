import { type SQL, sql } from 'drizzle-orm';
import { keepSumsOfMany } from '../commission-sums/keep-sums.ts';
import { repairSumsOf } from '../commission-sums/repair-sums.ts';
import { type Context, describeFault } from '../context.ts';
import { write } from '../db/client.ts';
import { DAY_MS, dayOf, monthOf } from '../domain/calendar.ts';
import { batchesOf, daysDue, MINUTES_PER_ROUND, slotAt, type Turn, turnOf } from '../domain/reporting/roll-up.ts';
import { datePartners } from '../partners/date-partners.ts';
import { closeMonths, compareMonths, reopenIfChanged } from './closed-months.ts';
import type { ComparedDay, ProgramDays } from './compared-days.ts';
import { type FilledDay, selectFilled } from './filled-days.ts';
import { BREAKDOWN_FIGURES, type BreakdownKey, repairBreakdowns, selectBreakdowns } from './repair-breakdown.ts';
import { FIGURES, repairDays, selectDays } from './repair-day.ts';

interface RolledUpProgram extends ProgramDays {
	readonly createdAt: number;
}

/**
 * Compares the daily rows of recent days and one closed day with the raw rows, and repairs drift. Deltas should keep the rows exact; this
 * detects when they do not. Skips empty days. Returns how many rows it repaired.
 */
export async function rollUpDays(ctx: Context, programsPerTick: number): Promise<number> {
	const { due, round } = await findTurn(ctx, programsPerTick);
	return isolated(ctx, due, (programs) => rollUpPrograms(ctx, programs, round));
}

/** The programs of this minute. Reads a few rows for each, and skips gaps between ids, which a restore leaves. */
async function findTurn({ db, now }: Context, programsPerTick: number): Promise<Turn<RolledUpProgram>> {
	const { slot, hour } = slotAt(now);
	const next = sql`slots.following + (${slot} - slots.following % ${MINUTES_PER_ROUND} + ${MINUTES_PER_ROUND}) % ${MINUTES_PER_ROUND}`;
	const programs = await db.all<RolledUpProgram>(sql`
		WITH RECURSIVE slots(id, following) AS (
			SELECT ${slot}, ${following(sql`${slot}`)} UNION ALL SELECT ${next}, ${following(next)} FROM slots WHERE slots.following IS NOT NULL)
		SELECT p.id, p.time_zone AS timeZone, p.created_at AS createdAt FROM slots CROSS JOIN programs p ON p.id = slots.id ORDER BY p.id`);
	return turnOf(programs, hour, programsPerTick);
}

/** The next program that may have the same minute. */
function following(id: SQL): SQL {
	return sql`(SELECT min(id) FROM programs WHERE id >= ${id} + ${MINUTES_PER_ROUND})`;
}

/** If the work fails for all programs together, does it for each alone, so that one program's fault does not stop the others. */
async function isolated<Item extends ProgramDays>(
	ctx: Context,
	items: readonly Item[],
	work: (items: readonly Item[]) => Promise<number>,
): Promise<number> {
	const ids = new Set(items.map(({ id }) => id));
	try {
		return ids.size === 0 ? 0 : await work(items);
	} catch (error) {
		const [programId] = ids;
		if (ids.size === 1) {
			ctx.log({ level: 'error', event: 'roll_up_failed', programId, ...describeFault(error) });
			return 0;
		}
	}
	let done = 0;
	for (const each of ids) {
		done += await isolated(
			ctx,
			items.filter(({ id }) => id === each),
			work,
		);
	}
	return done;
}

async function rollUpPrograms(ctx: Context, programs: readonly RolledUpProgram[], round: number): Promise<number> {
	const days = programs.flatMap((program) =>
		daysDue(program.createdAt, ctx.now, program.timeZone, round).map((day) => ({ id: program.id, timeZone: program.timeZone, day })),
	);
	await redatePartners(ctx, programs);
	const filled = await selectFilled(ctx, days);
	// A program has many commissions only if it got some lately.
	await keepSumsOfMany(ctx, [...new Set(filled.filter(({ hasCommissions }) => hasCommissions).map(({ id }) => id))]);
	let repaired = 0;
	// Counting busy days takes long, so other writes run between these round trips.
	for (const batch of batchesOf(withTimeZones(filled, programs))) {
		repaired += await isolated(ctx, batch, (some) => compareDays(ctx, some));
	}
	await isolated(ctx, programs, (some) => closeMonths(ctx, some));
	return repaired;
}

function withTimeZones(found: readonly FilledDay[], programs: readonly ProgramDays[]): (FilledDay & ComparedDay)[] {
	const timeZones = new Map(programs.map(({ id, timeZone }) => [id, timeZone]));
	return found.flatMap((day) => {
		const timeZone = timeZones.get(day.id);
		return timeZone === undefined ? [] : [{ ...day, timeZone }];
	});
}

/** Corrects recent partners, and older ones without a stored day. */
async function redatePartners(ctx: Context, programs: readonly ProgramDays[]): Promise<void> {
	const ids = JSON.stringify(programs.map(({ id }) => id));
	const joined = await ctx.db.all<{ id: number; programId: number; createdAt: number; createdDay: string | null }>(sql`
		SELECT m.id, m.program_id AS programId, m.created_at AS createdAt, m.created_day AS createdDay
		FROM json_each(${ids}) AS program CROSS JOIN partner_programs m ON m.program_id = program.value
		WHERE m.created_day IS NULL OR m.created_at >= ${ctx.now - 2 * DAY_MS}`);
	const corrections = programs.flatMap(({ id, timeZone }) => {
		const ofProgram = joined.filter(({ programId }) => programId === id);
		const misdated = ofProgram.filter(({ createdAt, createdDay }) => createdDay !== dayOf(createdAt, timeZone));
		return datePartners(ctx, id, misdated, timeZone);
	});
	await write(ctx.db, corrections);
}

/** Logs each repaired row and returns how many. */
export function rollUpDay(ctx: Context, { id, timeZone }: ProgramDays, day: string): Promise<number> {
	return compareDays(ctx, [{ id, timeZone, day, hasSums: true, isMonth: day.endsWith('-01') }]);
}

/** Each table takes one statement, so that nothing changes in between. Logs each repaired row and returns how many. */
async function compareDays(
	ctx: Context,
	days: readonly (ComparedDay & { readonly hasSums: unknown; readonly isMonth: unknown })[],
): Promise<number> {
	// A month is compared with its first day.
	const months = days.filter(({ isMonth }) => isMonth).map(({ id, day }) => ({ id, month: monthOf(day) }));
	return (
		(await rollUpTotals(ctx, days)) +
		(await rollUpBreakdowns(ctx, days)) +
		(await repairSumsOf(
			ctx,
			days.filter(({ hasSums }) => hasSums),
		)) +
		(await compareMonths(ctx, months))
	);
}

async function rollUpTotals(ctx: Context, days: readonly ComparedDay[]): Promise<number> {
	const { found, repaired } = await write(ctx.db, [], { found: selectDays(ctx, days), repaired: repairDays(ctx, days) });
	for (const row of repaired) {
		const { program_id: programId, day, currency } = row;
		const was = found.find((kept) => kept.program_id === programId && kept.day === day && kept.currency === currency);
		ctx.log({ level: 'warn', event: 'daily_row_repaired', programId, day, currency, ...changesOf(FIGURES, was, row) });
	}
	return repaired.length;
}

async function rollUpBreakdowns(ctx: Context, days: readonly ComparedDay[]): Promise<number> {
	const { found, repaired } = await write(ctx.db, [], {
		found: selectBreakdowns(ctx, days),
		repaired: repairBreakdowns(ctx, days),
		reopened: reopenIfChanged(ctx, days),
	});
	const before = new Map(found.map((row) => [keyOf(row), row]));
	for (const row of repaired) {
		const { program_id: programId, day, dimension, value, currency } = row;
		const changes = changesOf(BREAKDOWN_FIGURES, before.get(keyOf(row)), row);
		ctx.log({ level: 'warn', event: 'breakdown_row_repaired', programId, day, dimension, value, currency, ...changes });
	}
	return repaired.length;
}

function keyOf({ program_id: programId, day, dimension, value, currency }: BreakdownKey): string {
	return JSON.stringify([programId, day, dimension, value, currency]);
}

/** In the form `before -> after`. */
function changesOf<Figure extends string>(
	figures: readonly Figure[],
	was: Readonly<Record<Figure, number>> | undefined,
	is: Readonly<Record<Figure, number>>,
): Record<string, string> {
	const changed = figures.filter((figure) => (was?.[figure] ?? 0) !== is[figure]);
	return Object.fromEntries(changed.map((figure) => [figure, `${was?.[figure] ?? 0} -> ${is[figure]}`]));
}
