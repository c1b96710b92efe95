/** A sale as reported (contract, 4.3), with checked ids and amounts. */
export interface Sale {
	readonly transactionId: string;
	/** The program that owns the transaction_id (decision 55); undefined: it is unique over all programs. */
	readonly idScope?: number | undefined;
	/** Minor units of `currency`. */
	readonly amountCents: number;
	/** Undefined: the program's. */
	readonly currency: string | undefined;
	readonly customerKey: string | undefined;
	readonly clickId: string | undefined;
	readonly saleType: 'payment' | 'subscription';
	readonly isRecurring: boolean;
	/** It pays for the rest of a period after a change, according to the processor. */
	readonly isProration?: true | undefined;
	readonly subscriptionId: string | undefined;
	readonly subscriptionInterval: 'monthly' | 'quarterly' | 'annual' | undefined;
	readonly productId: string | undefined;
	/** JSON. */
	readonly lineItems: string | undefined;
	/** Lines are only details: another event may report the payment without them, or name the product of all. */
	readonly linesAreDetail?: true | undefined;
	/** Normalised. An impossible code belongs to no coupon. */
	readonly couponCode?: string | undefined;
}

/** A refund as reported (contract, 4.4). */
export interface Refund {
	readonly transactionId: string;
	/** Minor units of the sale's currency, positive; undefined for a full refund. */
	readonly amountCents: number | undefined;
	readonly reason: string | undefined;
	/** Tells refunds of one sale apart (decision 16). */
	readonly refundId: string | undefined;
}
