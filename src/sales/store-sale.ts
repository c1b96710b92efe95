import { type Context, describeFault } from '../context.ts';
import { isRaced, type Statement } from '../db/client.ts';
import type { Earning, NoCommissionReason } from '../domain/commission.ts';
import { movesOfCustomer, movesOfSale } from '../domain/moves.ts';
import type { Sale } from '../domain/sale.ts';
import type { Sold } from '../domain/sale-decision.ts';
import type { FoundCustomer } from '../customers/find-customer.ts';
import type { TrackedProgram } from '../programs/program-key.ts';
import { type Along, commitAlong } from '../inbox/along.ts';
import { insertAliases } from './sale-id.ts';
import { creditCommission } from './ledger.ts';
import { sendEffects } from '../outbox/outbox.ts';
import { insertSaleOutbox } from './sale-outbox.ts';
import { type CustomerFacts, customerReference, insertCustomer, updateCustomer } from '../customers/write-customer.ts';
import { saleIdOf } from './sale-id.ts';
import { insertCommission, insertSale, type SaleOutcome } from './write-sale.ts';

export interface SaleReceipt {
	readonly saleId: number;
	readonly commissionId: number | null;
	/** Why there is no commission. */
	readonly reason: NoCommissionReason | null;
}

/** What there is beside the sale itself. */
export interface SoldPayment {
	/** What the processor charged, tax included; minor units of its currency. Null where none told. */
	readonly chargedCents: number | null;
	readonly invoiceId: string | undefined;
	/** The payment's ids beside the transaction_id. */
	readonly aliases: readonly string[];
	/** What is written with the sale, for what becomes of its commission. */
	readonly along: Along<SaleOutcome> | undefined;
}

export interface StoredSale extends SaleReceipt {
	/** The commission could not be made: the sale stands alone, and repairCommissions makes it later (decision 13). */
	readonly isOwed: boolean;
}

/** Writes a decided sale in one batch: the customer, the sale, its commission and credit, the outbox row with the figures that all that moves. */
export async function storeSale(
	ctx: Context,
	program: TrackedProgram,
	sale: Sale,
	decided: Sold<FoundCustomer>,
	payment: SoldPayment,
	alongside: readonly Statement[],
	opId: string,
): Promise<StoredSale> {
	const { earning } = decided;
	try {
		return { ...(await store(ctx, program, sale, decided, payment, outcomeOf(earning), alongside, opId)), isOwed: false };
	} catch (error) {
		if (earning.kind === 'none' || isRaced(error)) throw error;
		ctx.log({ level: 'error', event: 'commission_failed', programId: program.id, opId, ...describeFault(error) });
		const receipt = await store(ctx, program, sale, decided, payment, { state: 'failed', owed: earning }, alongside, opId);
		return { ...receipt, isOwed: true };
	}
}

function outcomeOf(earning: Earning): SaleOutcome {
	return earning.kind === 'earned' ? { state: 'made', earning } : { state: 'none', reason: earning.reason };
}

async function store(
	ctx: Context,
	program: TrackedProgram,
	sale: Sale,
	decided: Sold<FoundCustomer>,
	payment: SoldPayment,
	outcome: SaleOutcome,
	alongside: readonly Statement[],
	opId: string,
): Promise<SaleReceipt> {
	const { identity, partnerProgramId, currency, saleDay: day } = decided;
	const { chargedCents, invoiceId = null, aliases } = payment;
	const customer = customerReference(identity);
	const facts = factsOfBuyer(decided);
	const writes = [
		...writeBuyer(ctx, program, decided, facts),
		insertSale(ctx, { ...sale, ...decided, programId: program.id, customer, outcome, chargedCents, invoiceId, opId }),
		...(aliases.length > 0 ? [insertAliases(ctx, saleIdOf(sale.transactionId, false), false, aliases)] : []),
	];
	if (outcome.state === 'made') {
		const of = { transactionId: sale.transactionId, programId: program.id, partnerProgramId, currency, day };
		writes.push(insertCommission(ctx, of, outcome.earning), creditCommission(ctx, { transactionId: sale.transactionId, opId }));
	}
	const commissionCents = outcome.state === 'made' ? outcome.earning.amountCents : undefined;
	const moves = [
		...movesOfCustomer(identity, facts),
		...movesOfSale({ saleDay: day, currency, amountCents: sale.amountCents }, commissionCents),
	];
	const row = insertSaleOutbox(ctx, { transactionId: sale.transactionId, id: opId, moves: JSON.stringify(moves) });
	const [recorded] = await commitAlong(ctx.db, [...writes, ...alongside], payment.along, outcome, row);
	if (!recorded) throw new Error('The sale was not stored');
	if (recorded.commissionId !== null) sendEffects(ctx, [[program.id, opId]]);
	return { ...recorded, reason: outcome.state === 'none' ? outcome.reason : null };
}

function factsOfBuyer({ identity, saleDay }: Sold<FoundCustomer>): CustomerFacts {
	const hasBought = identity.kind === 'known' && identity.customer.status === 'conversion';
	const purchaseDay = hasBought ? undefined : saleDay;
	return { status: 'conversion', signupDay: undefined, purchaseDay, emailHash: undefined, email: undefined };
}

/** The customer's new status, and what the sale newly tells of it; nothing where it tells nothing. */
function writeBuyer(ctx: Context, program: TrackedProgram, { identity }: Sold<FoundCustomer>, facts: CustomerFacts): Statement[] {
	if (identity.kind === 'new') return [insertCustomer(ctx, program.id, identity, facts)];
	const tellsNothing = facts.purchaseDay === undefined && identity.newKey === undefined;
	return tellsNothing ? [] : [updateCustomer(ctx, identity, facts)];
}
