import { signatureOf } from '../../testing/stripe/sign.ts';
import { stripeStory } from '../../testing/stripe/story.ts';
import type { Payment, Story } from '../../testing/stripe/story-types.ts';
import type { StripeEvent } from '../../testing/stripe/wire.ts';
import type { Random } from '../../testing/random.ts';
import type { Beginning, Claims, Payer, Purchase, ParsedReversal } from '../world/account.ts';
import type { Simulation } from '../world/simulation.ts';
import { saidOf, says, type StripePayer, type StripePayment } from './stripe-events.ts';
import { type Buyer, metadataOf, someOf, type EventGenerator } from './generator.ts';

export const stripe: EventGenerator = {
	processor: 'stripe',
	signatureHeader: 'stripe-signature',
	begin,
	deliver({ body }, secret, at) {
		const text = JSON.stringify(body);
		return { body: text, headers: { 'stripe-signature': signatureOf(text, secret, at) } };
	},
	renamed: (event, id) => ({ ...event, id, body: { ...event.body, id } }),
};

function begin(sim: Simulation, random: Random, { program, claims }: Buyer): Beginning {
	const said = random.weighted([
		{ weight: 8, checkout: claims, subscription: claims },
		{ weight: 5, checkout: claims, subscription: undefined },
		{ weight: 4, checkout: undefined, subscription: claims },
		{ weight: 2, checkout: undefined, subscription: undefined },
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
	// The payment intent of a one-time payment can carry claims, too.
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
	const isOfStripe = (payer: Payer) => payer.processor === 'stripe' && payer.program === program && payer.isTest === isTest;
	const before = random.chance(0.15) ? sim.account.payers.find(isOfStripe) : undefined;
	const captured = kind === 'held' ? (random.chance(0.5) ? amount : random.between(1, amount)) : undefined;
	const isReference = (checkout?.customerKey === undefined || checkout.clickId === undefined) && random.chance(0.5);
	const productId = !isSubscription && random.chance(0.4) ? random.pick(['pro', 'gift', 'other']) : undefined;
	// The business's order reference is not a customer key.
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
		...(before && { customer: before.customerId }),
	});
	const checkoutClaims = isReference ? referenceOf(checkout) : checkout;
	const orderClaims = isReference || order === undefined ? undefined : { customerKey: order, clickId: undefined, programId: undefined };
	const own = {
		kind,
		shape,
		price,
		story,
		captured,
		productId,
		checkoutClaims,
		subscriptionClaims: subscription,
		intentClaims: intent,
		orderClaims,
	};
	const payer = payerOf(own, { program, isTest });
	const purchase = purchaseOf(own, payer, { payment: story.first, isRenewal: false, isProration: false });
	return { purchase, events: parseAll(own, { purchase, payment: story.first }, beginningOf(own, story)) };
}

function payerOf(own: StripePayer, { program, isTest }: Pick<Payer, 'isTest' | 'program'>): Payer {
	const { kind, story, price, subscriptionClaims: claims } = own;
	const { subscription: id, customer } = story.ids;
	const payer: Payer = {
		program,
		processor: 'stripe',
		customerId: customer,
		isTest,
		price,
		// If there are no other claims, a trial's lead uses the order reference as its key.
		claims: present([own.checkoutClaims, claims, own.intentClaims, own.orderClaims]),
		subscription: id === undefined ? undefined : { id, claims, beganAt: story.first.paidAt, isTrial: kind === 'trial' },
		purchases: [],
		isPending: kind === 'slow' || kind === 'held',
		generate: {
			conclude: (random, purchase) => parseAll(own, { purchase, payment: story.first }, endOf(own, random)),
			renew: (random) => renew(own, payer, random),
			end: (purchase) => {
				const event = story.subscription.deleted();
				return [saidOf(own, { purchase, payment: story.first }, event, { kind: 'nothing' })];
			},
		},
	};
	return payer;
}

function beginningOf({ kind }: StripePayer, { first, checkout }: Story): StripeEvent[] {
	if (kind === 'alone') return [first.chargeSucceeded(), first.paymentIntentSucceeded()];
	return kind === 'slow' || kind === 'held' ? [checkout.completed('unpaid')] : first.events();
}

function endOf({ kind, story }: StripePayer, random: Random): StripeEvent[] {
	const { checkout, first } = story;
	if (kind === 'held') return [first.chargeSucceeded(), first.paymentIntentSucceeded()];
	if (random.chance(0.25)) return [checkout.asyncPaymentFailed()];
	return [first.chargeSucceeded(), first.paymentIntentSucceeded(), checkout.asyncPaymentSucceeded()];
}

function renew(own: StripePayer, payer: Payer, random: Random): Beginning {
	const isProration = random.chance(0.3);
	const { amount, tax } = own.price;
	const credited = random.chance(0.3) ? random.below(amount) : 0;
	const change = { amount, tax, isProration, paidFromBalance: credited };
	const payment = own.story.renew({ ...change, ...(isProration && { billingReason: 'subscription_update' }) });
	const purchase = purchaseOf(own, payer, { payment, isRenewal: true, isProration, credited });
	const of = { purchase, payment };
	// Credit notes report some credits to the balance; others are never reported.
	const isNoted = credited > 0 && random.chance(0.6);
	const noted = isNoted ? [saidOf(own, of, own.story.first.creditNote({ toBalance: credited }).created(), { kind: 'nothing' })] : [];
	return { purchase, events: [...noted, ...parseAll(own, of, payment.events())] };
}

interface Paid extends Pick<Purchase, 'isProration' | 'isRenewal'> {
	readonly payment: Payment;
	/** Paid from the customer's balance. */
	readonly credited?: number;
}

function purchaseOf(own: StripePayer, payer: Payer, { payment, isRenewal, isProration, credited = 0 }: Paid): Purchase {
	const { kind, story, price, captured } = own;
	const { paymentIntent, charge, invoice } = payment.ids;
	const session = isRenewal || kind === 'alone' ? [] : [story.ids.session];
	const isCharged = kind !== 'trial' || isRenewal;
	const purchase: Purchase = {
		payer,
		ids: [...(isCharged ? [paymentIntent, charge] : []), ...(invoice === undefined ? [] : [invoice]), ...session],
		claims: present([
			payer.subscription ? own.subscriptionClaims : undefined,
			...(isRenewal ? [] : [own.checkoutClaims, own.intentClaims]),
		]),
		chargedCents: isCharged ? (captured ?? price.amount - credited) : 0,
		isRenewal,
		isProration,
		refunds: [],
		dispute: { state: 'none', cents: 0, at: 0 },
		generate: {
			refund: (random, cents) => refund(own, { purchase, payment }, random, cents),
			fail: (random, id) => fail(own, { purchase, payment }, random, id),
			contest: (random) => contest(own, { purchase, payment }, random),
			decide: (random, isWon) => decide(own, { purchase, payment }, random, isWon),
			loseAgain: () => loseAgain(own, { purchase, payment }),
		},
	};
	return purchase;
}

/** Only one of its events, or only the refunded total, may report a refund. */
function refund(own: StripePayer, of: StripePayment, random: Random, cents: number) {
	const { payment } = of;
	if (payment.ids.invoice !== undefined && random.chance(0.25)) return creditOutside(own, of, random, cents);
	const made = payment.refund(cents);
	const said = { kind: 'refund' as const, id: made.id, amountCents: cents, isUndone: false };
	const sum = own.shape === 'old' && random.chance(0.5) ? made.chargeRefundedWithList() : made.chargeRefunded();
	const amounts = payment.refunds.map((each) => ({ ...said, id: each.id, amountCents: amountOf(each.created()) }));
	const sumCents = amounts.reduce((total, { amountCents }) => total + amountCents, 0);
	const id = `${payment.ids.charge}:${sum.created}:${sumCents}`;
	const total = { kind: 'total' as const, id, amountCents: sumCents, isUndone: false };
	const listed = 'refunds' in sum.data.object ? amounts : [];
	const sent: [StripeEvent, ParsedReversal[]][] = [
		[made.created(random.pick(['pending', 'succeeded'])), [said]],
		[sum, [...listed, total]],
		[made.updated('succeeded'), [said]],
	];
	const events = someOf(sent, random).map(([event, reversals]) => saidOf(own, of, event, { kind: 'reversal', reversals }));
	return { id: made.id, events };
}

/** Only a credit note reports a refund outside Stripe. */
function creditOutside(own: StripePayer, of: StripePayment, random: Random, cents: number) {
	const note = of.payment.creditNote({ outOfBand: cents });
	const said = { kind: 'refund' as const, id: note.id, amountCents: cents, isUndone: false };
	const sent = someOf([note.created(), note.updated()], random);
	return { id: note.id, events: sent.map((event) => saidOf(own, of, event, { kind: 'reversal', reversals: [said] })) };
}

function fail(own: StripePayer, of: StripePayment, random: Random, id: string) {
	const note = of.payment.creditNotes.find((each) => each.id === id);
	if (note) {
		const { cents: amountCents = 0 } = of.purchase.refunds.find((each) => each.id === id) ?? {};
		const reversals = [{ kind: 'refund' as const, id, amountCents, isUndone: true }];
		return [saidOf(own, of, note.voided(), { kind: 'reversal', reversals })];
	}
	const made = of.payment.refunds.find((each) => each.id === id);
	if (!made) throw new Error(`There is no refund ${id}`);
	const said = { kind: 'refund' as const, id, amountCents: amountOf(made.created()), isUndone: true };
	const sent = random.chance(0.3) ? [made.updated('canceled')] : someOf([made.failed(), made.chargeRefundUpdated('failed')], random);
	return sent.map((event) => saidOf(own, of, event, { kind: 'reversal', reversals: [said] }));
}

function contest(own: StripePayer, of: StripePayment, random: Random) {
	const amount = random.chance(0.6) ? undefined : random.between(1, of.purchase.chargedCents);
	const dispute = of.payment.dispute(amount);
	const cents = amountOf(dispute.created());
	const said = { kind: 'dispute' as const, id: dispute.id, amountCents: cents, isUndone: false };
	const isInquiry = random.chance(0.2);
	if (isInquiry) return { isInquiry, cents, events: [saidOf(own, of, dispute.created('warning_needs_response'), { kind: 'nothing' })] };
	const sent = someOf([dispute.created(), dispute.fundsWithdrawn()], random);
	return { isInquiry, cents, events: sent.map((event) => saidOf(own, of, event, { kind: 'reversal', reversals: [said] })) };
}

function decide(own: StripePayer, of: StripePayment, random: Random, isUndone: boolean) {
	const [dispute] = of.payment.disputes;
	if (!dispute) throw new Error('There is no dispute');
	const said = { kind: 'dispute' as const, id: dispute.id, amountCents: amountOf(dispute.created()), isUndone };
	const sent = isUndone ? [dispute.closed('won'), dispute.fundsReinstated()] : [dispute.closed('lost')];
	return someOf(sent, random).map((event) => saidOf(own, of, event, { kind: 'reversal', reversals: [said] }));
}

function loseAgain(own: StripePayer, of: StripePayment) {
	const [dispute] = of.payment.disputes;
	if (!dispute) throw new Error('There is no dispute');
	const said = { kind: 'dispute' as const, id: dispute.id, amountCents: amountOf(dispute.created()), isUndone: false };
	return [saidOf(own, of, dispute.lostAfterAll(), { kind: 'reversal', reversals: [said] })];
}

function amountOf({ data: { object } }: StripeEvent): number {
	return 'amount' in object ? Number(object.amount) : 0;
}

function parseAll(own: StripePayer, of: StripePayment, events: readonly StripeEvent[]) {
	return events.map((event) => saidOf(own, of, event, says(own, of, event)));
}

/** A `client_reference_id` is a click id if it looks like one, otherwise a customer key. */
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

function present(claims: readonly (Claims | undefined)[]): Claims[] {
	return claims.filter((said) => said !== undefined);
}
