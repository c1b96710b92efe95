import { type SQL, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { type Found, read } from '../db/client.ts';
import type { NoCommissionReason } from '../domain/commission.ts';
import { mayStillCome } from '../domain/inbox-schedule.ts';
import type { PaymentFact, PaymentIds, ProcessorAttribution } from '../domain/processor-event.ts';
import { notFound } from '../domain/rejection.ts';
import type { Sale } from '../domain/sale.ts';
import { decideSale } from '../domain/sale-decision.ts';
import { selectActiveProgram, type TrackedProgram } from '../programs/program-key.ts';
import { type Along, commitAlong, decideAlong } from '../inbox/along.ts';
import { claimClickId } from '../customers/find-customer.ts';
import { type Payer, payerOf, readsForPayer } from './find-payer.ts';
import { foundPaymentOf, newIdsOf, selectKnownIds, selectPaymentSales, selectSaleOfSubscription } from './find-payment.ts';
import { insertAliases } from '../sales/sale-id.ts';
import { askedSale, knownOfSale, readsForSale, refusalOf } from '../sales/find-sale.ts';
import { attach } from './link-payment.ts';
import { alreadyRecorded } from '../sales/record-sale.ts';
import { type SaleReceipt, storeSale } from '../sales/store-sale.ts';
import { saleIdOf } from '../sales/sale-id.ts';
import { insertTestSale, type SaleOutcome, selectReceipt } from '../sales/write-sale.ts';

/** A payment and who made it, as the caller resolved it. */
export interface Payment extends Payer {
	readonly fact: PaymentFact;
	readonly isTest: boolean;
	/** Whether a renewal is to wait while no sale of its subscription is recorded: the first may be on its way. */
	readonly awaitsFirstSale?: boolean;
	/** Where other events may tell more of who made it. */
	readonly evidence?: Evidence | undefined;
}

export interface Evidence {
	readonly attribution: ProcessorAttribution;
	/** Whether a renewal belongs to the first sale of its subscription where nothing else says who made it. */
	readonly followsFirstSale: boolean;
	/** Told who made it, once that is read. */
	readonly resolved: (payer: Payer) => void;
}

/** Neither commission nor reason: the commission failed, and repairCommissions will make it. */
export interface PaymentReceipt extends SaleReceipt {
	/** Whether this operation recorded the sale; else it was known before. */
	readonly isNew: boolean;
}

/** The ids of a sale that its batch makes. */
export interface MadeSale {
	readonly saleId: SQL<number>;
	readonly commissionId: SQL<number> | null;
}

/** What a payment is about to be recorded as: a known sale, or one that the batch makes. */
export type PaymentDraft = PaymentReceipt | { readonly made: MadeSale; readonly reason: NoCommissionReason | null };

/**
 * Records the sale of a payment that the processor told of, as recordSale does, and once whatever its ids were reported as before:
 * one read, two where the evidence tells more of who paid, and one write batch. The attribution window ends when it was paid; the
 * rest counts from now. Where a sale of the program has one of the ids, what it lacks is attached to it. Rejects like recordSale.
 * Undefined, and nothing is written, where a renewal is to wait.
 * `opId` is the caller's: the same again finds its own sale.
 */
export async function recordPayment(
	ctx: Context,
	programId: number,
	payment: Payment,
	opId: string,
	along?: Along<PaymentDraft>,
): Promise<PaymentReceipt | undefined> {
	const { fact } = payment;
	const ids = { paymentIds: [fact.sale.transactionId, ...fact.paymentIds], invoiceId: fact.invoiceId };
	if (payment.isTest) return recordTestPayment(ctx, programId, payment, ids, opId, along);
	return decideAlong(along, async () => {
		const { found, payer } = await readPayment(ctx, programId, payment, ids);
		const known = await knownReceipt(ctx, payment, ids, found, opId, along);
		if (known) return known;

		const sale = saleOf(fact, payer);
		const carriesKeys = !isSilent(fact.attribution);
		const program = requireProgram(found);
		const decision = decideSale(program, sale, knownOfSale(found), { now: ctx.now, paidAt: fact.paidAt, carriesKeys });
		if (decision.kind !== 'sold') throw await refusalOf(ctx, program, decision);
		if (payment.awaitsFirstSale && isAheadOfFirstSale(ctx, fact, found)) return undefined;
		const sold = {
			chargedCents: fact.chargedCents,
			invoiceId: ids.invoiceId,
			aliases: aliasesOf(sale, ids, found),
			along: along && { ...along, statements: (outcome: SaleOutcome) => along.statements(draftOf(outcome, sale.transactionId, false)) },
		};
		const { saleId, commissionId, reason } = await storeSale(ctx, program, sale, decision, sold, [], opId);
		return { saleId, commissionId, reason, isNew: true };
	});
}

/** All that a payment is decided upon, for whoever is known to have made it: read again where that tells more of who did. */
async function readPayment(ctx: Context, programId: number, payment: Payment, ids: PaymentIds) {
	const { fact, evidence } = payment;
	const renewed = fact.sale.isRecurring ? fact.sale.subscriptionId : undefined;
	const followed = evidence?.followsFirstSale ? renewed : undefined;
	for (let payer: Payer = payment; ;) {
		const claim = await claimClickId(ctx, payer.clickId, false);
		const found = await read(ctx.db, {
			...readsForPayment(ctx, programId, ids, false),
			...readsForPayer(ctx, programId, false, evidence?.attribution.processorIds ?? [], followed),
			...readsForSale(ctx, programId, askedSale(saleOf(fact, payer), claim)),
			earlier: payment.awaitsFirstSale && renewed !== undefined ? selectSaleOfSubscription(ctx, programId, renewed) : undefined,
		});
		const told = evidence ? payerOf(evidence.attribution, found) : payer;
		evidence?.resolved(told);
		if (told.customerKey === payer.customerKey && told.clickId === payer.clickId) return { found, payer };
		payer = told;
	}
}

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

function isSilent({ customerKey, clickId }: Payer): boolean {
	return customerKey === undefined && clickId === undefined;
}

function saleOf(fact: PaymentFact, { customerKey, clickId }: Payer): Sale {
	return { ...fact.sale, customerKey, clickId };
}

function draftOf(outcome: SaleOutcome, transactionId: string, isTest: boolean): PaymentDraft {
	const saleId = saleIdOf(transactionId, isTest);
	const commissionId = outcome.state === 'made' ? sql<number>`(SELECT id FROM commissions WHERE sale_id = ${saleId})` : null;
	return { made: { saleId, commissionId }, reason: outcome.state === 'none' ? outcome.reason : null };
}

/** A flagged sale that moves nothing, whoever paid. */
async function recordTestPayment(
	ctx: Context,
	programId: number,
	payment: Payment,
	ids: PaymentIds,
	opId: string,
	along: Along<PaymentDraft> | undefined,
): Promise<PaymentReceipt> {
	return decideAlong(along, async () => {
		const found = await read(ctx.db, readsForPayment(ctx, programId, ids, true));
		const known = await knownReceipt(ctx, payment, ids, found, opId, along);
		if (known) return known;

		const sale = saleOf(payment.fact, payment);
		const aliases = aliasesOf(sale, ids, found);
		const { chargedCents, invoiceId = null } = payment.fact;
		const writes = [
			insertTestSale(ctx, requireProgram(found), { ...sale, chargedCents, invoiceId }, opId),
			...(aliases.length > 0 ? [insertAliases(ctx, saleIdOf(sale.transactionId, true), true, aliases)] : []),
		];
		const draft = draftOf({ state: 'none', reason: 'test_mode' }, sale.transactionId, true);
		const [receipt] = await commitAlong(ctx.db, writes, along, draft, selectReceipt(ctx, sale.transactionId, true));
		if (!receipt) throw new Error('The test sale was not stored');
		return { ...receipt, isNew: true };
	});
}

function readsForPayment(ctx: Context, programId: number, { paymentIds }: PaymentIds, isTest: boolean) {
	return {
		program: selectActiveProgram(ctx, programId),
		known: selectKnownIds(ctx, paymentIds, isTest),
		sales: selectPaymentSales(ctx, programId, paymentIds, isTest),
	};
}

type FoundForPayment = Found<ReturnType<typeof readsForPayment>>;

function requireProgram({ program: [program] }: FoundForPayment): TrackedProgram {
	if (!program) throw notFound('Program');
	return program;
}

function aliasesOf(sale: Sale, ids: PaymentIds, rows: FoundForPayment): string[] {
	return newIdsOf(ids, rows).filter((id) => id !== sale.transactionId);
}

/**
 * The sale that one of the ids leads to, once it has what it lacked; undefined where none does. Rejects where another program's
 * does, and where the transaction_id is what another invoice was paid by.
 */
async function knownReceipt(
	ctx: Context,
	{ fact, isTest }: Payment,
	ids: PaymentIds,
	rows: FoundForPayment,
	opId: string,
	along: Along<PaymentDraft> | undefined,
): Promise<PaymentReceipt | undefined> {
	const found = foundPaymentOf(ids, rows);
	if (!found) {
		const { id: programId } = requireProgram(rows);
		if (rows.known.some((known) => known.programId !== programId)) throw alreadyRecorded(true);
		if (rows.known.some((known) => known.paymentId === fact.sale.transactionId)) throw alreadyRecorded(false);
		return undefined;
	}
	const { sale } = found;
	const receipt = {
		saleId: sale.id,
		commissionId: sale.commission?.id ?? null,
		reason: sale.noCommissionReason,
		isNew: rows.known.some((id) => id.opId === opId),
	};
	const charged = { cents: fact.chargedCents, currency: fact.sale.currency };
	const news = { charged, reversal: undefined, reason: undefined };
	await attach(ctx, isTest, found, news, opId, along, receipt);
	return receipt;
}
