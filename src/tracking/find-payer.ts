import { and, eq, min, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import type { Found } from '../db/client.ts';
import { processorBindings } from '../db/schema/processor.ts';
import { affiliateSaleEvents, customers } from '../db/schema/tracking.ts';
import type { ProcessorAttribution } from '../domain/processor-event.ts';

/** What is known of who made a payment; both undefined: nothing. */
export interface Payer {
	readonly customerKey: string | undefined;
	readonly clickId: string | undefined;
}

/** What tells who stands behind a processor's subscription and customer; nothing is asked where there are no ids. */
export function readsForPayer(ctx: Context, programId: number, isTest: boolean, processorIds: readonly string[]) {
	const isAsked = processorIds.length > 0;
	const ids = JSON.stringify(processorIds);
	return {
		bindings: isAsked ? selectBindings(ctx, programId, isTest, ids) : undefined,
		buyers: isAsked ? selectFirstBuyers(ctx, programId, isTest, ids) : undefined,
	};
}

/**
 * Who paid, field by field: as the event itself says; else, id by id, as an earlier event told of the processor's subscription or
 * customer, or as an earlier sale of that subscription has it.
 */
export function payerOf(
	{ customerKey, clickId, processorIds }: ProcessorAttribution,
	{ bindings, buyers }: Found<ReturnType<typeof readsForPayer>>,
): Payer {
	const evidence = processorIds.flatMap((id) => [
		bindings.find(({ processorId }) => processorId === id),
		buyers.find(({ subscriptionId }) => subscriptionId === id),
	]);
	return {
		customerKey: customerKey ?? evidence.find((known) => known?.customerKey)?.customerKey ?? undefined,
		clickId: clickId ?? evidence.find((known) => known?.clickId)?.clickId ?? undefined,
	};
}

function selectBindings(ctx: Context, programId: number, isTest: boolean, ids: string) {
	return ctx.db
		.select({
			processorId: processorBindings.processorId,
			customerKey: processorBindings.customerKey,
			clickId: processorBindings.clickId,
		})
		.from(processorBindings)
		.where(
			and(
				eq(processorBindings.programId, programId),
				eq(processorBindings.isTest, isTest),
				sql`${processorBindings.processorId} IN (SELECT value FROM json_each(${ids}))`,
			),
		);
}

/** Of each subscription who bought first; whether a webhook or the backend reported it. */
function selectFirstBuyers(ctx: Context, programId: number, isTest: boolean, ids: string) {
	return ctx.db
		.select({
			// SQLite takes the other columns from the row of the minimum.
			saleId: min(affiliateSaleEvents.id),
			subscriptionId: affiliateSaleEvents.subscriptionId,
			customerKey: customers.customerKey,
			clickId: customers.clickId,
		})
		.from(affiliateSaleEvents)
		.innerJoin(customers, eq(customers.id, affiliateSaleEvents.customerId))
		.where(
			and(
				eq(affiliateSaleEvents.programId, programId),
				eq(affiliateSaleEvents.isTest, isTest),
				sql`${affiliateSaleEvents.subscriptionId} IN (SELECT value FROM json_each(${ids}))`,
			),
		)
		.groupBy(affiliateSaleEvents.subscriptionId);
}
