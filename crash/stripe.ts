import { stripeStory } from '../testing/stripe/story.ts';
import type { Payment } from '../testing/stripe/story-types.ts';
import type { StripeEvent } from '../testing/stripe/wire.ts';
import type { Random } from '../testing/random.ts';
import type { Charge, WebhookWrite } from './journal.ts';
import type { Shop } from './shops.ts';

// Events of a shop's processor: a payment and its refunds.

/** A payment at the processor, and the values that the service must store. */
export interface Paid {
	readonly shop: Shop;
	readonly payment: Payment;
	readonly charge: Charge;
}

/** A payment and its events, in random order. */
export function charge(
	random: Random,
	shop: Shop,
	by: Pick<Charge, 'clickId' | 'partnerProgramId'>,
	identity: Readonly<Record<string, string>>,
): { paid: Paid; events: WebhookWrite[] } {
	const chargedCents = random.between(100, 30_000);
	const tax = random.below(Math.ceil(chargedCents / 4));
	const metadata = Object.fromEntries(Object.entries(identity).map(([name, value]) => [`tracker_${name}`, value]));
	const { checkout, first } = stripeStory({ amount: chargedCents, tax, currency: shop.currency.toLowerCase(), metadata });
	const noted = {
		...by,
		programId: shop.programId,
		transactionId: first.transactionId,
		amountCents: chargedCents - tax,
		chargedCents,
		refunds: new Map<string, number>(),
	};
	const events = [checkout.completed(), first.chargeSucceeded(), first.paymentIntentSucceeded()];
	return { paid: { shop, payment: first, charge: noted }, events: writesOf(random, shop, events) };
}

/** Refunds part of it. The refund may fail later. */
export function refundPayment(random: Random, { shop, payment, charge: noted }: Paid): WebhookWrite[] {
	const left = noted.chargedCents - refundedOf(noted);
	if (left === 0 || payment.refunds.length > 2) return [];
	const amount = random.between(1, left);
	const refund = payment.refund(amount);
	const isFailed = random.chance(0.2);
	noted.refunds.set(refund.id, isFailed ? 0 : amount);
	// Stripe's total excludes failed refunds, so it is not sent if one has failed.
	const isSummed = !isFailed && ![...noted.refunds.values()].includes(0);
	return writesOf(random, shop, [refund.created(), ...(isFailed ? [refund.failed()] : []), ...(isSummed ? [refund.chargeRefunded()] : [])]);
}

/** The refunded amount of a payment, in cents including tax, without failed refunds. */
export function refundedOf({ refunds }: Charge): number {
	return [...refunds.values()].reduce((sum, cents) => sum + cents, 0);
}

function writesOf(random: Random, shop: Shop, events: readonly StripeEvent[]): WebhookWrite[] {
	return random.shuffled(events).map((event) => ({
		kind: 'webhook',
		programId: shop.programId,
		eventId: event.id,
		path: `/webhooks/stripe/${shop.programId}`,
		token: undefined,
		signingSecret: shop.signingSecret,
		request: event,
		answers: [],
	}));
}
