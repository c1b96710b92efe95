import {
	evidenceOf,
	type FoundClick,
	identify,
	type Identity,
	type KnownCustomer,
	eligibilityOf,
	type PaymentTimes,
} from '../attribution/attribution.ts';
import { dayOf } from '../calendar.ts';
import type { Earning } from './commission.ts';
import { couponFactsOf, type SentCoupon, isByCoupon, takeCoupon } from '../attribution/coupon.ts';
import { type DecisionFacts, recompute } from './decision-facts.ts';
import type { Sale } from './sale.ts';
import { cartOf, linesByRule, rulesOf, type SellingRule } from './sale-lines.ts';

export interface SellingProgram {
	readonly id: number;
	readonly currency: string;
	readonly cookieWindowDays: number;
	readonly timeZone: string;
	readonly couponWins: boolean;
	readonly rulesByLine: boolean;
}

/** Without attribution, partner-program and click are null. */
export interface Buyer extends KnownCustomer {
	readonly programId: number;
	readonly partnerProgramId: number | null;
	readonly clickedAt: number | null;
}

/** A candidate partner with the rules in force for the sale's products. */
export interface SellingPartner {
	readonly partnerProgramId: number;
	readonly status: 'active' | 'suspended' | 'ended';
	readonly rules: readonly SellingRule[];
}

export interface KnownOfSale<Customer extends Buyer> {
	readonly byKey: Customer | undefined;
	readonly click: FoundClick | undefined;
	readonly ofClick: Customer | undefined;
	readonly partners: readonly SellingPartner[];
	/** Per customer: the day of the subscription's first sale, and whether a coupon attributed it. */
	readonly renewed: readonly { readonly customerId: number | null; readonly firstDay: string; readonly byCoupon?: boolean }[];
	/** Reported by a processor. `carriesKeys`: the subscription's own metadata names the customer. */
	readonly subscription:
		| { readonly beganAt: number | null; readonly trialBeganAt: number | null; readonly carriesKeys: boolean }
		| undefined;
	readonly coupon?: SentCoupon | 'unknown' | undefined;
}

export interface SoldAt {
	readonly now: number;
	readonly paidAt: number;
	/** Whether the payment itself carries the keys of its subscription. */
	readonly carriesKeys: boolean;
}

export interface Sold<Customer extends Buyer> {
	readonly kind: 'sold';
	readonly identity: Identity<Customer>;
	readonly partnerProgramId: number;
	readonly currency: string;
	readonly saleDay: string;
	/** Set if this sale starts a subscription: when two such sales race, only one may. */
	readonly startsSubscriptionOf: number | undefined;
	readonly facts: DecisionFacts;
	readonly insideWindow: boolean;
	readonly earning: Earning;
	readonly couponId: number | undefined;
}

/** Error codes of the contract, section 7. */
export type SaleRefusal =
	| 'sale_customer_not_found'
	| 'sale_customer_elsewhere'
	| 'partner_program_gone'
	| 'customer_unattributed'
	| 'paid_before_click'
	| 'subscribed_before_click';

export type SaleDecision<Customer extends Buyer> =
	| Sold<Customer>
	| { readonly kind: 'refused'; readonly code: SaleRefusal }
	/** The program has no such key. The error depends on whether another program does (decision 7). */
	| { readonly kind: 'unknown'; readonly customerKey: string };

/**
 * Decides who gets credit for a sale and what it earns (decisions 4, 8, 11, 41, 47). The window is checked at the time of payment or trial;
 * everything else at the time of recording (decision 25).
 */
export function decideSale<Customer extends Buyer>(
	program: SellingProgram,
	sale: Sale,
	known: KnownOfSale<Customer>,
	soldAt: SoldAt,
): SaleDecision<Customer> {
	const payment = paymentOf(known, soldAt);
	const identity = identityOf(program, sale, known, payment);
	if (identity.kind === 'new' && !identity.click) return refuseNobody(program, sale, known.click);
	const attribution = attributionOf(identity);
	if (!attribution) return refused('customer_unattributed');
	const { partnerProgramId } = attribution;
	const coupon = couponFactsOf(known.coupon, identity, partnerProgramId);
	const buyerId = identity.kind === 'known' ? identity.customer.id : undefined;
	const renewal = known.renewed.find((first) => first.customerId === buyerId);
	const eligibility = eligibilityOf(attribution.clickedAt, payment, program.cookieWindowDays);
	const isCouponsOwn = isByCoupon(coupon) || (renewal?.byCoupon === true && eligibility === 'subscribed_before_click');
	if (!isCouponsOwn && (eligibility === 'paid_before_click' || eligibility === 'subscribed_before_click')) return refused(eligibility);
	const partner = known.partners.find((candidate) => candidate.partnerProgramId === partnerProgramId);
	if (!partner || partner.status === 'ended') return refused('partner_program_gone');

	const saleDay = dayOf(soldAt.now, program.timeZone);
	const currency = sale.currency ?? program.currency;
	const facts: DecisionFacts = {
		...foundBy(program, identity, known),
		...payment,
		clickedAt: attribution.clickedAt,
		soldAt: soldAt.now,
		windowDays: program.cookieWindowDays,
		partnerStatus: partner.status,
		amountCents: sale.amountCents,
		currency,
		saleDay,
		renewalOfDay: renewal?.firstDay,
		...(sale.isProration && { isProration: true }),
		...(coupon && { coupon }),
		...governedBy(program, sale, currency, partner.rules),
	};
	const startsSubscriptionOf = sale.subscriptionId !== undefined && !renewal ? buyerId : undefined;
	const couponId = isByCoupon(coupon) ? coupon?.id : undefined;
	return { kind: 'sold', identity, partnerProgramId, currency, saleDay, startsSubscriptionOf, facts, couponId, ...recompute(facts) };
}

function governedBy(
	program: SellingProgram,
	sale: Sale,
	currency: string,
	rules: readonly SellingRule[],
): Pick<DecisionFacts, 'rules' | 'lines'> {
	const cart = program.rulesByLine ? cartOf(sale) : undefined;
	if (!cart) return { rules: rulesOf(rules, [sale.productId]) };
	const productIds = cart.map(({ productId }) => productId);
	return { rules: rulesOf(rules, productIds), lines: linesByRule(cart, currency, rules) };
}

function identityOf<Customer extends Buyer>(
	program: SellingProgram,
	{ customerKey }: Sale,
	{ byKey, click, ofClick, coupon }: KnownOfSale<Customer>,
	payment: PaymentTimes,
): Identity<Customer> {
	const byIds = identify(evidenceOf(program.id, { customerKey, byKey, click, ofClick }));
	const offered = coupon === 'unknown' ? undefined : coupon?.click;
	return takeCoupon(byIds, offered, {
		couponWins: program.couponWins,
		isInside: ({ clickedAt }) => eligibilityOf(clickedAt, payment, program.cookieWindowDays) === 'inside',
	});
}

/** Refuses a sale that matches no customer and has no click to create one. */
function refuseNobody(program: SellingProgram, { customerKey }: Sale, click: FoundClick | undefined): SaleDecision<never> {
	if (click) return refused(click.programId === program.id ? 'partner_program_gone' : 'sale_customer_elsewhere');
	return customerKey === undefined ? refused('sale_customer_not_found') : { kind: 'unknown', customerKey };
}

function refused(code: SaleRefusal) {
	return { kind: 'refused', code } as const;
}

function attributionOf(identity: Identity<Buyer>): { readonly partnerProgramId: number; readonly clickedAt: number } | undefined {
	if (identity.kind === 'new') return identity.click;
	const { partnerProgramId, clickedAt } = identity.customer;
	return partnerProgramId === null || clickedAt === null ? identity.newClick : { partnerProgramId, clickedAt };
}

function foundBy<Customer extends Buyer>(
	program: SellingProgram,
	identity: Identity<Customer>,
	{ byKey, click, ofClick }: KnownOfSale<Customer>,
): Pick<DecisionFacts, 'foundBy' | 'hadOtherClick'> {
	const isClickOwn = click?.programId === program.id;
	if (identity.kind === 'new' && identity.click?.couponId !== undefined) return { foundBy: 'new_by_coupon', hadOtherClick: isClickOwn };
	if (identity.kind === 'new') return { foundBy: ofClick ? 'new_further' : 'new', hadOtherClick: false };
	if (!byKey) return { foundBy: 'click', hadOtherClick: false };
	const { newClick } = identity;
	const hadOtherClick = isClickOwn && click.clickId !== (newClick ?? byKey).clickId;
	if (!newClick) return { foundBy: 'key', hadOtherClick };
	return { foundBy: newClick.couponId === undefined ? 'key_taking_click' : 'key_taking_coupon', hadOtherClick };
}

/** If the subscription carries the keys, its trial counts as its first sale (decision 41). */
function paymentOf({ subscription }: KnownOfSale<Buyer>, { paidAt, carriesKeys }: SoldAt) {
	const trialBeganAt = carriesKeys || subscription?.carriesKeys ? subscription?.trialBeganAt : undefined;
	return { paidAt, subscribedAt: subscription?.beganAt ?? undefined, trialBeganAt: trialBeganAt ?? undefined };
}
