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

/** What a processor told of a payment, and how a renewal is taken. */
export interface Payment {
	readonly fact: PaymentFact;
	/** Whose ids it has. */
	readonly processor: string;
	/** Whether it belongs to the first sale of its subscription where nothing else says who made it. */
	readonly followsFirstSale: boolean;
	/** Whether it is to wait while no sale of its subscription is recorded: the first may be on its way. */
	readonly awaitsFirstSale: boolean;
	/** Whether one that tells of itself is to wait while no checkout has asked for it. */
	readonly awaitsCheckout: boolean;
}

/**
 * Nothing is to be written of one that nobody is known to have made (organic, where nothing is to come that names anybody), of a
 * renewal ahead of the first payment of its subscription, and of a payment ahead of its checkout.
 */
export type PaymentPlan = Plan<PaymentDraft> | 'of_nobody' | 'organic' | 'ahead_of_first' | 'ahead_of_checkout';

/**
 * Plans the sale of a payment that the processor told of, as recordSale does, and once whatever its ids were reported as before: one
 * read, two where other events told more of who paid. The attribution window ends when it was paid; the rest counts from now. Where
 * a sale of the program has one of the ids, what it lacks is attached to it. Rejects like recordSale. `opId` is the caller's: the
 * same again finds its own sale.
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

/** All that a payment is decided upon, for whoever is known to have made it: read again where that tells more of who did. */
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

/** The code that it was bought with: as it says, or as another event told of one of its ids. */
function couponCodeOf(programId: number, processor: string, fact: PaymentFact): SQL<string> | string | undefined {
	const { couponIds = [], attribution } = fact;
	if (attribution.couponCode !== undefined || couponIds.length === 0) return attribution.couponCode;
	return sql<string>`(SELECT code FROM coupon_ids WHERE program_id = ${programId} AND is_test = 0 AND processor = ${processor}
		AND processor_id IN (SELECT value FROM json_each(${JSON.stringify(couponIds)})) LIMIT 1)`;
}

/**
 * Whether a coupon is all that says who brought a payment, and will be, as far as is known. A renewal is of whoever bought first
 * (decision 33).
 */
function isByCouponAlone({ fact, awaitsFirstSale }: Payment, found: ReadPayment): boolean {
	const [coupon] = found.coupon;
	if (coupon?.status !== 'active' || fact.sale.isRecurring) return false;
	return !awaitsFirstSale || ofNobody(fact, found) === 'organic';
}

/** Whether another event has told of this payment, or of the subscription, that nobody is known to have paid. */
function ofNobody({ isOrganic }: PaymentFact, { bindings }: Pick<ReadPayment, 'bindings'>): 'of_nobody' | 'organic' {
	return isOrganic === true || bindings.some(({ isUnsold }) => isUnsold === true) ? 'organic' : 'of_nobody';
}

const PAYER = ['customerKey', 'clickId', 'productId'] as const;

type ReadPayment = Awaited<ReturnType<typeof readPayment>>['found'];

/**
 * Whether a renewal came ahead of the first payment of its subscription, which may still be on its way. After a trial, which was no
 * sale, the first payment is a renewal itself.
 */
function isAheadOfFirstSale(ctx: Context, { sale, paidAt }: PaymentFact, { earlier, subscription }: ReadPayment): boolean {
	if (!sale.isRecurring || sale.subscriptionId === undefined || earlier.length > 0) return false;
	const [told] = subscription;
	if (!told) return true;
	// What the renewal itself told is only that the subscription runs by now.
	const beganAt = told.beganAt !== null && told.beganAt < paidAt ? told.beganAt : ctx.now;
	return told.trialBeganAt === null && mayStillCome(beganAt, ctx.now);
}

/** Whether the checkout that may have asked for a payment is still to tell what of it is the sale. */
function isAheadOfCheckout({ fact, awaitsCheckout }: Payment, { bills }: FoundBill): boolean {
	return awaitsCheckout && fact.awaitsCheckout === true && bills.length === 0;
}

/** The payment as its checkout has it: of what was captured the same share is the sale as of what it asked for. */
function billed(fact: PaymentFact, { bills: [bill] }: FoundBill): PaymentFact {
	if (!bill?.chargedCents || bill.saleCents === null) return fact;
	const amountCents = proportionOf(fact.chargedCents, bill.saleCents, bill.chargedCents);
	return { ...fact, sale: { ...fact.sale, amountCents } };
}

type FoundBill = Found<ReturnType<typeof readsForBill>>;

function saleOf({ sale }: PaymentFact, { customerKey, clickId, productId }: Payer): Sale {
	// The lines of an invoice name the product of a subscription.
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

/** A flagged sale that moves nothing, whoever paid. Nothing else is asked of it where nobody is known to have. */
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

/** Both amounts, if a payment says another one than its sale has. */
function otherAmountOf(recorded: RefundableRow, { sale, chargedCents }: PaymentFact): PaymentDraft['otherAmount'] {
	if (isSamePayment(recorded, { ...sale, chargedCents })) return undefined;
	return { recorded: moneyText(recorded.amountCents, recorded.currency), said: moneyText(sale.amountCents, sale.currency) };
}

function aliasesOf(fact: PaymentFact, found: FoundForPayment): string[] {
	return newIdsOf(idsOf(fact), found).filter((id) => id !== fact.sale.transactionId);
}

/**
 * The sale that one of the ids leads to, which gets what it lacks; undefined where none does. Rejects where another program's
 * does, and where the transaction_id is what another invoice was paid by.
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
