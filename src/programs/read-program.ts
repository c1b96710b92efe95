import { and, eq, gt, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { read } from '../db/client.ts';
import { retiredClickDays } from '../db/schema/clicks.ts';
import { programs } from '../db/schema/programs.ts';
import { dailyPerformance } from '../db/schema/reports.ts';
import { affiliateSaleEvents } from '../db/schema/sales.ts';
import { BYTES_PER_CLICK } from '../domain/attribution/click-retention.ts';
import { notFound } from '../domain/rejection.ts';
import { type ProgramView, selectPrograms } from './program-view.ts';

export interface ProgramDetails extends ProgramView {
	/** Tests do not count. */
	readonly hasSales: boolean;
	readonly keptClicks: KeptClicks;
	readonly retiredClicks: RetiredClicks;
}

/** The days of which every click is in the database. Without tests and crawlers. */
interface KeptClicks {
	/** Null if there is no click. */
	readonly since: string | null;
	readonly clicks: number;
	/** About. */
	readonly bytes: number;
}

interface RetiredClicks {
	/** Null if no day is retired. */
	readonly until: string | null;
	readonly clicks: number;
	/** How many were deleted, on days without a file. */
	readonly deleted: number;
	/** The size of the files. */
	readonly bytes: number;
	/** Whether clicks are moved into files from now on, because a bucket is bound. */
	readonly areInFiles: boolean;
}

/** One round trip. Rejects with 404. */
export async function readProgram(ctx: Context, programId: number): Promise<ProgramDetails> {
	const found = await read(ctx.db, {
		programs: selectPrograms(ctx).where(eq(programs.id, programId)),
		sale: selectAnySale(ctx, programId),
		kept: sumKeptDays(ctx, programId),
		retired: sumRetiredDays(ctx, programId),
	});
	const [program] = found.programs;
	const [kept] = found.kept;
	const [retired] = found.retired;
	if (!program || !kept || !retired) throw notFound('Program');
	return {
		...program,
		hasSales: found.sale.length > 0,
		keptClicks: { ...kept, bytes: kept.clicks * BYTES_PER_CLICK },
		retiredClicks: { ...retired, areInFiles: ctx.clickFiles !== undefined },
	};
}

function selectAnySale(ctx: Context, programId: number) {
	return ctx.db
		.select({ id: affiliateSaleEvents.id })
		.from(affiliateSaleEvents)
		.where(and(eq(affiliateSaleEvents.programId, programId), sql`${affiliateSaleEvents.isTest} = 0`))
		.limit(1);
}

/** Reads one row per day and currency. */
function sumKeptDays(ctx: Context, programId: number) {
	const { day, clicks } = dailyPerformance;
	const retiredUntil = sql`(SELECT max(day) FROM retired_click_days WHERE program_id = ${programId})`;
	return ctx.db
		.select({
			since: sql<string | null>`min(iif(${clicks} > 0, ${day}, NULL))`,
			clicks: sql<number>`coalesce(sum(${clicks}), 0)`,
		})
		.from(dailyPerformance)
		.where(and(eq(dailyPerformance.programId, programId), gt(day, sql`coalesce(${retiredUntil}, '')`)));
}

/** Reads one row per retired day. */
function sumRetiredDays(ctx: Context, programId: number) {
	const { day, clicks, bytes, deleted } = retiredClickDays;
	return ctx.db
		.select({
			until: sql<string | null>`max(${day})`,
			clicks: sql<number>`coalesce(sum(${clicks}), 0)`,
			deleted: sql<number>`coalesce(sum(${deleted}), 0)`,
			bytes: sql<number>`coalesce(sum(${bytes}), 0)`,
		})
		.from(retiredClickDays)
		.where(eq(retiredClickDays.programId, programId));
}
