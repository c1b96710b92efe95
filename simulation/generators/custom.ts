import { signedWebhook } from '../../testing/custom/sign.ts';
import type { Random } from '../../testing/random.ts';
import type { Beginning, Claims, Payer, Purchase, Says, ParsedEvent } from '../world/account.ts';
import type { Simulation } from '../world/simulation.ts';
import { aCart } from '../world/cart.ts';
import { aPrice, type Buyer, type Price, someOf, type EventGenerator } from './generator.ts';

/** One id per payment, one event per fact. */
export const custom: EventGenerator = {
	processor: 'custom',
	signatureHeader: 'webhook-signature',
	begin,
	deliver: ({ id, body }, secret, at) => signedWebhook(body, secret, at, id),
	renamed: (event, id) => ({ ...event, id }),
};

interface CustomPayer {
	readonly sim: Simulation;
	readonly kind: 'single' | 'subscription' | 'trial';
	readonly price: Price;
	readonly productId: string | undefined;
	readonly lineItems: readonly unknown[] | undefined;
	readonly claims: Claims;
	/** The claims sent with the first payment and with the sign-up. */
	readonly paymentClaims: Claims | undefined;
	readonly signupClaims: Claims | undefined;
	readonly subscriptionId: string | undefined;
	/** Every shop with order numbers has an order 1001. */
	readonly isNumbered: boolean;
}

function begin(sim: Simulation, random: Random, { program, claims: named }: Buyer): Beginning {
	// The webhook's URL identifies the program; the body does not.
	const claims = { ...named, programId: undefined };
	const { kind } = random.weighted([
		{ weight: 6, kind: 'single' as const },
		{ weight: 5, kind: 'subscription' as const },
		{ weight: 2, kind: 'trial' as const },
	]);
	const said = random.weighted([
		{ weight: 8, payment: claims, signup: claims },
		{ weight: 6, payment: claims, signup: undefined },
		{ weight: 2, payment: undefined, signup: claims },
		{ weight: 1, payment: undefined, signup: undefined },
	]);
	const own: CustomPayer = {
		sim,
		kind,
		price: aPrice(random, program),
		productId: random.chance(0.6) ? random.pick(['pro', 'gift', 'other']) : undefined,
		lineItems: random.chance(0.4) ? aCart(random) : undefined,
		claims,
		// A sign-up, or a payment without a subscription, must name its customer.
		paymentClaims: kind === 'single' ? claims : said.payment,
		signupClaims: kind === 'trial' ? claims : said.signup,
		subscriptionId: kind === 'single' ? undefined : newId('sub'),
		isNumbered: random.chance(0.7),
	};
	const isTest = random.chance(0.08);
	const payer: Payer = {
		program,
		processor: 'custom',
		customerId: '',
		isTest,
		price: own.price,
		claims: [claims],
		subscription: subscriptionOf(own),
		purchases: [],
		isPending: false,
		generate: {
			conclude: () => [],
			renew: (drawn) => renew(own, payer, drawn),
			end: (purchase) => [eventOf(own, purchase, 'subscription_end', { subscription_id: own.subscriptionId })],
		},
	};
	const purchase = purchaseOf(own, payer, { isRenewal: false, isProration: false });
	const payments = kind === 'trial' ? [] : [payment(own, purchase, 'payment', own.paymentClaims)];
	const signups = own.signupClaims ? [signup(own, purchase, own.signupClaims)] : [];
	return { purchase, events: [...signups, ...payments.flatMap((once) => [once, ...again(own, purchase, once, random)])] };
}

function subscriptionOf({ sim, kind, subscriptionId: id, claims }: CustomPayer): Payer['subscription'] {
	return id === undefined ? undefined : { id, claims, beganAt: sim.now, isTrial: kind === 'trial' };
}

/** A backend that got no response may send a report again under another event id. */
function again(own: CustomPayer, purchase: Purchase, { event, says, claims, beginning }: ParsedEvent, random: Random): ParsedEvent[] {
	if (!random.chance(0.2)) return [];
	const { type, data } = { data: {}, ...event, ...event.body };
	return [eventOf(own, purchase, type, data, { says, claims, beginning })];
}

function renew(own: CustomPayer, payer: Payer, random: Random): Beginning {
	const isProration = random.chance(0.3);
	const claims = random.chance(0.5) ? own.claims : undefined;
	const purchase = purchaseOf(own, payer, { isRenewal: true, isProration });
	const once = payment(own, purchase, 'renewal', claims);
	return { purchase, events: [once, ...again(own, purchase, once, random)] };
}

type Of = Pick<Purchase, 'isProration' | 'isRenewal'>;

function purchaseOf(own: CustomPayer, payer: Payer, of: Of): Purchase {
	const isCharged = own.kind !== 'trial' || of.isRenewal;
	const purchase: Purchase = {
		payer,
		...of,
		ids: [orderOf(own, payer)],
		// Every event of a subscription identifies its payer, even a late renewal.
		claims: [own.claims],
		chargedCents: isCharged ? own.price.amount : 0,
		refunds: [],
		dispute: { state: 'none', cents: 0, at: 0 },
		generate: {
			refund(random, cents) {
				const id = newId('refund');
				const said = { kind: 'refund', id, amountCents: cents, isUndone: false } as const;
				const statuses = [random.pick([null, 'pending']), 'succeeded'];
				return { id, events: someOf(statuses, random).map((status) => reversalEvent(own, purchase, said, status)) };
			},
			fail(random, id) {
				const cents = purchase.refunds.find((refund) => refund.id === id)?.cents ?? 0;
				const said = { kind: 'refund', id, amountCents: cents, isUndone: true } as const;
				return [reversalEvent(own, purchase, said, random.pick(['failed', 'canceled']))];
			},
			contest(random) {
				const cents = random.chance(0.6) ? own.price.amount : random.between(1, own.price.amount);
				const said = { kind: 'dispute', id: `dispute_${purchase.ids[0]}`, amountCents: cents, isUndone: false } as const;
				return { cents, isInquiry: false, events: [reversalEvent(own, purchase, said, random.pick([null, 'open']))] };
			},
			decide(_, isUndone) {
				const { cents } = purchase.dispute;
				const said = { kind: 'dispute', id: `dispute_${purchase.ids[0]}`, amountCents: cents, isUndone } as const;
				return [reversalEvent(own, purchase, said, isUndone ? 'won' : 'lost')];
			},
			loseAgain(random) {
				const { cents } = purchase.dispute;
				const said = { kind: 'dispute', id: `dispute_${purchase.ids[0]}`, amountCents: cents, isUndone: false } as const;
				return [reversalEvent(own, purchase, said, random.pick([null, 'open', 'lost']))];
			},
		},
	};
	return purchase;
}

function orderOf({ sim, isNumbered }: CustomPayer, { program }: Payer): string {
	if (!isNumbered) return newId('order');
	const numbered = sim.account.purchases().filter(({ ids, payer }) => payer.program === program && isOrderNumber(ids));
	return String(1001 + numbered.length);
}

/** An order number is unique only within its program. */
export function isOrderNumber([id = '']: readonly string[]): boolean {
	return /^\d+$/.test(id);
}

function payment(own: CustomPayer, purchase: Purchase, type: 'payment' | 'renewal', claims: Claims | undefined): ParsedEvent {
	const { price, productId = null, subscriptionId } = own;
	const [id = ''] = purchase.ids;
	const data = {
		payment_id: id,
		amount_cents: price.amount,
		tax_cents: price.tax,
		shipping_cents: price.shipping,
		currency: price.currency,
		product_id: productId,
		line_items: own.lineItems,
		subscription_id: subscriptionId,
		...whoOf(claims),
		...(type === 'renewal' && { proration: purchase.isProration }),
	};
	const sale = {
		transactionId: id,
		netCents: price.amount - price.tax - price.shipping,
		grossCents: price.amount,
		chargedCents: price.amount,
		needsBill: false,
		products: [productId],
	};
	const beginning = subscriptionId === undefined ? undefined : { at: own.sim.now, isTrial: false };
	return eventOf(own, purchase, type, data, { says: { kind: 'sale', sale }, claims, beginning });
}

function signup(own: CustomPayer, purchase: Purchase, claims: Claims): ParsedEvent {
	const isTrial = own.kind === 'trial';
	const data = { ...whoOf(claims), subscription_id: own.subscriptionId, trial: isTrial };
	return eventOf(own, purchase, 'signup', data, { claims, ids: [], beginning: { at: own.sim.now, isTrial } });
}

function reversalEvent(
	own: CustomPayer,
	purchase: Purchase,
	said: Extract<Says, { kind: 'reversal' }>['reversals'][number],
	status: string | null,
): ParsedEvent {
	const id = said.kind === 'refund' ? { refund_id: said.id } : { dispute_id: said.id };
	const data = { ...id, payment_id: purchase.ids[0], amount_cents: said.amountCents, currency: own.price.currency, status };
	return eventOf(own, purchase, said.kind, data, { says: { kind: 'reversal', reversals: [said] } });
}

function eventOf(
	{ sim }: CustomPayer,
	purchase: Purchase,
	type: string,
	data: object,
	said: Partial<Pick<ParsedEvent, 'beginning' | 'claims' | 'ids' | 'says'>> = {},
): ParsedEvent {
	const body = { type, timestamp: new Date(sim.now).toISOString(), test: purchase.payer.isTest, data };
	return {
		event: { id: newId('msg'), type, body },
		says: { kind: 'nothing' },
		claims: undefined,
		ids: purchase.ids,
		beginning: undefined,
		...said,
		paidAt: sim.now,
		isAboutSomebody: true,
		reportedBy: type === 'renewal' ? 'payment' : 'signup',
		isBill: false,
	};
}

function whoOf(claims: Claims | undefined) {
	return { customer_key: claims?.customerKey, click_id: claims?.clickId };
}

function newId(kind: string): string {
	return `${kind}_${crypto.randomUUID().replaceAll('-', '')}`;
}
