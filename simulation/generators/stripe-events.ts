import type { Payment, Story } from '../../testing/stripe/story-types.ts';
import type { StripeEvent } from '../../testing/stripe/wire.ts';
import type { Claims, Purchase, ParsedSale, Says, ParsedEvent } from '../world/account.ts';
import { halfUp } from '../world/oracle.ts';

// The meaning of each Stripe event, derived from what happened, not from the payload.

export interface StripePayer {
	readonly story: Story;
	/** `held`: captured manually. `alone`: a payment intent without a checkout. */
	readonly kind: 'single' | 'invoiced' | 'slow' | 'held' | 'alone' | 'subscription' | 'trial';
	readonly shape: 'old' | 'new';
	/** In minor units; the currency is in upper case. */
	readonly price: { readonly amount: number; readonly tax: number; readonly shipping: number; readonly currency: string };
	readonly checkoutClaims: Claims | undefined;
	readonly subscriptionClaims: Claims | undefined;
	readonly intentClaims: Claims | undefined;
	/** The business's own order reference. */
	readonly orderClaims: Claims | undefined;
	/** The part of the price that is captured, if capture is manual. */
	readonly captured: number | undefined;
	/** In the same metadata as the claims. */
	readonly productId: string | undefined;
}

export interface StripePayment {
	readonly purchase: Purchase;
	readonly payment: Payment;
}

export function saidOf(own: StripePayer, of: StripePayment, event: StripeEvent, said: Says): ParsedEvent {
	const { type, id, created } = event;
	const { payment, purchase } = of;
	const text = JSON.stringify(event.data.object);
	const isOfInvoice = type.startsWith('invoice.');
	const isCheckout = type.startsWith('checkout.session.');
	return {
		event: { id, type, body: event },
		says: said,
		claims: claimsIn(event, own),
		ids: purchase.ids.filter((each) => text.includes(`"${each}"`)),
		paidAt: isOfInvoice ? payment.paidAt : created * 1000,
		isAboutSomebody: isAboutSomebody(own, type, said),
		beginning: beginningIn(own, of, event),
		reportedBy: purchase.isRenewal ? undefined : isCheckout ? 'payment_intent.succeeded' : 'checkout.session.completed',
		isBill: type === 'checkout.session.completed',
	};
}

export function says(own: StripePayer, of: StripePayment, event: StripeEvent): Says {
	const { type } = event;
	const { object } = event.data;
	const { payer, chargedCents } = of.purchase;
	const isPaid = chargedCents > 0 && !('payment_status' in object && object.payment_status !== 'paid');
	const sold: Says = { kind: 'sale', sale: saleIn(own, of, event) };
	if (type === 'payment_intent.succeeded' && isSoldByIntent(own)) return sold;
	if (type === 'charge.succeeded' || type === 'payment_intent.succeeded' || type === 'invoice_payment.paid') return { kind: 'ids' };
	if (type.startsWith('invoice.')) return isPaid ? sold : { kind: 'nothing' };
	if (!type.startsWith('checkout.session.') || type === 'checkout.session.async_payment_failed') return { kind: 'nothing' };
	if (payer.subscription) return { kind: 'ids' };
	return isPaid ? sold : { kind: 'nothing' };
}

/** Whether the payment intent, not the checkout, records the sale. */
function isSoldByIntent({ kind, shape, intentClaims }: StripePayer): boolean {
	if (kind === 'held') return true;
	// An old-shape intent names its invoice, but not its checkout.
	const isAlone = kind === 'alone' || (shape === 'old' && (kind === 'single' || kind === 'slow'));
	return isAlone && (intentClaims?.customerKey ?? intentClaims?.clickId) !== undefined;
}

function saleIn(own: StripePayer, { payment, purchase }: StripePayment, { type, data }: StripeEvent): ParsedSale {
	const { amount, tax, shipping } = own.price;
	const { chargedCents } = purchase;
	const { invoice, paymentIntent } = payment.ids;
	return {
		transactionId: type.startsWith('invoice.') && invoice !== undefined ? invoice : paymentIntent,
		netCents: halfUp(chargedCents, amount - tax - shipping, amount),
		grossCents: chargedCents,
		chargedCents,
		needsBill: type === 'payment_intent.succeeded' && own.kind !== 'alone',
		products: productsIn(own, data.object),
	};
}

/** The product in the event's own metadata, or one from an earlier event of the payment. */
function productsIn({ story, productId }: StripePayer, object: object): (string | null)[] {
	if (story.ids.subscription !== undefined) return [story.ids.product];
	const named = productId ?? null;
	return JSON.stringify(object).includes('"tracker_product_id"') ? [named] : [named, null];
}

function claimsIn({ type }: StripeEvent, { story, checkoutClaims, subscriptionClaims, intentClaims }: StripePayer): Claims | undefined {
	const isSubscription = story.ids.subscription !== undefined;
	if (type.startsWith('checkout.session.')) return checkoutClaims;
	if (type === 'payment_intent.succeeded') return intentClaims;
	if (type.startsWith('invoice.') || type.startsWith('customer.subscription.')) return isSubscription ? subscriptionClaims : undefined;
	return undefined;
}

function isAboutSomebody({ kind }: StripePayer, type: string, said: Says): boolean {
	if (type === 'customer.subscription.deleted') return false;
	if (type.startsWith('checkout.session.')) return type === 'checkout.session.completed' || said.kind !== 'nothing';
	return !type.startsWith('invoice.') || said.kind === 'sale' || kind === 'trial';
}

function beginningIn({ kind, story }: StripePayer, { payment, purchase }: StripePayment, { type }: StripeEvent): ParsedEvent['beginning'] {
	const isTrial = kind === 'trial';
	if (type === 'customer.subscription.created') return { at: story.first.paidAt, isTrial };
	if (!type.startsWith('invoice.')) return undefined;
	return { at: payment.paidAt, isTrial: isTrial && !purchase.isRenewal };
}
