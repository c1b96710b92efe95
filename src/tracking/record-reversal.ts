import type { Context } from '../context.ts';
import type { ReversalFact } from '../domain/processor-event.ts';

export interface ReversalReceipt {
	readonly saleId: number;
	readonly commissionId: number | null;
	readonly outcome: 'reversed' | 'refunded' | 'reinstated' | 'no_commission' | 'unchanged' | 'test';
	/** What of the sale was given back, or is sold again where `reinstated`. */
	readonly amountCents: number;
	/** What it took from the commission, nominally, or gave back where `reinstated`. */
	readonly deductionCents: number;
	readonly currency: string;
}

/**
 * Brings a sale to what the processor has told of refunds and disputes of its payment, in whatever order. Undefined where the
 * program has no sale by any of the payment's ids.
 */
export async function recordReversal(
	ctx: Context,
	programId: number,
	isTest: boolean,
	fact: ReversalFact,
	opId: string,
): Promise<ReversalReceipt | undefined> {
	throw new Error(`Not reversed: ${ctx.now} ${programId} ${isTest} ${fact.reversal.id} ${opId}`);
}
