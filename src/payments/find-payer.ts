import { and, eq, isNotNull, min, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import type { Found } from '../db/client.ts';
import { processorReferences } from '../db/schema/processor.ts';
import { customers } from '../db/schema/customers.ts';
import { affiliateSaleEvents } from '../db/schema/sales.ts';
import type { PaymentFact, ProcessorAttribution } from '../domain/processors/processor-event.ts';
import type { Books } from './find-payment.ts';

/** What is known of who made a payment, where neither key nor click is: nothing. */
export interface Payer {
	readonly customerKey: string | undefined;
	readonly clickId: string | undefined;
	/** What they bought by a single payment. */
	readonly productId?: string | undefined;
}

export function isNobody({ customerKey, clickId }: Pick<Payer, 'customerKey' | 'clickId'>): boolean {
	return customerKey === undefined && clickId === undefined;
}

/**
 * What tells who stands behind a processor's subscription and what its checkout paid; nothing is asked where an event says all of it
 * or has no ids. `followed`: the subscription whose first sale has a say too (decision 33).
 */
export function readsForPayer(ctx: Context, books: Books, { customerKey, clickId, processorIds }: ProcessorAttribution, followed?: string) {
	const isToldMore = processorIds.length > 0 && (customerKey === undefined || clickId === undefined);
	return {
		bindings: isToldMore ? selectReferences(ctx, books, processorIds) : undefined,
		buyers: isToldMore && followed !== undefined ? selectFirstBuyer(ctx, books, followed) : undefined,
	};
}

/**
 * Who paid, field by field: as the event itself says; else, id by id, as another event told of the processor's subscription or of
 * the checkout, or as the first sale of that subscription has it. `keylessSince`: what was told until then does not count.
 */
export function payerOf(
	attribution: ProcessorAttribution,
	{ bindings: remembered, buyers }: Found<ReturnType<typeof readsForPayer>>,
	keylessSince = -Infinity,
): Payer {
	const { customerKey, clickId, productId, processorIds } = attribution;
	const bindings = remembered.filter(({ reportedAt }) => reportedAt > keylessSince);
	// A reference is no evidence of the key as long as anything else names somebody.
	const named = bindings.map((binding) => (binding.isReference ? { ...binding, customerKey: null } : binding));
	const evidence = processorIds.flatMap((id) => [
		named.find(({ processorId }) => processorId === id),
		buyers.find(({ subscriptionId }) => subscriptionId === id),
	]);
	const payer = {
		customerKey: customerKey ?? evidence.find((known) => known?.customerKey)?.customerKey ?? undefined,
		clickId: clickId ?? evidence.find((known) => known?.clickId)?.clickId ?? undefined,
		productId: productId ?? bindings.find((known) => known.productId)?.productId ?? undefined,
	};
	if (!isNobody(payer)) return payer;
	return { ...payer, customerKey: attribution.reference ?? bindings.find(({ isReference }) => isReference)?.customerKey ?? undefined };
}

/** Who made it as far as the event itself says. */
export function ownPayer({ customerKey, clickId, productId, reference }: ProcessorAttribution): Payer {
	return { customerKey: customerKey ?? (clickId === undefined ? reference : undefined), clickId, productId };
}

function selectReferences(ctx: Context, books: Books, processorIds: readonly string[]) {
	return ctx.db
		.select({
			processorId: processorReferences.processorId,
			customerKey: processorReferences.customerKey,
			clickId: processorReferences.clickId,
			isReference: processorReferences.isReference,
			productId: processorReferences.productId,
			isUnsold: processorReferences.isUnsold,
			reportedAt: processorReferences.reportedAt,
		})
		.from(processorReferences)
		.where(isOfIds(books, processorIds));
}

/** Those of a payment's ids that no sale is recorded of. */
export function selectUnsold(ctx: Context, books: Books, paymentIds: readonly string[]) {
	return ctx.db
		.select({ processorId: processorReferences.processorId })
		.from(processorReferences)
		.where(and(isOfIds(books, paymentIds), eq(processorReferences.isUnsold, true)));
}

/** What the checkout of a payment that tells of itself asks for, once that is known. */
export function readsForBill(ctx: Context, books: Books, { awaitsCheckout, attribution }: PaymentFact) {
	return { bills: awaitsCheckout ? selectBill(ctx, books, attribution.processorIds) : undefined };
}

function selectBill(ctx: Context, books: Books, processorIds: readonly string[]) {
	return ctx.db
		.select({ chargedCents: processorReferences.chargedCents, saleCents: processorReferences.saleCents })
		.from(processorReferences)
		.where(and(isOfIds(books, processorIds), isNotNull(processorReferences.saleCents)));
}

/** Whether a binding is of one of the processor's ids. */
function isOfIds({ programId, isTest }: Books, processorIds: readonly string[]) {
	return and(
		eq(processorReferences.programId, programId),
		eq(processorReferences.isTest, isTest),
		sql`${processorReferences.processorId} IN (SELECT value FROM json_each(${JSON.stringify(processorIds)}))`,
	);
}

/** Who bought first of a subscription; whether a webhook or the backend reported it. */
function selectFirstBuyer(ctx: Context, { programId, isTest }: Books, subscriptionId: string) {
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
				eq(affiliateSaleEvents.subscriptionId, subscriptionId),
			),
		)
		.groupBy(affiliateSaleEvents.subscriptionId);
}
