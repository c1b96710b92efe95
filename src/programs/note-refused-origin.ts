import { sql } from 'drizzle-orm';
import { type Context, describeFault } from '../context.ts';
import { write } from '../db/client.ts';
import { refusedOrigins } from '../db/schema/health.ts';
import { MINUTE_MS } from '../domain/calendar.ts';
import { isOrigin } from '../domain/origin.ts';
import { cacheGet, cacheSet } from '../isolate-cache.ts';

/** How many origins a program keeps, and how many of them an isolate notes within `QUIET_MS`, whoever makes them up. */
const KEPT_ORIGINS = 10;
const QUIET_MS = 5 * MINUTE_MS;

/**
 * Notes an origin that a program does not list, for its status: a shop that forgot one sees only that no click comes.
 * Best-effort and beside the answer. A flood of made-up origins costs a program ten rows in five minutes per isolate.
 */
export function noteRefusedOrigin(ctx: Context, programId: number, origin: string): void {
	if (!isOrigin(origin) && origin !== 'null') return;
	const noted = cacheGet(ctx.refusedOrigins, String(programId), ctx.now) ?? new Set();
	if (noted.has(origin) || noted.size >= KEPT_ORIGINS) return;
	noted.add(origin);
	if (noted.size === 1) cacheSet(ctx.refusedOrigins, String(programId), noted, ctx.now + QUIET_MS);
	ctx.defer(
		keepOrigin(ctx, programId, origin).catch((error: unknown) =>
			ctx.log({ level: 'warn', event: 'refused_origin_not_noted', programId, ...describeFault(error) }),
		),
	);
}

/** The newest stay: an origin that matters is refused again. */
async function keepOrigin(ctx: Context, programId: number, origin: string): Promise<void> {
	await write(ctx.db, [
		ctx.db
			.insert(refusedOrigins)
			.values({ programId, origin, refusedAt: ctx.now })
			.onConflictDoUpdate({ target: [refusedOrigins.programId, refusedOrigins.origin], set: { refusedAt: ctx.now } }),
		ctx.db.delete(refusedOrigins).where(sql`program_id = ${programId} AND origin NOT IN (
			SELECT origin FROM refused_origins WHERE program_id = ${programId} ORDER BY refused_at DESC, origin LIMIT ${KEPT_ORIGINS}
		)`),
	]);
}
