import { type SQL, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { type Found, read } from '../db/client.ts';
import { mayStillCome } from '../domain/processors/inbox-schedule.ts';
import { moneyText, proportionOf } from '../domain/money.ts';
import { COMMISSION_TO_BE, type PaymentDraft, SALE_TO_BE } from '../domain/processors/processor-outcome.ts';
import type { PaymentFact, PaymentIds } from '../domain/processors/processor-event.ts';
import { notFound } from '../domain/rejection.ts';
import { isSamePayment } from '../domain/commissions/repeated-sale.ts';
import type { Sale } from '../domain/commissions/sale.ts';
import { decideSale } from '../domain/commissions/sale-decision.ts';
import { selectActiveProgram, type TrackedProgram } from '../programs/program-key.ts';
import type { RefundableRow } from '../refunds/find-refundable.ts';
import { hashesOfNewIds } from '../customers/erased-ids.ts';
import { claimClickId } from '../customers/find-customer.ts';
import { isNobody, ownPayer, type Payer, payerOf, readsForBill, readsForPayer } from './find-payer.ts';
import { type Books, foundPaymentOf, newIdsOf, readsByIds, selectSaleOfSubscription } from './find-payment.ts';
import { insertAliases, nameOf, saleIdOf } from '../ledger/sale-id.ts';
import { saleQuery, knownOfSale, readsForSale, refusalOf } from '../sales/find-sale.ts';
import { planNews } from './plan-settlement.ts';
import type { Plan } from '../sales/plan.ts';
import { alreadyRecorded } from '../sales/record-sale.ts';
import { planSale, type SalePlan } from '../sales/plan-sale.ts';
import { insertTestSale } from '../sales/write-sale.ts';

/** A payment reported by a processor, and how renewals are treated. */
export interface Payment {
	readonly fact: PaymentFact;
	/** The processor whose ids it has. */
	readonly processor: string;
	/** Whether it belongs to the first sale of its subscription if nothing else says who paid. */
	readonly followsFirstSale: boolean;
	/** Whether it waits while its subscription has no sale: the first payment may be on its way. */
	readonly awaitsFirstSale: boolean;
	/** Whether a payment that identifies its own payer waits for the checkout that asked for it. */
	readonly awaitsCheckout: boolean;
}

/**
 * Nothing is written for a payment without a known payer (organic: none will become known), for a renewal ahead of the first payment of
 * its subscription, and for a payment ahead of its checkout.
 */
export type PaymentPlan = Plan<PaymentDraft> | 'of_nobody' | 'organic' | 'ahead_of_first' | 'ahead_of_checkout';

/**
 * Plans the sale of a reported payment like recordSale, once for all of its ids. One read, or two if other events told who paid. The
 * attribution window is checked at the time of the payment; everything else now. If the program has a sale with one of the ids, missing
 * facts are added to it. Rejects like recordSale. `opId` is the caller's: a retry finds its own sale.
 */
export async function planPayment(ctx: Context, books: Books, payment: Payment, opId: string): Promise<PaymentPlan> {
	if (books.isTest) return planTestPayment(ctx, books, payment, opId);
	const { found, payer } = await readPayment(ctx, books, payment);
	const known = planKnown(ctx, books, found, { fact: payment.fact, opId });
	if (known) return known;
	const program = requireProgram(found);
	if (isNobody(payer) && !isByCouponAlone(payment, found)) return ofNobody(payment.fact, found);
	const fact = billed(payment.fact, found);

	const sale = { ...saleOf(fact, payer), idScope: books.idScope };
	const soldAt = { now: ctx.now, paidAt: fact.paidAt, carriesKeys: !isNobody(fact.attribution) };
	const decision = decideSale(program, sale, await knownOfSale(ctx, found, { hasCoupon: hasCoupon(fact), paidAt: fact.paidAt }), soldAt);
	if (decision.kind !== 'sold') throw await refusalOf(ctx, program, decision);
	if (payment.awaitsFirstSale && isAheadOfFirstSale(ctx, fact, found)) return 'ahead_of_first';
	if (isAheadOfCheckout(payment, found)) return 'ahead_of_checkout';
	const { chargedCents, invoiceId = null } = fact;
	const newIdHashes = await hashesOfNewIds(ctx, decision.identity);
	const aliases = aliasesOf(fact, found);
	return planNew(sale, planSale(ctx, { program, sale, decision, chargedCents, invoiceId, aliases, newIdHashes, opId }));
}

/** Reads everything the plan depends on for the known payer; read again if that reveals more about the payer. */
async function readPayment(ctx: Context, books: Books, { fact, processor, followsFirstSale, awaitsFirstSale }: Payment) {
	const { programId } = books;
	const couponCode = couponCodeOf(programId, processor, fact);
	const renewed = fact.sale.isRecurring ? fact.sale.subscriptionId : undefined;
	for (let payer = ownPayer(fact.attribution); ;) {
		const claim = await claimClickId(ctx, payer.clickId, false);
		const found = await read(ctx.db, {
			...readsForPayment(ctx, books, fact),
			...readsForPayer(ctx, books, fact.attribution, followsFirstSale ? renewed : undefined),
			...readsForBill(ctx, books, fact),
			...readsForSale(ctx, programId, { ...saleQuery(saleOf(fact, payer), claim), couponCode }),
			earlier: awaitsFirstSale && renewed !== undefined ? selectSaleOfSubscription(ctx, programId, renewed) : undefined,
		});
		const told = payerOf(fact.attribution, found, fact.keylessSince);
		if (PAYER.every((field) => told[field] === payer[field])) return { found, payer };
		payer = told;
	}
}

function hasCoupon({ attribution, couponIds = [] }: PaymentFact): boolean {
	return attribution.couponCode !== undefined || couponIds.length > 0;
}

/** The coupon code of the payment, from the event itself or another one about the same ids. */
function couponCodeOf(programId: number, processor: string, fact: PaymentFact): SQL<string> | string | undefined {
	const { couponIds = [], attribution } = fact;
	if (attribution.couponCode !== undefined || couponIds.length === 0) return attribution.couponCode;
	return sql<string>`(SELECT code FROM coupon_ids WHERE program_id = ${programId} AND is_test = 0 AND processor = ${processor}
		AND processor_id IN (SELECT value FROM json_each(${JSON.stringify(couponIds)})) LIMIT 1)`;
}

/** Whether a coupon alone says who brought the payment. A renewal belongs to the partner of the first sale (decision 33). */
function isByCouponAlone({ fact, awaitsFirstSale }: Payment, found: ReadPayment): boolean {
	const [coupon] = found.coupon;
	if (coupon?.status !== 'active' || fact.sale.isRecurring) return false;
	return !awaitsFirstSale || ofNobody(fact, found) === 'organic';
}

/** Whether another event reported this payment, or its subscription, as one without a known payer. */
function ofNobody({ isOrganic }: PaymentFact, { bindings }: Pick<ReadPayment, 'bindings'>): 'of_nobody' | 'organic' {
	return isOrganic === true || bindings.some(({ isUnsold }) => isUnsold === true) ? 'organic' : 'of_nobody';
}

const PAYER = ['customerKey', 'clickId', 'productId'] as const;

type ReadPayment = Awaited<ReturnType<typeof readPayment>>['found'];

/**
 * Whether a renewal came ahead of the first payment of its subscription, which may be on its way. After a trial, which is no sale, the
 * first payment is a renewal itself.
 */
function isAheadOfFirstSale(ctx: Context, { sale, paidAt }: PaymentFact, { earlier, subscription }: ReadPayment): boolean {
	if (!sale.isRecurring || sale.subscriptionId === undefined || earlier.length > 0) return false;
	const [told] = subscription;
	if (!told) return true;
	// The renewal itself only shows that the subscription has begun by now.
	const beganAt = told.beganAt !== null && told.beganAt < paidAt ? told.beganAt : ctx.now;
	return told.trialBeganAt === null && mayStillCome(beganAt, ctx.now);
}

/** Whether the checkout that asked for a payment has yet to say which part is the sale. */
function isAheadOfCheckout({ fact, awaitsCheckout }: Payment, { bills }: FoundBill): boolean {
	return awaitsCheckout && fact.awaitsCheckout === true && bills.length === 0;
}

/** The payment with the sale's share of the captured amount, as in its checkout. */
function billed(fact: PaymentFact, { bills: [bill] }: FoundBill): PaymentFact {
	if (!bill?.chargedCents || bill.saleCents === null) return fact;
	const amountCents = proportionOf(fact.chargedCents, bill.saleCents, bill.chargedCents);
	return { ...fact, sale: { ...fact.sale, amountCents } };
}

type FoundBill = Found<ReturnType<typeof readsForBill>>;

function saleOf({ sale }: PaymentFact, { customerKey, clickId, productId }: Payer): Sale {
	// An invoice's lines name the product of the subscription.
	const bought = sale.productId ?? (sale.subscriptionId === undefined ? productId : undefined);
	return { ...sale, productId: bought, customerKey, clickId };
}

function planNew(sale: Sale, { outcome, writes, recorded, effects, owing }: SalePlan): Plan<PaymentDraft> {
	const isEarning = outcome.state === 'made';
	const saleId = saleIdOf(nameOf(sale), false);
	return {
		outcome: {
			saleId: SALE_TO_BE,
			commissionId: isEarning ? COMMISSION_TO_BE : null,
			reason: outcome.state === 'none' ? outcome.reason : null,
			isNew: true,
		},
		writes: [...writes, recorded],
		effects,
		made: { saleId, commissionId: isEarning ? sql`(SELECT id FROM commissions WHERE sale_id = ${saleId})` : null },
		owing: owing && ((fault) => planNew(sale, owing(fault))),
	};
}

/** A flagged sale without a commission, whoever paid. Without a known payer nothing else is required of it. */
async function planTestPayment(ctx: Context, books: Books, payment: Payment, opId: string): Promise<PaymentPlan> {
	const { attribution } = payment.fact;
	const reads = { ...readsForPayment(ctx, books, payment.fact), ...readsForPayer(ctx, books, attribution, undefined) };
	const found = await read(ctx.db, { ...reads, ...readsForBill(ctx, books, payment.fact) });
	const payer = payerOf(attribution, found, payment.fact.keylessSince);
	const known = planKnown(ctx, books, found, { fact: payment.fact, opId });
	if (known) return known;
	if (isNobody(payer)) return ofNobody(payment.fact, found);
	if (isAheadOfCheckout(payment, found)) return 'ahead_of_checkout';
	const fact = billed(payment.fact, found);

	const aliases = aliasesOf(fact, found);
	const { chargedCents, invoiceId = null } = fact;
	const sale = { ...saleOf(fact, payer), idScope: books.idScope };
	const saleId = saleIdOf(nameOf(sale), true);
	const writes = [
		insertTestSale(ctx, requireProgram(found), { ...sale, chargedCents, invoiceId }, opId),
		...(aliases.length > 0 ? [insertAliases(ctx, saleId, true, aliases)] : []),
	];
	const outcome = { saleId: SALE_TO_BE, commissionId: null, reason: 'test_mode', isNew: true } as const;
	return { outcome, writes, effects: [], made: { saleId, commissionId: null } };
}

function readsForPayment(ctx: Context, books: Books, fact: PaymentFact) {
	return { program: selectActiveProgram(ctx, books.programId), ...readsByIds(ctx, books, idsOf(fact).paymentIds) };
}

type FoundForPayment = Found<ReturnType<typeof readsForPayment>>;

function idsOf({ sale, paymentIds, invoiceId }: PaymentFact): PaymentIds {
	return { paymentIds: [sale.transactionId, ...paymentIds], invoiceId };
}

function requireProgram({ program: [program] }: FoundForPayment): TrackedProgram {
	if (!program) throw notFound('Program');
	return program;
}

/** Both amounts, if a payment differs from its sale. */
function otherAmountOf(recorded: RefundableRow, { sale, chargedCents }: PaymentFact): PaymentDraft['otherAmount'] {
	if (isSamePayment(recorded, { ...sale, chargedCents })) return undefined;
	return { recorded: moneyText(recorded.amountCents, recorded.currency), said: moneyText(sale.amountCents, sale.currency) };
}

function aliasesOf(fact: PaymentFact, found: FoundForPayment): string[] {
	return newIdsOf(idsOf(fact), found).filter((id) => id !== fact.sale.transactionId);
}

/**
 * The sale that has one of the ids, with missing facts added; undefined without one. Rejects if it is another program's sale, and if the
 * transaction_id belongs to another invoice.
 */
function planKnown(
	ctx: Context,
	books: Books,
	{ known, ...found }: FoundForPayment,
	{ fact, opId }: { readonly fact: PaymentFact; readonly opId: string },
): Plan<PaymentDraft> | undefined {
	const payment = foundPaymentOf(idsOf(fact), { known, ...found });
	if (!payment && known.some(({ programId }) => programId !== books.programId)) throw alreadyRecorded(true);
	if (!payment && known.some(({ paymentId }) => paymentId === fact.sale.transactionId)) throw alreadyRecorded(false);
	if (!payment) return undefined;
	const { sale } = payment;
	const outcome = {
		saleId: sale.id,
		commissionId: sale.commission?.id ?? null,
		reason: sale.noCommissionReason,
		isNew: known.some((id) => id.opId === opId),
		otherAmount: otherAmountOf(sale, fact),
	};
	const charged = { cents: fact.chargedCents, currency: fact.sale.currency };
	return { outcome, ...planNews(ctx, books, payment, { charged, reversal: undefined, reason: undefined, opId }) };
}
