import { stripeStory } from '../../testing/stripe/story.ts';
import type { Dispute, Payment, Refund, Story } from '../../testing/stripe/told.ts';
import type { StripeEvent } from '../../testing/stripe/wire.ts';
import { aBuyer, aProgramFor } from './operation.ts';
import type { Random } from '../../testing/random.ts';
import type { Simulation } from '../world/simulation.ts';
import { WORLD } from '../world/world.ts';
import { chargedFor, type Claims, type Payer, type Purchase, type Says, type SaidReversal } from '../world/stripe-account.ts';

// What may happen at Stripe: people pay, at once or in the end, once or every month; money is given back, and comes back.

const MOST_REFUNDS = 3;

/** Somebody pays for the first time. */
export function begin(sim: Simulation, random: Random): void {
	const { clickId, customerKey } = aBuyer(sim, random);
	const program = aProgramFor(sim, random, clickId, customerKey);
	const programId = random.weighted([
		{ weight: 13, named: undefined },
		{ weight: 6, named: program.id },
		{ weight: 1, named: (program.id % 3) + 1 },
	]).named;
	const claims = { customerKey, clickId, programId };
	const said = random.weighted([
		{ weight: 8, checkout: claims, subscription: claims },
		{ weight: 3, checkout: claims, subscription: undefined },
		{ weight: 2, checkout: undefined, subscription: claims },
		{ weight: 1, checkout: undefined, subscription: undefined },
	]);
	const { kind } = random.weighted([
		{ weight: 4, kind: 'single' as const },
		{ weight: 4, kind: 'invoiced' as const },
		{ weight: 2, kind: 'slow' as const },
		{ weight: 2, kind: 'held' as const },
		{ weight: 2, kind: 'alone' as const },
		{ weight: 5, kind: 'subscription' as const },
		{ weight: 2, kind: 'trial' as const },
	]);
	const isSubscription = kind === 'subscription' || kind === 'trial';
	const { subscription } = said;
	// Of a single payment the intent may say it, beside its checkout or alone.
	const intent = isSubscription ? undefined : subscription;
	const checkout = kind === 'alone' ? undefined : said.checkout;
	const amount = random.chance(0.7) ? random.between(3, 30_000) : random.between(1, 60) * 500;
	const price = {
		amount,
		tax: kind !== 'alone' && random.chance(0.6) ? random.below(Math.ceil(amount / 3)) : 0,
		shipping: kind !== 'alone' && !isSubscription && random.chance(0.3) ? random.below(Math.ceil(amount / 3)) : 0,
		currency: random.chance(0.85) ? program.currency : 'JPY',
	};
	const shape = random.pick(['old', 'new'] as const);
	const isTest = random.chance(0.08);
	const before = random.chance(0.15) ? sim.account.payers.find((payer) => payer.program === program && payer.isTest === isTest) : undefined;
	const captured = kind === 'held' ? (random.chance(0.5) ? amount : random.between(1, amount)) : undefined;
	const isReference = (checkout?.customerKey === undefined || checkout.clickId === undefined) && random.chance(0.3);
	const productId = !isSubscription && random.chance(0.4) ? random.pick(['pro', 'gift', 'other']) : undefined;
	// An order of the business', which is the key of nobody.
	const order = random.chance(0.15) ? `order-${random.below(9)}` : undefined;
	const story = stripeStory({
		mode: isSubscription ? 'subscription' : 'payment',
		shape,
		amount,
		tax: price.tax,
		shipping: price.shipping,
		currency: price.currency.toLowerCase(),
		metadata: isReference ? {} : metadataOf(checkout, productId),
		subscriptionMetadata: metadataOf(subscription),
		product: random.pick(['pro', 'gift', 'other']),
		livemode: !isTest,
		at: sim.now,
		...clientReference(isReference ? (checkout?.clickId ?? checkout?.customerKey) : order),
		...(kind === 'trial' && { trialDays: 14 }),
		...(kind === 'invoiced' && { withInvoice: true }),
		...(kind === 'alone' && { isIntentAlone: true }),
		...(captured !== undefined && { captured }),
		intentMetadata: metadataOf(intent, productId),
		...(before && { customer: before.story.ids.customer }),
	});
	const payer: Payer = {
		program,
		story,
		kind,
		shape,
		isTest,
		price,
		checkoutClaims: isReference ? referenceOf(checkout) : checkout,
		subscriptionClaims: subscription,
		intentClaims: intent,
		captured,
		productId,
		purchases: [],
		isPending: kind === 'slow' || kind === 'held',
	};
	sim.account.payers.push(payer);
	const purchase = purchaseOf(payer, story.first, false);
	postAll(sim, random, purchase, beginningOf(payer, story));
}

/** Something more happens to a payer. */
export function goOn(sim: Simulation, random: Random, payer: Payer): void {
	const { story } = payer;
	if (payer.isPending) return endPayment(sim, random, payer);
	const isRenewable = payer.kind === 'subscription' || payer.kind === 'trial';
	if (isRenewable && random.chance(0.3)) {
		const isProration = random.chance(0.3);
		const { amount, tax } = payer.price;
		const renewal = story.renew({ amount, tax, isProration, ...(isProration && { billingReason: 'subscription_update' }) });
		return postAll(sim, random, purchaseOf(payer, renewal, true, isProration), renewal.events());
	}
	if (isRenewable && random.chance(0.05))
		return post(sim, random, purchaseIn(payer, random), story.subscription.deleted(), { kind: 'nothing' });
	const purchase = purchaseIn(payer, random);
	if (payer.kind === 'trial' && !purchase.isRenewal) return;
	giveBack(sim, random, purchase);
}

function beginningOf({ kind }: Payer, { first, checkout }: Story): StripeEvent[] {
	if (kind === 'alone') return [first.chargeSucceeded(), first.paymentIntentSucceeded()];
	return kind === 'slow' || kind === 'held' ? [checkout.completed('unpaid')] : first.events();
}

function endPayment(sim: Simulation, random: Random, payer: Payer): void {
	const { checkout, first } = payer.story;
	const purchase = purchaseIn(payer, random);
	payer.isPending = false;
	if (payer.kind === 'held') return postAll(sim, random, purchase, [first.chargeSucceeded(), first.paymentIntentSucceeded()]);
	if (random.chance(0.25)) return postAll(sim, random, purchase, [checkout.asyncPaymentFailed()]);
	postAll(sim, random, purchase, [first.chargeSucceeded(), first.paymentIntentSucceeded(), checkout.asyncPaymentSucceeded()]);
}

function giveBack(sim: Simulation, random: Random, purchase: Purchase): void {
	const { payment } = purchase;
	const standing = payment.refunds.find(({ id }) => !purchase.failed.has(id));
	const left = chargedFor(purchase.payer) - refundedOf(purchase);
	const [dispute] = payment.disputes;
	const { what } = random.weighted([
		{ weight: payment.refunds.length < MOST_REFUNDS && left > 0 ? 6 : 0, what: 'refund' },
		{ weight: standing ? 2 : 0, what: 'failure' },
		{ weight: dispute ? 0 : 2, what: 'dispute' },
		{ weight: dispute && purchase.isDisputed ? 3 : 0, what: 'end' },
		{ weight: 1, what: 'nothing' },
	]);
	if (what === 'refund') refund(sim, random, purchase, payment.refund(random.chance(0.3) ? left : random.between(1, left)));
	if (what === 'failure' && standing) fail(sim, random, purchase, standing);
	if (what === 'dispute')
		contest(sim, random, purchase, payment.dispute(random.chance(0.6) ? undefined : random.between(1, chargedFor(purchase.payer))));
	if (what === 'end' && dispute) decide(sim, random, purchase, dispute);
}

/** What was refunded so far; Stripe's sum has those that failed in it, as they fail after all are made. */
function refundedOf({ payment }: Purchase): number {
	return payment.refunds.reduce((sum, made) => sum + amountOf(made.created()), 0);
}

/** One of the events that tell of a refund may be enough, and it may be told by its sum alone. */
function refund(sim: Simulation, random: Random, purchase: Purchase, made: Refund): void {
	const said = { kind: 'refund' as const, id: made.id, amountCents: amountOf(made.created()), isUndone: false };
	const sum = purchase.payer.shape === 'old' && random.chance(0.5) ? made.chargeRefundedWithList() : made.chargeRefunded();
	const cents = refundedOf(purchase);
	const total = {
		kind: 'total' as const,
		id: `${purchase.payment.ids.charge}:${sum.created}:${cents}`,
		amountCents: cents,
		isUndone: false,
	};
	const listed =
		'refunds' in sum.data.object
			? purchase.payment.refunds.map((each) => ({ ...said, id: each.id, amountCents: amountOf(each.created()) }))
			: [];
	const told: [StripeEvent, SaidReversal[]][] = [
		[made.created(random.pick(['pending', 'succeeded'])), [said]],
		[sum, [...listed, total]],
		[made.updated('succeeded'), [said]],
	];
	for (const [event, reversals] of someOf(told, random)) post(sim, random, purchase, event, { kind: 'reversal', reversals });
}

function fail(sim: Simulation, random: Random, purchase: Purchase, made: Refund): void {
	purchase.failed.add(made.id);
	const said = { kind: 'refund' as const, id: made.id, amountCents: amountOf(made.created()), isUndone: true };
	const told = random.chance(0.3) ? [made.updated('canceled')] : someOf([made.failed(), made.chargeRefundUpdated('failed')], random);
	for (const event of told) post(sim, random, purchase, event, { kind: 'reversal', reversals: [said] });
}

function contest(sim: Simulation, random: Random, purchase: Purchase, dispute: Dispute): void {
	const said = { kind: 'dispute' as const, id: dispute.id, amountCents: amountOf(dispute.created()), isUndone: false };
	if (random.chance(0.2)) return post(sim, random, purchase, dispute.created('warning_needs_response'), { kind: 'nothing' });
	purchase.isDisputed = true;
	for (const event of someOf([dispute.created(), dispute.fundsWithdrawn()], random)) {
		post(sim, random, purchase, event, { kind: 'reversal', reversals: [said] });
	}
}

function decide(sim: Simulation, random: Random, purchase: Purchase, dispute: Dispute): void {
	purchase.isDisputed = false;
	const isUndone = random.chance(0.6);
	const said = { kind: 'dispute' as const, id: dispute.id, amountCents: amountOf(dispute.created()), isUndone };
	const told = isUndone ? [dispute.closed('won'), dispute.fundsReinstated()] : [dispute.closed('lost')];
	for (const event of someOf(told, random)) post(sim, random, purchase, event, { kind: 'reversal', reversals: [said] });
}

/** At least one, mostly most of them. */
function someOf<Item>(items: readonly Item[], random: Random): readonly Item[] {
	const some = random.some(items, 0.7);
	return some.length > 0 ? some : [random.pick(items)];
}

function amountOf({ data: { object } }: StripeEvent): number {
	return 'amount' in object ? Number(object.amount) : 0;
}

function purchaseOf(payer: Payer, payment: Payment, isRenewal: boolean, isProration = false): Purchase {
	const { paymentIntent, charge, invoice } = payment.ids;
	const session = isRenewal || payer.kind === 'alone' ? [] : [payer.story.ids.session];
	const isCharged = payer.kind !== 'trial' || isRenewal;
	const ids = [...(isCharged ? [paymentIntent, charge] : []), ...(invoice === undefined ? [] : [invoice]), ...session];
	const purchase = { payer, payment, ids, isRenewal, isProration, isDisputed: false, failed: new Set<string>() };
	payer.purchases.push(purchase);
	return purchase;
}

function purchaseIn(payer: Payer, random: Random): Purchase {
	return random.pick(payer.purchases);
}

/** What a `client_reference_id` says: a click id where it looks like one, else the key of a customer. */
function referenceOf(claims: Claims | undefined): Claims | undefined {
	const reference = claims?.clickId ?? claims?.customerKey;
	if (reference === undefined) return undefined;
	const numbers = /^cust_(\d+)_(\d+)$/.exec(reference);
	const isClickId = numbers !== null && Number.isSafeInteger(Number(numbers[1])) && Number.isSafeInteger(Number(numbers[2]));
	return { customerKey: isClickId ? undefined : reference, clickId: isClickId ? reference : undefined, programId: undefined };
}

function clientReference(clientReferenceId: string | undefined) {
	return clientReferenceId === undefined ? {} : { clientReferenceId };
}

function metadataOf(claims: Claims | undefined, productId?: string): Record<string, string> {
	return {
		...(claims && productId !== undefined && { tracker_product_id: productId }),
		...(claims?.customerKey !== undefined && { tracker_customer_key: claims.customerKey }),
		...(claims?.clickId !== undefined && { tracker_click_id: claims.clickId }),
		...(claims?.programId !== undefined && { program_id: String(claims.programId) }),
	};
}

function postAll(sim: Simulation, random: Random, purchase: Purchase, events: readonly StripeEvent[]): void {
	for (const event of events) post(sim, random, purchase, event, saysOf(event, purchase));
}

function saysOf({ type, data: { object } }: StripeEvent, { payer, isRenewal }: Purchase): Says {
	const isPaid = (payer.kind !== 'trial' || isRenewal) && !('payment_status' in object && object.payment_status !== 'paid');
	const isSubscription = payer.kind === 'subscription' || payer.kind === 'trial';
	if (type === 'payment_intent.succeeded' && tellsOfItself(payer)) return { kind: 'sale' };
	if (type === 'charge.succeeded' || type === 'payment_intent.succeeded' || type === 'invoice_payment.paid') return { kind: 'ids' };
	if (type.startsWith('invoice.')) return { kind: isPaid ? 'sale' : 'nothing' };
	if (!type.startsWith('checkout.session.') || type === 'checkout.session.async_payment_failed') return { kind: 'nothing' };
	if (isSubscription) return { kind: 'ids' };
	return { kind: isPaid ? 'sale' : 'nothing' };
}

/** Whether the payment intent makes the sale where its checkout does not. */
function tellsOfItself({ kind, shape, intentClaims }: Payer): boolean {
	if (kind === 'held') return true;
	// Of the old shape it does not say whether a checkout asked for it; an invoice does.
	const isAlone = kind === 'alone' || (shape === 'old' && (kind === 'single' || kind === 'slow'));
	return isAlone && (intentClaims?.customerKey ?? intentClaims?.clickId) !== undefined;
}

/** Now and then an event goes to another program's address too: an account may serve several. */
function post(sim: Simulation, random: Random, purchase: Purchase, event: StripeEvent, says: Says): void {
	const { payer } = purchase;
	const claims = claimsOf(event, payer);
	const elsewhere = random.chance(0.03) ? WORLD.programs.filter((program) => program !== payer.program) : [];
	for (const program of [payer.program, ...elsewhere.slice(0, 1)]) {
		sim.account.post({ program, event, purchase, says, claims, isLost: random.chance(0.03), isAcknowledged: false });
	}
}

function claimsOf({ type }: StripeEvent, { kind, checkoutClaims, subscriptionClaims, intentClaims }: Payer): Claims | undefined {
	const isSubscription = kind === 'subscription' || kind === 'trial';
	if (type.startsWith('checkout.session.')) return checkoutClaims;
	if (type === 'payment_intent.succeeded') return intentClaims;
	if (type.startsWith('invoice.') || type.startsWith('customer.subscription.')) return isSubscription ? subscriptionClaims : undefined;
	return undefined;
}
