import type { Context } from '../context.ts';
import { commit, decideUntilSettled, type Found, readTogether } from '../db/client.ts';
import type { PaymentFact, PaymentIds } from '../domain/processor-event.ts';
import { notFound } from '../domain/rejection.ts';
import type { Sale } from '../domain/sale.ts';
import { selectActiveProgram, type TrackedProgram } from '../programs/program-key.ts';
import { decideSale } from './decide-sale.ts';
import { claimClickId } from './find-customer.ts';
import { foundPaymentOf, newIdsOf, selectKnownIds, selectPaymentSales } from './find-payment.ts';
import { insertAliases } from './find-refundable.ts';
import { askedSale, readsForSale } from './find-sale.ts';
import { attach } from './link-payment.ts';
import { alreadyRecorded } from './record-sale.ts';
import { type SaleReceipt, storeSale } from './store-sale.ts';
import { insertTestSale, saleIdOf, selectReceipt } from './write-sale.ts';

/** A payment and who made it, as the caller resolved it: `fact.attribution` is not looked at. */
export interface Payment {
	readonly fact: PaymentFact;
	readonly customerKey: string | undefined;
	readonly clickId: string | undefined;
	readonly isTest: boolean;
}

/** Neither commission nor reason: the commission failed, and repairCommissions will make it. */
export interface PaymentReceipt extends SaleReceipt {
	/** Whether this operation recorded the sale; else it was known before. */
	readonly isNew: boolean;
}

/**
 * Records the sale of a payment that the processor told of, as recordSale does, and once whatever its ids were reported as before:
 * one read and one write batch. The attribution window ends when it was paid; the rest counts from now. Where a sale of the program
 * has one of the ids, what it lacks is attached to it. Rejects like recordSale. `opId` is the caller's: the same again finds its
 * own sale.
 */
export async function recordPayment(ctx: Context, programId: number, payment: Payment, opId: string): Promise<PaymentReceipt> {
	const { fact, isTest, customerKey, clickId } = payment;
	const sale: Sale = { ...fact.sale, customerKey, clickId };
	const ids = { paymentIds: [sale.transactionId, ...fact.paymentIds], invoiceId: fact.invoiceId };
	if (isTest) return recordTestPayment(ctx, programId, payment, sale, ids, opId);
	const claim = await claimClickId(ctx, clickId, false);
	return decideUntilSettled(async () => {
		const read = await readTogether(ctx.db, {
			...readsForPayment(ctx, programId, ids, isTest),
			...readsForSale(ctx, programId, askedSale(sale, claim)),
		});
		const known = await knownReceipt(ctx, payment, ids, read, opId);
		if (known) return known;

		const decided = await decideSale(ctx, requireProgram(read), sale, read, fact.paidAt);
		const sold = { chargedCents: fact.chargedCents, invoiceId: ids.invoiceId, aliases: aliasesOf(sale, ids, read) };
		const { saleId, commissionId, reason } = await storeSale(ctx, sale, decided, sold, [], opId);
		return { saleId, commissionId, reason, isNew: true };
	});
}

/** A flagged sale that moves nothing, whoever paid. */
async function recordTestPayment(
	ctx: Context,
	programId: number,
	payment: Payment,
	sale: Sale,
	ids: PaymentIds,
	opId: string,
): Promise<PaymentReceipt> {
	return decideUntilSettled(async () => {
		const read = await readTogether(ctx.db, readsForPayment(ctx, programId, ids, true));
		const known = await knownReceipt(ctx, payment, ids, read, opId);
		if (known) return known;

		const aliases = aliasesOf(sale, ids, read);
		const { chargedCents, invoiceId = null } = payment.fact;
		const writes = [
			insertTestSale(ctx, requireProgram(read), { ...sale, chargedCents, invoiceId }, opId),
			...(aliases.length > 0 ? [insertAliases(ctx, saleIdOf(opId), true, aliases)] : []),
		];
		const [receipt] = await commit(ctx.db, writes, selectReceipt(ctx, opId));
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

function aliasesOf(sale: Sale, ids: PaymentIds, read: FoundForPayment): string[] {
	return newIdsOf(ids, read).filter((id) => id !== sale.transactionId);
}

/**
 * The sale that one of the ids leads to, once it has what it lacked; undefined where none does. Rejects where another program's
 * does, and where the transaction_id is what another invoice was paid by.
 */
async function knownReceipt(
	ctx: Context,
	{ fact, isTest }: Payment,
	ids: PaymentIds,
	read: FoundForPayment,
	opId: string,
): Promise<PaymentReceipt | undefined> {
	const found = foundPaymentOf(ids, read);
	if (!found) {
		const { id: programId } = requireProgram(read);
		if (read.known.some((known) => known.programId !== programId)) throw alreadyRecorded(true);
		if (read.known.some((known) => known.paymentId === fact.sale.transactionId)) throw alreadyRecorded(false);
		return undefined;
	}
	await attach(ctx, isTest, found, { chargedCents: fact.chargedCents, reversal: undefined, reason: undefined }, opId);
	const { sale } = found;
	return {
		saleId: sale.id,
		commissionId: sale.commission?.id ?? null,
		reason: sale.noCommissionReason,
		isNew: read.known.some((id) => id.opId === opId),
	};
}
