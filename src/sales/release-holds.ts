import { and, asc, eq, inArray, lte, sql } from 'drizzle-orm';
import { deltasOfSums } from '../commission-sums/raise-sums.ts';
import type { Context } from '../context.ts';
import { write } from '../db/client.ts';
import { commissions } from '../db/schema/money.ts';
import { insertApprovals } from '../outbox/outbox.ts';

/** Approves commissions after their hold (decision 19) and reports them to backends. Returns how many. */
export async function releaseHolds(ctx: Context, limit: number): Promise<number> {
	const due = ctx.db
		.select({ id: commissions.id })
		.from(commissions)
		.where(and(eq(commissions.status, 'pending'), lte(commissions.holdUntil, ctx.now)))
		.orderBy(asc(commissions.holdUntil), asc(commissions.id))
		.limit(limit);
	const { released } = await write(ctx.db, [deltasOfSums(ctx, sql`${due}`, "'approved'"), insertApprovals(ctx, crypto.randomUUID(), due)], {
		released: ctx.db
			.update(commissions)
			.set({ status: 'approved', revision: sql`${commissions.revision} + 1` })
			.where(inArray(commissions.id, due))
			.returning({ id: commissions.id }),
	});
	return released.length;
}
