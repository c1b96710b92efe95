import { type Context, describeFault } from '../context.ts';
import type { Statement } from '../db/client.ts';
import type { NoCommissionReason } from '../domain/commissions/commission.ts';
import { deltasOfState } from '../domain/commissions/commission-sums.ts';
import { deltasOfCustomer, deltasOfSale } from '../domain/reporting/metric-deltas.ts';
import type { Sale } from '../domain/commissions/sale.ts';
import type { Sold } from '../domain/commissions/sale-decision.ts';
import type { FoundCustomer } from '../customers/find-customer.ts';
import type { TrackedProgram } from '../programs/program-key.ts';
import { insertAliases, nameOf, saleIdOf } from '../ledger/sale-id.ts';
import { creditCommission } from '../ledger/ledger.ts';
import type { Plan } from './plan.ts';
import { insertSaleOutbox } from './sale-outbox.ts';
import { type CustomerFacts, customerReference, insertCustomer, updateCustomer } from '../customers/write-customer.ts';
import { insertCommission, insertSale, type SaleOutcome } from './write-sale.ts';

export interface SaleReceipt {
	readonly saleId: number;
	readonly commissionId: number | null;
	readonly reason: NoCommissionReason | null;
}

/** A decided sale, with the facts of its payment if a processor reported it. */
export interface SoldSale {
	readonly program: TrackedProgram;
	readonly sale: Sale;
	readonly decision: Sold<FoundCustomer>;
	/** The processor's charge with tax, in minor units of its currency. Null without a processor. */
	readonly chargedCents: number | null;
	readonly invoiceId: string | null;
	/** Other ids of the payment besides the transaction_id. */
	readonly aliases: readonly string[];
	readonly opId: string;
	readonly newIdHashes: string | undefined;
}

/** Writes customer, sale, commission, ledger entry and metric deltas. */
export interface SalePlan extends Plan<SaleOutcome> {
	/** The last write. Returns the ids of the sale and its commission. */
	readonly recorded: ReturnType<typeof insertSaleOutbox>;
	readonly owing?: (fault: unknown) => SalePlan;
}

export function planSale(ctx: Context, sold: SoldSale): SalePlan {
	const { program, decision, opId } = sold;
	const { earning } = decision;
	if (earning.kind === 'none') return planWith(ctx, sold, { state: 'none', reason: earning.reason });
	const owing = (fault: unknown) => {
		ctx.log({ level: 'error', event: 'commission_failed', programId: program.id, opId, ...describeFault(fault) });
		return planWith(ctx, sold, { state: 'failed', owed: earning });
	};
	return { ...planWith(ctx, sold, { state: 'made', earning }), owing };
}

function planWith(ctx: Context, sold: SoldSale, outcome: SaleOutcome): SalePlan {
	const { program, sale, decision, chargedCents, invoiceId, aliases, opId } = sold;
	const { amountCents } = sale;
	const name = nameOf(sale);
	const { identity, partnerProgramId, currency, saleDay } = decision;
	const facts = { ...factsOfBuyer(decision), newIdHashes: sold.newIdHashes };
	const customer = customerReference(identity);
	const writes = [
		...writeBuyer(ctx, program, decision, facts),
		insertSale(ctx, { ...sale, ...decision, programId: program.id, customer, outcome, chargedCents, invoiceId, opId }),
		...(aliases.length > 0 ? [insertAliases(ctx, saleIdOf(name, false), false, aliases)] : []),
	];
	if (outcome.state === 'made') {
		const of = { ...name, programId: program.id, partnerProgramId, currency, day: saleDay };
		writes.push(insertCommission(ctx, of, outcome.earning), creditCommission(ctx, { ...name, opId }));
	}
	const commissionCents = outcome.state === 'made' ? outcome.earning.amountCents : undefined;
	const moves = [
		...deltasOfCustomer(identity, facts),
		...deltasOfSale({ saleDay, currency, amountCents }, commissionCents),
		...(outcome.state === 'made'
			? deltasOfState({ partnerProgramId, day: saleDay, currency }, undefined, { ...outcome.earning, deductedCents: 0 })
			: []),
	];
	return {
		outcome,
		writes,
		recorded: insertSaleOutbox(ctx, { ...name, id: opId, moves: JSON.stringify(moves) }),
		effects: outcome.state === 'made' ? [[program.id, opId]] : [],
	};
}

function factsOfBuyer({ identity, saleDay }: Sold<FoundCustomer>): Omit<CustomerFacts, 'newIdHashes'> {
	const hasBought = identity.kind === 'known' && identity.customer.status === 'conversion';
	const purchaseDay = hasBought ? undefined : saleDay;
	return { status: 'conversion', signupDay: undefined, purchaseDay, emailHash: undefined, email: undefined };
}

/** Writes nothing if the customer is unchanged. */
function writeBuyer(ctx: Context, program: TrackedProgram, { identity }: Sold<FoundCustomer>, facts: CustomerFacts): Statement[] {
	if (identity.kind === 'new') return [insertCustomer(ctx, program.id, identity, facts)];
	const saysNothing = facts.purchaseDay === undefined && identity.newKey === undefined;
	return saysNothing ? [] : [updateCustomer(ctx, identity, facts)];
}
