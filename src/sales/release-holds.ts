import { and, asc, eq, inArray, lte, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { write } from '../db/client.ts';
import { commissions } from '../db/schema/money.ts';
import { hasWebhooks } from '../outbox/outbox.ts';

/** Approves the commissions whose hold is over (decision 19), and has the backends told that are. Returns how many. */
export async function releaseHolds(ctx: Context, limit: number): Promise<number> {
	const due = ctx.db
		.select({ id: commissions.id })
		.from(commissions)
		.where(and(eq(commissions.status, 'pending'), lte(commissions.holdUntil, ctx.now)))
		.orderBy(asc(commissions.holdUntil), asc(commissions.id))
		.limit(limit);
	const { released } = await write(
		ctx.db,
		[
			ctx.db.run(sql`
				INSERT INTO outbox (program_id, id, kind, subject_id, created_at)
				SELECT program_id, ${`${crypto.randomUUID()}:`} || id, 'commission_approved', id, ${ctx.now}
				FROM commissions WHERE id IN ${due} AND ${hasWebhooks(sql`commissions.program_id`)}`),
		],
		{
			released: ctx.db
				.update(commissions)
				.set({ status: 'approved', revision: sql`${commissions.revision} + 1` })
				.where(inArray(commissions.id, due))
				.returning({ id: commissions.id }),
		},
	);
	return released.length;
}
