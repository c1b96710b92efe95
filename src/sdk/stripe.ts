/** Who buys. Leave out what you do not know; a sale needs one of `customer_key` and `click_id` to be attributed. */
export interface BuyerIds {
	/** The same one as at the lead. */
	customer_key?: string | undefined;
	/** See `clickIdFrom`. */
	click_id?: string | undefined;
	/** The number of the program. Left out: the one that the webhook's address names. */
	program_id?: number | string | undefined;
}

export type StripeIds = BuyerIds;

/** Stripe metadata, ready to be attached. */
export interface StripeMetadata {
	readonly metadata: Record<string, string>;
}

export interface StripeSubscriptionMetadata extends StripeMetadata {
	/** The same keys once more: Stripe shows renewals the subscription's metadata, and not the session's. */
	readonly subscription_data: StripeMetadata;
}

/**
 * The metadata by which the service attributes what Stripe reports. Spread it into the parameters of a Checkout session:
 * `stripe.checkout.sessions.create({ mode: 'subscription', ...stripeMetadata('subscription', ids), ... })`.
 * Metadata of your own goes beside it: `metadata: { ...stripeMetadata('payment', ids).metadata, order: '1001' }`.
 */
export function stripeMetadata(mode: 'payment', ids: StripeIds): StripeMetadata;
export function stripeMetadata(mode: 'subscription', ids: StripeIds): StripeSubscriptionMetadata;
export function stripeMetadata(mode: 'payment' | 'subscription', ids: StripeIds): StripeMetadata | StripeSubscriptionMetadata;
export function stripeMetadata(mode: 'payment' | 'subscription', ids: StripeIds): StripeMetadata | StripeSubscriptionMetadata {
	// Stripe refuses subscription_data in any other mode.
	return mode === 'subscription'
		? { metadata: metadataOf(ids), subscription_data: { metadata: metadataOf(ids) } }
		: { metadata: metadataOf(ids) };
}

/**
 * The same for Paddle, as the custom data of a transaction: `paddle.transactions.create({ customData: paddleCustomData(ids), ... })`.
 * Paddle copies it to the subscription that it begins, and to what renews that.
 */
export function paddleCustomData(ids: BuyerIds): Record<string, string> {
	return metadataOf(ids);
}

function metadataOf({ customer_key, click_id, program_id }: BuyerIds): Record<string, string> {
	const known = { tracker_customer_key: customer_key, tracker_click_id: click_id, program_id };
	const metadata: Record<string, string> = {};
	for (const [key, value] of Object.entries(known)) if (value !== undefined && value !== '') metadata[key] = String(value);
	return metadata;
}
