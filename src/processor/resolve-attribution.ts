import { and, eq, min, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { readTogether } from '../db/client.ts';
import { processorBindings } from '../db/schema/processor.ts';
import { affiliateSaleEvents, customers } from '../db/schema/tracking.ts';
import type { ProcessorAttribution } from '../domain/processor-event.ts';
import type { InboxEvent } from './inbox-event.ts';

/** What is known of who an event is about; both undefined: nothing. */
export interface ResolvedAttribution {
	readonly customerKey: string | undefined;
	readonly clickId: string | undefined;
}

/**
 * Who an event is about, field by field: as the event itself says; else, id by id, as an earlier event told of the processor's
 * subscription or customer, or as an earlier sale of that subscription has it. At most one trip.
 */
export async function resolveAttribution(
	ctx: Context,
	event: Pick<InboxEvent, 'programId' | 'isTest'>,
	{ customerKey, clickId, processorIds }: ProcessorAttribution,
): Promise<ResolvedAttribution> {
	if (processorIds.length === 0 || (customerKey !== undefined && clickId !== undefined)) return { customerKey, clickId };
	const ids = JSON.stringify(processorIds);
	const { bindings, sales } = await readTogether(ctx.db, {
		bindings: selectBindings(ctx, event, ids),
		sales: selectFirstBuyers(ctx, event, ids),
	});
	const evidence = processorIds.flatMap((id) => [
		bindings.find(({ processorId }) => processorId === id),
		sales.find(({ subscriptionId }) => subscriptionId === id),
	]);
	return {
		customerKey: customerKey ?? evidence.find((known) => known?.customerKey)?.customerKey ?? undefined,
		clickId: clickId ?? evidence.find((known) => known?.clickId)?.clickId ?? undefined,
	};
}

/** Whether the metadata names another program than the one whose address the event was sent to. */
export function isOfAnotherProgram({ programId }: ProcessorAttribution, event: Pick<InboxEvent, 'programId'>): boolean {
	return programId !== undefined && programId !== String(event.programId);
}

function selectBindings(ctx: Context, { programId, isTest }: Pick<InboxEvent, 'programId' | 'isTest'>, ids: string) {
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
function selectFirstBuyers(ctx: Context, { programId, isTest }: Pick<InboxEvent, 'programId' | 'isTest'>, ids: string) {
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
