import { and, eq, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { allowedOrigins, programs } from '../db/schema/programs.ts';
import { MINUTE_MS } from '../domain/calendar.ts';
import { isOriginAllowed, originCandidates } from '../domain/origin.ts';
import { Rejection } from '../domain/rejection.ts';
import { cacheGet, cacheSet } from '../isolate-cache.ts';
import { noteRefusedOrigin } from './note-refused-origin.ts';

const FRESH_MS = MINUTE_MS;

/** Whether any active program lists the origin (decision 27): a preflight has no body that names the program. At most one round trip. */
export async function isListedAnywhere(ctx: Context, origin: string): Promise<boolean> {
	const known = cacheGet(ctx.origins, origin, ctx.now);
	if (known !== undefined) return known;
	const candidates = originCandidates(origin);
	if (candidates.length === 0) return false;
	const rows = await ctx.db
		.select({ origin: allowedOrigins.origin })
		.from(allowedOrigins)
		.innerJoin(programs, eq(programs.id, allowedOrigins.programId))
		.where(and(sql`${allowedOrigins.origin} IN (SELECT value FROM json_each(${JSON.stringify(candidates)}))`, eq(programs.active, true)))
		.limit(1);
	cacheSet(ctx.origins, origin, rows.length > 0, ctx.now + FRESH_MS);
	return rows.length > 0;
}

/** Rejects a page whose origin is not listed (decision 27). A call without Origin is not from a page. */
export function requireListedOrigin(ctx: Context, origin: string | undefined, programId: number, listed: readonly string[]): void {
	if (origin === undefined) return;
	if (!isOriginAllowed(origin, listed)) {
		noteRefusedOrigin(ctx, programId, origin);
		throw new Rejection('origin_not_allowed');
	}
	cacheSet(ctx.origins, origin, true, ctx.now + FRESH_MS);
}
