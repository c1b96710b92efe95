import { and, eq, isNull, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { commit, runBatch } from '../db/client.ts';
import { processorBindings } from '../db/schema/processor.ts';
import type { ProcessorAttribution } from '../domain/processor-event.ts';
import type { InboxEvent } from './inbox-event.ts';

/**
 * Remembers what an event itself says of who stands behind the processor's subscription and customer. Of two events that differ
 * the later one counts (of one moment the greater text, so that the order of arrival never does), field by field: what an event
 * does not say changes nothing.
 */
export async function bindProcessorIds(
	ctx: Context,
	{ programId, isTest, happenedAt }: Pick<InboxEvent, 'programId' | 'isTest' | 'happenedAt'>,
	{ customerKey, clickId, processorIds }: ProcessorAttribution,
): Promise<void> {
	if (processorIds.length === 0 || (customerKey === undefined && clickId === undefined)) return;
	await runBatch(
		ctx.db,
		processorIds.map((processorId) =>
			ctx.db
				.insert(processorBindings)
				.values({ programId, isTest, processorId, customerKey: customerKey ?? null, clickId: clickId ?? null, toldAt: happenedAt })
				.onConflictDoUpdate({
					target: [processorBindings.programId, processorBindings.isTest, processorBindings.processorId],
					set: {
						customerKey: laterOf('customer_key'),
						clickId: laterOf('click_id'),
						toldAt: sql`max(told_at, excluded.told_at)`,
					},
				}),
		),
	);
}

/** Marks the binding of a subscription that ended. Returns whether there is one. */
export async function endSubscription(
	ctx: Context,
	{ programId, isTest }: Pick<InboxEvent, 'programId' | 'isTest'>,
	subscriptionId: string,
	endedAt: number,
): Promise<boolean> {
	const binding = and(
		eq(processorBindings.programId, programId),
		eq(processorBindings.isTest, isTest),
		eq(processorBindings.processorId, subscriptionId),
	);
	const found = await commit(
		ctx.db,
		[
			ctx.db
				.update(processorBindings)
				.set({ endedAt })
				.where(and(binding, isNull(processorBindings.endedAt))),
		],
		ctx.db.select({ id: processorBindings.processorId }).from(processorBindings).where(binding),
	);
	return found.length > 0;
}

function laterOf(column: 'customer_key' | 'click_id') {
	const [stored, told] = [sql.raw(column), sql.raw(`excluded.${column}`)];
	return sql`CASE
		WHEN ${told} IS NULL THEN ${stored}
		WHEN ${stored} IS NULL OR excluded.told_at > told_at OR (excluded.told_at = told_at AND ${told} > ${stored}) THEN ${told}
		ELSE ${stored} END`;
}
