import { and, between, eq, sql } from 'drizzle-orm';
import { readableProgramId, requireReader, selectReader } from '../accounts/program-session.ts';
import type { Context } from '../context.ts';
import { runBatch } from '../db/client.ts';
import { type Given, prepare } from '../db/prepare.ts';
import { dailyPerformance as daily } from '../db/schema/reports.ts';
import { dayOf, startOfDay, addDays } from '../domain/calendar.ts';
import { type DailyFigures, performanceOf } from '../domain/performance.ts';
import { type AskedRange, boundsOf, type DayRange, previousOf, rangeOf } from '../domain/report-range.ts';

export type Performance = Awaited<ReturnType<typeof readPerformance>>;

/**
 * The program's performance, day by day and in sum (contract, 4.7; decisions 22 to 26), for any active member of its
 * workspace: one trip, which reads the daily rows of the range and of the one before, whatever the number of clicks.
 * Rejects with 401, 404, 403, and 400 for a range that cannot be.
 */
export async function readPerformance(ctx: Context, tokenHash: string, programId: number, asked: AskedRange) {
	const asker = { tokenHash, programId };
	const [reader, rows] = await runBatch(ctx.db, [readReader(ctx, asker), readDays(ctx, { ...asker, ...boundsOf(asked, ctx.now) })]);
	const { currency, timeZone, createdAt } = requireReader(reader);
	const days = figuresOf(rows);
	const current = rangeOf(asked, dayOf(ctx.now, timeZone), firstDayOf(dayOf(createdAt, timeZone), days), timeZone);
	const previous = previousOf(current);
	return {
		...performanceOf(days, currency, current, previous),
		currency,
		meta: { period: asked.period, ...instantsOf(current, timeZone), previousPeriod: instantsOf(previous, timeZone) },
	};
}

interface Asker {
	readonly tokenHash: string;
	readonly programId: number;
}

const readReader = prepare((asking, { tokenHash, programId }: Given<Asker>) => selectReader(asking, tokenHash, programId));

/**
 * For members only: others have nothing read for them. A row comes as one JSON array: a report is two rows a day, and each value
 * that D1 hands over costs as much as reading the row.
 */
const readDays = prepare(({ db, now }, { tokenHash, programId, first, last }: Given<Asker & DayRange>) =>
	db
		.select({
			figures:
				sql<string>`json_array(${daily.day}, ${daily.currency}, ${daily.clicks}, ${daily.leads}, ${daily.openLeads}, ${daily.conversions},
				${daily.partners}, ${daily.sales}, ${daily.revenueCents}, ${daily.refundedCents}, ${daily.commissionCents}, ${daily.deductedCents})`.as(
					'figures',
				),
		})
		.from(daily)
		.where(and(eq(daily.programId, readableProgramId({ db, now }, tokenHash, programId)), between(daily.day, first, last)))
		.orderBy(daily.day),
);

type Figures = readonly [string, string, number, number, number, number, number, number, number, number, number, number];

function figuresOf(rows: readonly { readonly figures: string }[]): DailyFigures[] {
	const figures: Figures[] = JSON.parse(`[${rows.map((row) => row.figures).join(',')}]`);
	return figures.map(
		([
			day,
			currency,
			clicks,
			leads,
			openLeads,
			conversions,
			partners,
			sales,
			revenueCents,
			refundedCents,
			commissionCents,
			deductedCents,
		]) => ({
			day,
			currency,
			clicks,
			leads,
			openLeads,
			conversions,
			partners,
			sales,
			revenueCents,
			refundedCents,
			commissionCents,
			deductedCents,
		}),
	);
}

/** Decision 23: the day of its creation, or of its first event where that is earlier. */
function firstDayOf(createdDay: string, days: readonly DailyFigures[]): string {
	const first = days.find((row) => row.clicks + row.leads + row.conversions + row.sales > 0)?.day;
	return first !== undefined && first < createdDay ? first : createdDay;
}

/** The first and the last millisecond of the days. */
export function instantsOf({ first, last }: DayRange, timeZone: string) {
	return { from: startOfDay(first, timeZone), to: startOfDay(addDays(last, 1), timeZone) - 1 };
}
