/** A sale as reported (contract, 4.3), with checked ids and amounts. */
export interface Sale {
	readonly transactionId: string;
	/** The program that owns the transaction_id (decision 55). Undefined if it is unique across programs. */
	readonly idScope?: number | undefined;
	/** Minor units of `currency`. */
	readonly amountCents: number;
	/** Undefined for the program's currency. */
	readonly currency: string | undefined;
	readonly customerKey: string | undefined;
	readonly clickId: string | undefined;
	readonly saleType: 'payment' | 'subscription';
	readonly isRecurring: boolean;
	readonly isProration?: true | undefined;
	readonly subscriptionId: string | undefined;
	readonly subscriptionInterval: 'monthly' | 'quarterly' | 'annual' | undefined;
	readonly productId: string | undefined;
	/** JSON. */
	readonly lineItems: string | undefined;
	/** Set if the lines must not select rules, because another event may report the payment with different lines. */
	readonly linesAreDetail?: true | undefined;
	/** Normalised. A malformed code matches no coupon. */
	readonly couponCode?: string | undefined;
}

/** A refund as reported (contract, 4.4). */
export interface Refund {
	readonly transactionId: string;
	/** Minor units of the sale's currency, positive; undefined for a full refund. */
	readonly amountCents: number | undefined;
	readonly reason: string | undefined;
	/** Distinguishes several refunds of one sale (decision 16). */
	readonly refundId: string | undefined;
}
