import { sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { couponIds } from '../db/schema/coupons.ts';
import type { FactOutcome } from '../domain/processors/processor-outcome.ts';
import type { CouponFact } from '../domain/processors/processor-event.ts';
import type { Plan } from '../sales/plan.ts';
import type { InboxEvent } from './inbox-event.ts';

/** Stores nothing if the code depends on another id that is unknown. */
export function planCoupon(ctx: Context, event: InboxEvent, { processorIds, code, of }: CouponFact): Plan<FactOutcome> {
	const { programId, processor } = event;
	const isTest = event.isTest ? 1 : 0;
	const known = sql`(SELECT code FROM coupon_ids
		WHERE program_id = ${programId} AND is_test = ${isTest} AND processor = ${processor} AND processor_id = ${of ?? null})`;
	const storeCode = ctx.db.run(sql`
		INSERT INTO ${couponIds} (program_id, is_test, processor, processor_id, code)
		SELECT ${programId}, ${isTest}, ${processor}, value, coalesce(${code ?? null}, ${known}) FROM json_each(${JSON.stringify(processorIds)})
		WHERE coalesce(${code ?? null}, ${known}) IS NOT NULL
		ON CONFLICT DO UPDATE SET code = excluded.code`);
	const reason = 'Stored for later payments';
	return { outcome: { state: 'applied', reason, reportedIds: processorIds, isAside: true }, writes: [storeCode], effects: [] };
}
