import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../src/domain/calendar.ts';
import type { Random } from '../../../testing/random.ts';
import { stripeStory } from '../../../testing/stripe/story.ts';
import type { Payment } from '../../../testing/stripe/story-types.ts';
import * as cast from './cast.ts';
import type { Shop } from './shop.ts';
import { at, later, type Stage } from './stage.ts';
import type { Traffic } from './traffic.ts';

/** A visitor's ids, filled in when they click and sign up. */
export interface Buyer {
	readonly place: cast.Place;
	readonly partner: cast.CastPartner;
	customerKey: string;
	clickId: string;
}

interface Buying {
	readonly buyer: Buyer;
	readonly random: Random;
	readonly signedUpAt: number;
}

// Fractions of the customers who sign up.
const BUYS = 0.34;
const JOINS_CLUB = 0.07;
const BUYS_AGAIN = 0.38;
const PAYS_BY_STRIPE = 0.22;
/** The fraction of renewals that are paid. */
const STAYS = 0.85;

/** Plans what a customer buys after signing up, if anything. */
export function planPurchases(stage: Stage, traffic: Traffic, buying: Buying): void {
	const { buyer, random, signedUpAt } = buying;
	if (traffic.hasClub && random.chance(JOINS_CLUB))
		planClub(stage, traffic.shop, { buyer, random, at: signedUpAt + random.between(2, 90) * MINUTE_MS });
	if (!random.chance(BUYS)) return;
	let paidAt = signedUpAt + delayOf(random);
	planOrder(stage, traffic, { buyer, random, at: paidAt });
	while (random.chance(BUYS_AGAIN)) {
		paidAt += random.between(9 * 24, 33 * 24) * HOUR_MS;
		planOrder(stage, traffic, { buyer, random, at: paidAt });
	}
}

/** Most customers buy right away; some wait until the attribution window is over. */
function delayOf(random: Random): number {
	const { from, to } = random.weighted([
		{ weight: 55, from: 3, to: 40 },
		{ weight: 22, from: 60, to: 3 * 1_440 },
		{ weight: 16, from: 3 * 1_440, to: 20 * 1_440 },
		{ weight: 7, from: 20 * 1_440, to: 45 * 1_440 },
	]);
	return random.between(from, to) * MINUTE_MS;
}

interface Order {
	readonly buyer: Buyer;
	readonly random: Random;
	readonly at: number;
}

function planOrder(stage: Stage, { shop, products, hasClub }: Traffic, { buyer, random, at: paidAt }: Order): void {
	const product = random.weighted(products);
	const count = random.between(1, product.most);
	const currency = random.chance(0.6) ? buyer.place.currency : undefined;
	const amount = product.cents * count;
	const sale = { currency, product_id: product.id, line_items: [{ product_id: product.id, quantity: count, amount_cents: amount }] };
	const refund = planRefund(random, amount);
	if (hasClub && random.chance(PAYS_BY_STRIPE)) return planCheckout(stage, shop, { buyer, at: paidAt, amount, product, currency, refund });
	let transaction = '';
	// Sales for a partner who has left are refused.
	const hasLeft = buyer.partner.slug === cast.ENDED.slug && paidAt > at(stage, cast.ENDED.on, 0);
	stage.agenda.add(paidAt, async () => {
		transaction = shop.newOrder();
		const order = { transaction_id: transaction, amount_cents: amount, customer_key: buyer.customerKey, sale_type: 'payment', ...sale };
		await shop.track('sale', order, hasLeft ? 400 : undefined);
	});
	if (!refund || hasLeft) return;
	stage.agenda.add(later(paidAt, refund.afterDays), () =>
		shop.track('refund', { transaction_id: transaction, refund_amount_cents: refund.amount, refund_reason: refund.reason }),
	);
}

interface PlannedRefund {
	readonly amount: number;
	readonly afterDays: number;
	readonly reason: string;
}

/** One order in twelve is refunded, half of those only partly. */
function planRefund(random: Random, amount: number): PlannedRefund | undefined {
	const [isRefunded, isPartial] = [random.chance(0.08), random.chance(0.5)];
	const [afterDays, reason] = [random.between(1, 18) + random.between(0, 9) / 10, random.pick(cast.REFUND_REASONS)];
	return isRefunded ? { amount: isPartial ? Math.floor(amount / 2) : amount, afterDays, reason } : undefined;
}

interface Checkout {
	readonly buyer: Buyer;
	readonly at: number;
	readonly amount: number;
	readonly product: cast.Product;
	readonly currency: string | undefined;
	readonly refund: PlannedRefund | undefined;
}

function planCheckout(stage: Stage, shop: Shop, { buyer, at: paidAt, amount, product, currency = 'usd', refund }: Checkout): void {
	let payment: Payment | undefined;
	stage.agenda.add(paidAt, async () => {
		const tax = currency === 'usd' ? Math.round(amount * 0.06) : 0;
		const metadata = metadataOf(shop, buyer);
		const story = stripeStory({ metadata, amount: amount + tax, tax, currency: currency.toLowerCase(), product: product.id, at: paidAt });
		payment = story.first;
		await shop.stripe(...payment.events());
	});
	if (!refund) return;
	stage.agenda.add(later(paidAt, refund.afterDays), async () => {
		const made = payment?.refund(refund.amount === amount ? undefined : refund.amount, 'requested_by_customer');
		if (made) await shop.stripe(made.created('succeeded'), made.chargeRefunded());
	});
}

/** Renews every month until the member leaves or the ninety days end. */
function planClub(stage: Stage, shop: Shop, { buyer, random, at: joinsAt }: Order): void {
	const months = 1 + Array.from({ length: 3 }).findIndex(() => !random.chance(STAYS));
	stage.agenda.add(joinsAt, async () => {
		const story = stripeStory({
			mode: 'subscription',
			metadata: metadataOf(shop, buyer),
			amount: cast.CLUB.cents,
			product: cast.CLUB.id,
			at: joinsAt,
		});
		await shop.stripe(...story.first.events());
		for (let month = 1; month <= (months === 0 ? 3 : months); month += 1) {
			const renewal = story.renew();
			stage.agenda.add(renewal.paidAt, () => shop.stripe(...renewal.events()));
		}
		if (months > 0) stage.agenda.add(story.payments.at(-1)?.paidAt ?? joinsAt + DAY_MS, () => shop.stripe(story.subscription.deleted()));
	});
}

/** The metadata that a backend attaches to Stripe's objects. */
export function metadataOf(
	{ id }: Pick<Shop, 'id'>,
	{ customerKey, clickId }: Pick<Buyer, 'customerKey' | 'clickId'>,
): Record<string, string> {
	return { tracker_customer_key: customerKey, tracker_click_id: clickId, program_id: String(id) };
}
