import { and, between, eq } from 'drizzle-orm';
import { readableProgramId, requireReader, selectReader } from '../accounts/program-session.ts';
import type { Context } from '../context.ts';
import { type Given, prepareReads } from '../db/prepare.ts';
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
	const { reader, days } = await readForReport(ctx, { tokenHash, programId, ...boundsOf(asked, ctx.now) });
	const { currency, timeZone, createdAt } = requireReader(reader);
	const current = rangeOf(asked, dayOf(ctx.now, timeZone), firstDayOf(dayOf(createdAt, timeZone), days), timeZone);
	const previous = previousOf(current);
	return {
		...performanceOf(days, currency, current, previous),
		currency,
		meta: { period: asked.period, ...instantsOf(current, timeZone), previousPeriod: instantsOf(previous, timeZone) },
	};
}

interface AskedReport extends DayRange {
	readonly tokenHash: string;
	readonly programId: number;
}

/** The days for members only: others have nothing read for them. */
const readForReport = prepareReads((asking, { tokenHash, programId, first, last }: Given<AskedReport>) => ({
	reader: selectReader(asking, tokenHash, programId),
	days: asking.db
		.select({
			day: daily.day,
			currency: daily.currency,
			clicks: daily.clicks,
			leads: daily.leads,
			openLeads: daily.openLeads,
			conversions: daily.conversions,
			partners: daily.partners,
			sales: daily.sales,
			revenueCents: daily.revenueCents,
			refundedCents: daily.refundedCents,
			commissionCents: daily.commissionCents,
			deductedCents: daily.deductedCents,
		})
		.from(daily)
		.where(and(eq(daily.programId, readableProgramId(asking, tokenHash, programId)), between(daily.day, first, last)))
		.orderBy(daily.day),
}));

/** Decision 23: the day of its creation, or of its first event where that is earlier. */
function firstDayOf(createdDay: string, days: readonly DailyFigures[]): string {
	const first = days.find((row) => row.clicks + row.leads + row.conversions + row.sales > 0)?.day;
	return first !== undefined && first < createdDay ? first : createdDay;
}

/** The first and the last millisecond of the days. */
export function instantsOf({ first, last }: DayRange, timeZone: string) {
	return { from: startOfDay(first, timeZone), to: startOfDay(addDays(last, 1), timeZone) - 1 };
}
