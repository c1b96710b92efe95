import { and, eq, isNotNull, min, type SQL, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { claimClickId } from '../customers/find-customer.ts';
import { type Found, read } from '../db/client.ts';
import { processorReferences } from '../db/schema/processor.ts';
import { customers } from '../db/schema/customers.ts';
import { affiliateSaleEvents } from '../db/schema/sales.ts';
import type { Sale } from '../domain/commissions/sale.ts';
import { proportionOf } from '../domain/money.ts';
import type { PaymentFact, PaymentIds, ProcessorAttribution } from '../domain/processors/processor-event.ts';
import { selectActiveProgram, type TrackedProgram } from '../programs/program-key.ts';
import { readsForSale, saleQuery } from '../sales/find-sale.ts';
import { type ProgramScope, type FoundPayment, foundPaymentOf, isOfIds, type KnownId, newIdsOf, readsByIds } from './find-payment.ts';

/** A reported payment, and what may delay its sale. */
export interface Payment {
	readonly fact: PaymentFact;
	readonly processor: string;
	/** A renewal that names no payer belongs to the buyer of its subscription's first sale. */
	readonly followsFirstSale: boolean;
	/** A renewal waits until a sale of its subscription is recorded. */
	readonly awaitsFirstSale: boolean;
	/** A payment that a checkout may have requested waits for that checkout's event. */
	readonly awaitsCheckout: boolean;
}

export interface PaymentEvidence {
	/** Undefined if the program is not active. */
	readonly program: TrackedProgram | undefined;
	readonly knownIds: readonly KnownId[];
	/** Undefined if no id leads to a sale of the program. */
	readonly recorded: FoundPayment | undefined;
	/** New ids except the transaction_id. */
	readonly aliases: readonly string[];
	/** With the sale amount that follows from its checkout. */
	readonly fact: PaymentFact;
	readonly sale: Sale & { readonly idScope: number };
	readonly hasPayer: boolean;
	/** An event reported that the payment or its subscription has no known payer. */
	readonly isOrganic: boolean;
	readonly hasBill: boolean;
}

/** One round trip, or two if other events name a payer that this event does not. */
export async function readPayment(ctx: Context, scope: ProgramScope, { fact, processor, followsFirstSale, awaitsFirstSale }: Payment) {
	const { programId } = scope;
	const renewed = fact.sale.isRecurring ? fact.sale.subscriptionId : undefined;
	const couponCode = couponCodeOf(programId, processor, fact);
	const reads = readsForPayment(ctx, scope, fact, followsFirstSale ? renewed : undefined);
	for (let payer = ownPayer(fact.attribution); ;) {
		const sale = saleOf(fact, payer);
		const query = saleQuery(sale, await claimClickId(ctx, payer.clickId, false));
		const ofSale = readsForSale(ctx, programId, { ...query, couponCode });
		const earlier = awaitsFirstSale && renewed !== undefined ? selectSaleOfSubscription(ctx, programId, renewed) : undefined;
		const found = await read(ctx.db, { ...reads, ...ofSale, earlier });
		const reported = payerOf(fact.attribution, found, fact.keylessSince);
		if (PAYER.every((field) => reported[field] === payer[field])) return { ...evidenceOf(scope, fact, found, payer), found };
		payer = reported;
	}
}

/** One round trip. Skips attribution, because a test sale is never credited to anyone. */
export async function readTestPayment(ctx: Context, scope: ProgramScope, { fact }: Payment) {
	const reads = readsForPayment(ctx, scope, fact, undefined);
	const found = await read(ctx.db, reads);
	const payer = payerOf(fact.attribution, found, fact.keylessSince);
	return { ...evidenceOf(scope, fact, found, payer), found: undefined };
}

/** The event's own code, or the one that another event reported for a coupon id. */
function couponCodeOf(
	programId: number,
	processor: string,
	{ couponIds = [], attribution }: PaymentFact,
): SQL<string> | string | undefined {
	if (attribution.couponCode !== undefined || couponIds.length === 0) return attribution.couponCode;
	return sql<string>`(SELECT code FROM coupon_ids WHERE program_id = ${programId} AND is_test = 0 AND processor = ${processor}
		AND processor_id IN (SELECT value FROM json_each(${JSON.stringify(couponIds)})) LIMIT 1)`;
}

function readsForPayment(ctx: Context, scope: ProgramScope, fact: PaymentFact, followed: string | undefined) {
	const { attribution, awaitsCheckout } = fact;
	const { paymentIds } = idsOf(fact);
	return {
		program: selectActiveProgram(ctx, scope.programId),
		...readsByIds(ctx, scope, paymentIds),
		...readsForPayer(ctx, scope, attribution, followed),
		bills: awaitsCheckout ? selectBill(ctx, scope, attribution.processorIds) : undefined,
	};
}

function idsOf({ sale, paymentIds, invoiceId }: PaymentFact): PaymentIds {
	return { paymentIds: [sale.transactionId, ...paymentIds], invoiceId };
}

function selectBill(ctx: Context, scope: ProgramScope, processorIds: readonly string[]) {
	return ctx.db
		.select({ chargedCents: processorReferences.chargedCents, saleCents: processorReferences.saleCents })
		.from(processorReferences)
		.where(and(isOfIds(scope, processorIds), isNotNull(processorReferences.saleCents)));
}

function selectSaleOfSubscription(ctx: Context, programId: number, subscriptionId: string) {
	return ctx.db
		.select({ id: affiliateSaleEvents.id })
		.from(affiliateSaleEvents)
		.where(
			and(
				eq(affiliateSaleEvents.programId, programId),
				eq(affiliateSaleEvents.subscriptionId, subscriptionId),
				eq(affiliateSaleEvents.isTest, false),
			),
		)
		.limit(1);
}

function evidenceOf(
	scope: ProgramScope,
	reported: PaymentFact,
	found: Found<ReturnType<typeof readsForPayment>>,
	payer: Payer,
): PaymentEvidence {
	const fact = billed(reported, found.bills[0]);
	const sale = { ...saleOf(fact, payer), idScope: scope.idScope };
	const ids = idsOf(reported);
	return {
		program: found.program[0],
		knownIds: found.known,
		recorded: foundPaymentOf(ids, found),
		aliases: newIdsOf(ids, found).filter((id) => id !== sale.transactionId),
		fact,
		sale,
		hasPayer: !isNobody(payer),
		isOrganic: reported.isOrganic === true || found.bindings.some(({ isUnsold }) => isUnsold === true),
		hasBill: found.bills.length > 0,
	};
}

/** The checkout decides which share of its total is the sale. The same share of the captured amount counts. */
function billed(
	fact: PaymentFact,
	bill: { readonly chargedCents: number | null; readonly saleCents: number | null } | undefined,
): PaymentFact {
	if (!bill?.chargedCents || bill.saleCents === null) return fact;
	const amountCents = proportionOf(fact.chargedCents, bill.saleCents, bill.chargedCents);
	return { ...fact, sale: { ...fact.sale, amountCents } };
}

function saleOf({ sale }: PaymentFact, { customerKey, clickId, productId }: Payer): Sale {
	// The lines of its invoice name a subscription's product.
	const bought = sale.productId ?? (sale.subscriptionId === undefined ? productId : undefined);
	return { ...sale, productId: bought, customerKey, clickId };
}

/** Unknown without key and click. */
export interface Payer {
	readonly customerKey: string | undefined;
	readonly clickId: string | undefined;
	/** The product of a single payment. */
	readonly productId?: string | undefined;
}

const PAYER = ['customerKey', 'clickId', 'productId'] as const;

export function isNobody({ customerKey, clickId }: Pick<Payer, 'customerKey' | 'clickId'>): boolean {
	return customerKey === undefined && clickId === undefined;
}

function ownPayer({ customerKey, clickId, productId, reference }: ProcessorAttribution): Payer {
	return { customerKey: customerKey ?? (clickId === undefined ? reference : undefined), clickId, productId };
}

/**
 * Reads nothing if the event names both key and click, or has no ids. `followed` is the subscription whose first buyer counts (decision
 * 33).
 */
export function readsForPayer(
	ctx: Context,
	scope: ProgramScope,
	{ customerKey, clickId, processorIds }: ProcessorAttribution,
	followed?: string,
) {
	const isIncomplete = processorIds.length > 0 && (customerKey === undefined || clickId === undefined);
	return {
		bindings: isIncomplete ? selectReferences(ctx, scope, processorIds) : undefined,
		buyers: isIncomplete && followed !== undefined ? selectFirstBuyer(ctx, scope, followed) : undefined,
	};
}

function selectReferences(ctx: Context, scope: ProgramScope, processorIds: readonly string[]) {
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
		.where(isOfIds(scope, processorIds));
}

/** The processor or the backend may have reported the first sale. */
function selectFirstBuyer(ctx: Context, { programId, isTest }: ProgramScope, subscriptionId: string) {
	return ctx.db
		.select({
			// SQLite takes the other columns from the row with the minimum.
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

/**
 * Each field comes from the event, or else from another event or the first buyer, for the first id that has it. Ignores other events until
 * `keylessSince`.
 */
export function payerOf(
	attribution: ProcessorAttribution,
	{ bindings: references, buyers }: Found<ReturnType<typeof readsForPayer>>,
	keylessSince = -Infinity,
): Payer {
	const { customerKey, clickId, productId, processorIds } = attribution;
	const bindings = references.filter(({ reportedAt }) => reportedAt > keylessSince);
	// A reference counts as a customer key only if nothing else names the payer.
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
