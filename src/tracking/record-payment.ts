import type { Context } from '../context.ts';
import type { PaymentFact } from '../domain/processor-event.ts';
import type { SaleReceipt } from './record-sale.ts';

/** A payment and who made it, as the caller resolved it: `fact.attribution` is not looked at. */
export interface Payment {
	readonly fact: PaymentFact;
	readonly customerKey: string | undefined;
	readonly clickId: string | undefined;
	readonly isTest: boolean;
}

export interface PaymentReceipt extends SaleReceipt {
	/** Whether this very call (or an earlier try of it, by op id) recorded the sale. */
	readonly isNew: boolean;
}

/**
 * Records the sale of a payment that the processor told of, once whatever its ids were reported as before. Rejects like
 * recordSale. `opId` is the caller's: the same one again finds its own sale.
 */
export async function recordPayment(ctx: Context, programId: number, payment: Payment, opId: string): Promise<PaymentReceipt> {
	throw new Error(`Not recorded: ${ctx.now} ${programId} ${payment.fact.sale.transactionId} ${opId}`);
}
