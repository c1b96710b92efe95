import { and, eq, inArray, lte, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { commissions } from '../db/schema/money.ts';

/** Approves the commissions whose hold is over (decision 19). Returns how many. */
export async function releaseHolds(ctx: Context, limit: number): Promise<number> {
	const due = ctx.db
		.select({ id: commissions.id })
		.from(commissions)
		.where(and(eq(commissions.status, 'pending'), lte(commissions.holdUntil, ctx.now)))
		.limit(limit);
	const released = await ctx.db
		.update(commissions)
		.set({ status: 'approved', revision: sql`${commissions.revision} + 1` })
		.where(inArray(commissions.id, due))
		.returning({ id: commissions.id });
	return released.length;
}
