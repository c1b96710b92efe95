import { eq, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { read } from '../db/client.ts';
import { users } from '../db/schema/accounts.ts';
import { cronRuns } from '../db/schema/health.ts';
import { SECOND_MS } from '../domain/calendar.ts';
import type { ClockFacts } from '../domain/monitoring/clock.ts';
import { cacheGet, cacheSet } from '../isolate-cache.ts';
import { TICK } from '../reporting/note-cron-run.ts';

/** How long an isolate caches the result. */
const FRESH_MS = 5 * SECOND_MS;
/** After that, the database counts as unavailable. */
const TIMEOUT_MS = 5 * SECOND_MS;
const KEY = 'tick';

/** When cron last ran: cached, or one round trip that reads two rows. Throws if the database is unavailable. */
export async function readClock(ctx: Context): Promise<ClockFacts> {
	const kept = cacheGet(ctx.clock, KEY, ctx.now);
	if (kept) return kept;
	const [seen] = await inTime(read(ctx.db, { clock: selectClock(ctx) }).then(({ clock }) => clock));
	if (!seen) throw new Error('The database returned no clock');
	cacheSet(ctx.clock, KEY, seen, ctx.now + FRESH_MS);
	return seen;
}

export function selectClock(ctx: Context) {
	return ctx.db
		.select({
			lastTickAt: cronRuns.ranAt,
			inUseSince: sql<number | null>`(SELECT ${users.createdAt} FROM ${users} ORDER BY ${users.id} LIMIT 1)`,
		})
		.from(sql`(SELECT 1)`)
		.leftJoin(cronRuns, eq(cronRuns.name, TICK));
}

async function inTime<Answer>(work: Promise<Answer>): Promise<Answer> {
	let timer: ReturnType<typeof setTimeout> | undefined;
	const late = new Promise<never>((_, reject) => {
		timer = setTimeout(() => reject(new Error(`No answer within ${TIMEOUT_MS} ms`)), TIMEOUT_MS);
	});
	return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
