import { and, asc, eq, inArray, lt } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { partnerApplications } from '../db/schema/applications.ts';
import { KEPT_MS } from './application.ts';

/** Deletes old declined applications and returns how many. */
export async function purgeApplications(ctx: Context, limit: number): Promise<number> {
	const old = ctx.db
		.select({ id: partnerApplications.id })
		.from(partnerApplications)
		.where(and(eq(partnerApplications.status, 'declined'), lt(partnerApplications.decidedAt, ctx.now - KEPT_MS)))
		.orderBy(asc(partnerApplications.decidedAt))
		.limit(limit);
	const purged = await ctx.db
		.delete(partnerApplications)
		.where(inArray(partnerApplications.id, old))
		.returning({ id: partnerApplications.id });
	return purged.length;
}
