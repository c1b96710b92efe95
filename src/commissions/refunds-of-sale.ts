import { type Column, type SQL, sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { commissions } from '../db/schema/money.ts';
import { withheldCents } from '../db/withheld-cents.ts';

const Refunds = z.array(
	z.object({
		id: z.number(),
		refundId: z.nullable(z.string()),
		amountCents: z.number(),
		deductionCents: z.nullable(z.number()),
		withheldCents: z.number(),
		outcome: z.enum(['reversed', 'refunded', 'no_commission', 'reinstated', 'skipped', 'test']),
		source: z.enum(['endpoint', 'processor']),
		reason: z.nullable(z.string()),
		createdAt: z.number(),
	}),
);

/** Oldest first: the first `most`, or all. Reinstated amounts are negative, so the sum is correct. */
export function refundsOfSale(saleId: Column, condition: SQL, most?: number) {
	const first = most === undefined ? sql`` : sql`ORDER BY id LIMIT ${most}`;
	return sql<z.infer<typeof Refunds>>`(
		SELECT json_group_array(json_object('id', id, 'refundId', refund_id, 'amountCents', sign * amount_cents, 'deductionCents', sign * deduction_cents,
			'withheldCents', ${withheldCents(commissions.id, sql`op_id`)}, 'outcome', outcome, 'source', source, 'reason', reason, 'createdAt', created_at) ORDER BY id)
		FROM (SELECT *, iif(outcome = 'reinstated', -1, 1) AS sign FROM refund_events
			WHERE sale_id = ${saleId} AND ${condition} ${first})
	)`.mapWith((json: string) => Refunds.parse(JSON.parse(json)));
}
