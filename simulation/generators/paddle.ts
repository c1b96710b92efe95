import type { AdjustmentStatus } from '../../testing/paddle/adjustment.ts';
import { signatureOf } from '../../testing/paddle/sign.ts';
import { type Adjustment, type Payment, paddleStory, type Story } from '../../testing/paddle/story.ts';
import type { PaddleEvent } from '../../testing/paddle/wire.ts';
import type { Random } from '../../testing/random.ts';
import type { Beginning, Claims, Payer, Purchase, ParsedReversal, ParsedEvent } from '../world/account.ts';
import type { Simulation } from '../world/simulation.ts';
import { aPrice, type Buyer, metadataOf, type Price, someOf, type EventGenerator } from './generator.ts';

/** Transactions are payments, adjustments are refunds and disputes. Live and test mode have different secrets. */
export const paddle: EventGenerator = {
	processor: 'paddle',
	signatureHeader: 'paddle-signature',
	begin,
	deliver({ body }, secret, at) {
		const text = JSON.stringify(body);
		return { body: text, headers: { 'paddle-signature': signatureOf(text, secret, at) } };
	},
	renamed: (event, id) => ({ ...event, id, body: { ...event.body, event_id: id } }),
};

interface PaddlePayer {
	readonly story: Story;
	readonly kind: 'single' | 'subscription' | 'trial';
	readonly price: Price;
	/** `claims` are the transaction's, copied to its subscription. An update of the subscription sets `lateClaims`, which renewals copy. */
	readonly claims: Claims | undefined;
	readonly lateClaims: Claims | undefined;
	/** Whether the keys were removed from the subscription. */
	isKeyless: boolean;
	readonly products: readonly string[];
}

interface Paid {
	readonly purchase: Purchase;
	readonly payment: Payment;
	readonly claims: Claims | undefined;
	/** In cents. */
	readonly tax: number;
	/** Refund adjustments by id, dispute adjustments by action. */
	readonly adjustments: Map<string, Adjustment>;
}

function begin(sim: Simulation, random: Random, { program, claims }: Buyer): Beginning {
	const { kind } = random.weighted([
		{ weight: 6, kind: 'single' as const },
		{ weight: 5, kind: 'subscription' as const },
		{ weight: 2, kind: 'trial' as const },
	]);
	const isSubscription = kind !== 'single';
	const said = random.weighted([
		{ weight: 12, claims, lateClaims: undefined },
		{ weight: isSubscription ? 2 : 0, claims: undefined, lateClaims: claims },
		{ weight: 1, claims: undefined, lateClaims: undefined },
	]);
	const price = { ...aPrice(random, program), shipping: 0 };
	const named = !isSubscription && random.chance(0.4) ? random.pick(['pro', 'gift', 'other']) : undefined;
	// A trial's first transaction is 0, so there is nothing for a credit to pay.
	const credit = kind !== 'trial' && random.chance(0.15) ? random.below(price.amount) : 0;
	const story = paddleStory({
		mode: isSubscription ? 'subscription' : 'payment',
		...price,
		credit,
		customData: said.claims ? metadataOf(said.claims, named) : null,
		product: random.pick(['pro', 'gift', 'other']),
		at: sim.now,
		...(kind === 'trial' && { trialDays: 14 }),
	});
	const products = [said.claims && named !== undefined ? named : story.ids.product];
	const own: PaddlePayer = { story, kind, price, products, claims: said.claims, lateClaims: said.lateClaims, isKeyless: false };
	const payer = payerOf(own, program, random.chance(0.08));
	const paid = paidOf(own, payer, story.first, { credit, claims: own.claims, isRenewal: false, isProration: false });
	const unread = random.chance(0.3) ? [parsedOf(paid.purchase, story.first, story.first.paid())] : [];
	return { purchase: paid.purchase, events: [...beginningOf(own, paid), ...unread, transactionOf(own, paid)] };
}

function payerOf(own: PaddlePayer, program: Payer['program'], isTest: boolean): Payer {
	const { story, price, kind } = own;
	const { customer, subscription: id } = story.ids;
	const claims = own.claims ?? own.lateClaims;
	const payer: Payer = {
		program,
		processor: 'paddle',
		customerId: customer,
		isTest,
		price,
		claims: claims ? [claims] : [],
		subscription: id === undefined ? undefined : { id, claims, beganAt: story.first.paidAt, isTrial: kind === 'trial' },
		purchases: [],
		isPending: false,
		generate: {
			conclude: () => [],
			renew: (random) => renew(own, payer, random),
			end: (purchase) => [parsedOf(purchase, story.first, story.subscription.canceled())],
		},
	};
	return payer;
}

/** The subscription's own events, the only report of a trial's sign-up. */
function beginningOf(own: PaddlePayer, paid: Paid): ParsedEvent[] {
	const { story, kind, claims, lateClaims } = own;
	if (kind === 'single') return [];
	const beginning = { at: story.first.paidAt, isTrial: kind === 'trial' };
	const created = parsedOf(paid.purchase, story.first, story.subscription.created(), { claims, beginning, isAboutSomebody: true });
	if (!lateClaims) return [created];
	const updated = story.subscription.updated();
	const named = { ...updated, data: { ...updated.data, custom_data: metadataOf(lateClaims) } };
	return [created, parsedOf(paid.purchase, story.first, named, { claims: lateClaims, beginning, isAboutSomebody: true })];
}

function renew(own: PaddlePayer, payer: Payer, random: Random): Beginning {
	const isProration = random.chance(0.3);
	const { amount, tax } = own.price;
	const credit = random.chance(0.15) ? random.below(amount) : 0;
	own.isKeyless ||= random.chance(0.1);
	const claims = own.isKeyless ? undefined : payer.subscription?.claims;
	const customData = claims ? metadataOf(claims) : null;
	const payment = own.story.renew({ amount, tax, credit, isProration, customData, ...(isProration && { origin: 'subscription_update' }) });
	const paid = paidOf(own, payer, payment, { credit, claims, isRenewal: true, isProration });
	return { purchase: paid.purchase, events: [transactionOf(own, paid)] };
}

interface Of extends Pick<Purchase, 'isProration' | 'isRenewal'>, Pick<Paid, 'claims'> {
	/** Paid from the customer's balance, so it does not count as a sale. */
	readonly credit: number;
}

function paidOf(own: PaddlePayer, payer: Payer, payment: Payment, { credit, claims, ...of }: Of): Paid {
	const { amount, tax: taxOfAll } = own.price;
	const isCharged = own.kind !== 'trial' || of.isRenewal;
	const tax = Math.round((taxOfAll * (amount - credit)) / amount);
	const purchase: Purchase = {
		payer,
		...of,
		ids: [payment.id],
		// A renewal without claims does not inherit those of earlier events.
		claims: of.isRenewal ? (claims ? [claims] : []) : payer.claims,
		chargedCents: isCharged ? amount - credit - tax : 0,
		refunds: [],
		dispute: { state: 'none', cents: 0, at: 0 },
		generate: {
			refund: (random, cents) => refund(paid, random, cents),
			fail: (random, id) => [fail(paid, random, id)],
			contest: (random) => contest(paid, random),
			decide: (random, isWon) => [decide(paid, random, isWon)],
			loseAgain: () => [loseAgain(paid)],
		},
	};
	const paid: Paid = { purchase, payment, claims, tax, adjustments: new Map() };
	return paid;
}

function transactionOf(own: PaddlePayer, paid: Paid): ParsedEvent {
	const { purchase, payment, claims, tax } = paid;
	const { subscription } = purchase.payer;
	const { chargedCents } = purchase;
	const isFree = chargedCents === 0;
	const at = payment.paidAt + (isFree ? 2_000 : 0);
	const said = { claims, beginning: subscription && { at, isTrial: isFree }, isAboutSomebody: true };
	if (isFree) return parsedOf(purchase, payment, payment.completed(), said);
	const sale = {
		transactionId: payment.id,
		netCents: chargedCents,
		grossCents: chargedCents + tax,
		chargedCents,
		needsBill: false,
		products: own.products,
	};
	return parsedOf(purchase, payment, payment.completed(), { ...said, says: { kind: 'sale', sale } });
}

/** A refund counts as soon as it is requested. Refunding only tax, or giving credit for later payments, deducts nothing. */
function refund(paid: Paid, random: Random, cents: number) {
	const { payment, purchase, tax, adjustments } = paid;
	const taxPart = Math.floor((tax * cents) / purchase.chargedCents);
	const made = payment.refund(cents + taxPart, taxPart);
	adjustments.set(made.id, made);
	const said = { kind: 'refund', id: made.id, amountCents: cents, isUndone: false } as const;
	const events = someOf([made.created(random.pick(['pending_approval', 'approved'])), made.updated('approved')], random);
	const beside = random.weighted([
		{ weight: 6, events: () => [] },
		{ weight: tax > 0 ? 1 : 0, events: () => [payment.refund(tax, tax).created('approved')] },
		{ weight: 1, events: () => [payment.credit(cents).created('approved')] },
	]);
	return {
		id: made.id,
		events: [
			...events.map((event) => reversalEvent(paid, event, [said])),
			...beside.events().map((event) => parsedOf(purchase, payment, event)),
		],
	};
}

function fail(paid: Paid, random: Random, id: string): ParsedEvent {
	const amountCents = paid.purchase.refunds.find((refunded) => refunded.id === id)?.cents ?? 0;
	const event = adjustmentOf(paid, id).updated(random.pick<AdjustmentStatus>(['rejected', 'reversed']));
	return reversalEvent(paid, event, [{ kind: 'refund', id, amountCents, isUndone: true }]);
}

/** A dispute covers the whole transaction. A warning may come first. */
function contest(paid: Paid, random: Random) {
	const { payment, purchase, adjustments } = paid;
	const { actions } = random.weighted([
		{ weight: 4, actions: ['chargeback'] as const },
		{ weight: 2, actions: ['chargeback_warning'] as const },
		{ weight: 1, actions: ['chargeback_warning', 'chargeback'] as const },
	]);
	const events = actions.flatMap((action) => {
		const made = payment.dispute(action);
		adjustments.set(action, made);
		const said = { ...disputeOf(purchase, action), isUndone: false };
		return someOf([made.created(), made.updated('approved')], random).map((event) => reversalEvent(paid, event, [said]));
	});
	return { isInquiry: false, cents: purchase.chargedCents, events };
}

function decide(paid: Paid, random: Random, isUndone: boolean): ParsedEvent {
	const { payment, purchase, adjustments } = paid;
	const actions = DISPUTES.filter((action) => adjustments.has(action));
	const [first = 'chargeback', ...others] = actions;
	if (!isUndone) return reversalEvent(paid, adjustmentOf(paid, first).updated('approved'), [{ ...disputeOf(purchase, first), isUndone }]);
	// If there is only one adjustment, either it changes to reversed or a second adjustment reverses it.
	if (others.length === 0 && random.chance(0.5)) {
		return reversalEvent(paid, adjustmentOf(paid, first).updated('reversed'), [{ ...disputeOf(purchase, first), isUndone }]);
	}
	const isOfWarning = first === 'chargeback_warning' && others.length === 0;
	const over = isOfWarning ? [first] : DISPUTES;
	const event = payment.dispute(isOfWarning ? 'chargeback_warning_reverse' : 'chargeback_reverse').created();
	return reversalEvent(
		paid,
		event,
		over.map((action) => ({ ...disputeOf(purchase, action), isUndone })),
	);
}

/** A second chargeback of a transaction has the same dispute id. */
function loseAgain(paid: Paid): ParsedEvent {
	return reversalEvent(paid, paid.payment.dispute('chargeback').created(), [
		{ ...disputeOf(paid.purchase, 'chargeback'), isUndone: false },
	]);
}

const DISPUTES = ['chargeback_warning', 'chargeback'] as const;

/** Paddle has no dispute ids, so the transaction identifies the dispute. */
function disputeOf({ ids: [id], chargedCents }: Purchase, action: (typeof DISPUTES)[number]) {
	return { kind: 'dispute', id: `${id}:${action}`, amountCents: chargedCents } as const;
}

function adjustmentOf({ adjustments }: Paid, name: string): Adjustment {
	const adjustment = adjustments.get(name);
	if (!adjustment) throw new Error(`There is no adjustment ${name}`);
	return adjustment;
}

function reversalEvent({ purchase, payment }: Paid, event: PaddleEvent, reversals: readonly ParsedReversal[]): ParsedEvent {
	return parsedOf(purchase, payment, event, { says: { kind: 'reversal', reversals } });
}

type Said = Partial<Pick<ParsedEvent, 'beginning' | 'claims' | 'isAboutSomebody' | 'says'>>;

/** By default the service reads nothing in the event. */
function parsedOf({ ids, isRenewal }: Purchase, { paidAt }: Payment, event: PaddleEvent, said: Said = {}): ParsedEvent {
	const text = JSON.stringify(event.data);
	return {
		event: { id: event.event_id, type: event.event_type, body: event },
		says: { kind: 'nothing' },
		claims: undefined,
		ids: ids.filter((id) => text.includes(`"${id}"`)),
		isAboutSomebody: false,
		beginning: undefined,
		...said,
		paidAt,
		reportedBy: isRenewal ? undefined : 'subscription.updated',
		isBill: false,
	};
}
