import type { EventPosition } from '../domain/event-position.ts';

/** A click, lead, sale or refund as a report shows it. No e-mail address, no visitor's address. Null: the type has no such thing. */
export interface TrackedEvent extends EventPosition {
	readonly isTest: boolean;
	/** Clicks: a known bot, kept but not counted. */
	readonly isBot: boolean | null;
	readonly country: string | null;
	/** Of a lead the one that was sent; of a sale or refund the one that its customer is attributed to. */
	readonly clickId: string | null;
	readonly customerKey: string | null;
	/** Of the sale or of the sale that was refunded. */
	readonly saleId: number | null;
	readonly transactionId: string | null;
	readonly productId: string | null;
	/** Minor units of `currency`: of the sale, or what was refunded of it. */
	readonly amountCents: number | null;
	readonly currency: string | null;
	readonly commissionId: number | null;
	/** Refunds: what it took from the commission, nominally. */
	readonly deductionCents: number | null;
	readonly refundId: string | null;
	readonly reason: string | null;
	readonly partner: { readonly id: number; readonly name: string } | null;
	readonly shortLink: string | null;
}
