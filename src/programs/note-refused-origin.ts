import { sql } from 'drizzle-orm';
import { type Context, describeFault } from '../context.ts';
import { write } from '../db/client.ts';
import { refusedOrigins } from '../db/schema/health.ts';
import { MINUTE_MS } from '../domain/calendar.ts';
import { isOrigin } from '../domain/origin.ts';
import { cacheGet, cacheSet } from '../isolate-cache.ts';

/** Per program, and per isolate within `QUIET_MS`. */
const KEPT_ORIGINS = 10;
const QUIET_MS = 5 * MINUTE_MS;

/**
 * Records an unlisted origin after the response, because a shop that forgot to list one only notices missing clicks. A flood costs ten rows
 * per isolate in five minutes.
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

/** Keeps the newest, because an origin in use is refused again. */
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
