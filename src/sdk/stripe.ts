/** Leave out what you do not know; a sale needs `customer_key` or `click_id` to be attributed. */
export interface BuyerIds {
	/** The same `customer_key` as for the lead. */
	customer_key?: string | undefined;
	/** See `clickIdFrom`. */
	click_id?: string | undefined;
	/** Default: the id in the webhook's URL. */
	program_id?: number | string | undefined;
}

export type StripeIds = BuyerIds;

export interface StripeMetadata {
	readonly metadata: Record<string, string>;
}

export interface StripeSubscriptionMetadata extends StripeMetadata {
	/** Renewals carry the subscription's metadata, not the session's. */
	readonly subscription_data: StripeMetadata;
}

/**
 * Metadata that attributes Stripe's events. Spread it into the parameters of a Checkout session: `stripe.checkout.sessions.create({ mode:
 * 'subscription', ...stripeMetadata('subscription', ids), ... })`. You can add your own metadata: `metadata: { ...stripeMetadata('payment',
 * ids).metadata, order: '1001' }`.
 */
export function stripeMetadata(mode: 'payment', ids: StripeIds): StripeMetadata;
export function stripeMetadata(mode: 'subscription', ids: StripeIds): StripeSubscriptionMetadata;
export function stripeMetadata(mode: 'payment' | 'subscription', ids: StripeIds): StripeMetadata | StripeSubscriptionMetadata;
export function stripeMetadata(mode: 'payment' | 'subscription', ids: StripeIds): StripeMetadata | StripeSubscriptionMetadata {
	// Stripe rejects `subscription_data` in other modes.
	return mode === 'subscription'
		? { metadata: metadataOf(ids), subscription_data: { metadata: metadataOf(ids) } }
		: { metadata: metadataOf(ids) };
}

/**
 * The same for Paddle, as a transaction's custom data: `paddle.transactions.create({ customData: paddleCustomData(ids), ... })`. Paddle
 * copies it to the subscription and its renewals.
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
