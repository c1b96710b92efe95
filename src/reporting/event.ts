import type { EventPosition } from '../domain/reporting/event-position.ts';

export type RefundOutcome = 'reversed' | 'refunded' | 'no_commission' | 'reinstated' | 'skipped' | 'test';

/** A click, lead, sale or refund as a report shows it. No e-mail address, no visitor's address. Null: the type has no such thing. */
export interface TrackedEvent extends EventPosition {
	readonly isTest: boolean;
	/** Clicks: a crawler that ran the page's script, kept but not counted. */
	readonly isBot: boolean | null;
	readonly country: string | null;
	/** Of a lead the one that was sent; of a sale or refund the one that its customer is attributed to. */
	readonly clickId: string | null;
	readonly customerKey: string | null;
	/** Of the sale or of the sale that was refunded. */
	readonly saleId: number | null;
	readonly transactionId: string | null;
	readonly productId: string | null;
	/** Minor units of `currency`: of the sale, or what was refunded of it; negative where the refund no longer counts. */
	readonly amountCents: number | null;
	readonly currency: string | null;
	readonly commissionId: number | null;
	/** Refunds: what it took from the commission, nominally; negative where it was given back. */
	readonly deductionCents: number | null;
	readonly refundId: string | null;
	/** Refunds: what became of it. `reinstated`: it failed at the processor, or a dispute was won. */
	readonly outcome: RefundOutcome | null;
	/** Refunds: who told of it. */
	readonly source: 'endpoint' | 'processor' | null;
	readonly reason: string | null;
	readonly partner: { readonly id: number; readonly name: string } | null;
	readonly shortLink: string | null;
	/** Sales: whether it was a single payment or one of a subscription, and how it recurs. */
	readonly saleType: 'payment' | 'subscription' | null;
	readonly isRecurring: boolean | null;
	readonly subscriptionId: string | null;
	readonly subscriptionInterval: 'monthly' | 'quarterly' | 'annual' | null;
}
