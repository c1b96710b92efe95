/** A sale as its backend reports it (contract, 4.3). Ids and amounts are checked. */
export interface Sale {
	readonly transactionId: string;
	/** The program whose own id the transaction_id is (decision 55); undefined: it is unique over all programs. */
	readonly idScope?: number | undefined;
	/** Minor units of `currency`. */
	readonly amountCents: number;
	/** Undefined: the program's. */
	readonly currency: string | undefined;
	readonly customerKey: string | undefined;
	readonly clickId: string | undefined;
	readonly saleType: 'payment' | 'subscription';
	readonly isRecurring: boolean;
	/** Of what is left of a period, after a change of the subscription: as a processor tells. */
	readonly isProration?: true | undefined;
	readonly subscriptionId: string | undefined;
	readonly subscriptionInterval: 'monthly' | 'quarterly' | 'annual' | undefined;
	readonly productId: string | undefined;
	/** JSON. */
	readonly lineItems: string | undefined;
	/** Whether its lines are a detail only: another event may report the same payment without them, or names the product of it all. */
	readonly linesAreDetail?: true | undefined;
	/** As codes are compared; one that can be none is of no coupon. */
	readonly couponCode?: string | undefined;
}

/** A refund as its backend reports it (contract, 4.4). */
export interface Refund {
	readonly transactionId: string;
	/** Minor units of the sale's currency, positive; undefined for a full refund. */
	readonly amountCents: number | undefined;
	readonly reason: string | undefined;
	/** Tells several refunds of one sale apart (decision 16). */
	readonly refundId: string | undefined;
}
