import type { AttributedClick, Identity, KnownCustomer } from './attribution.ts';

// Decision 47: a customer keeps its partner; else the click counts, then the coupon.

/** An active coupon of the program that came with a sale. */
export interface SentCoupon {
	readonly id: number;
	readonly partnerProgramId: number;
	/**
	 * The click by which it attributes a customer: the partner's link, at the time of the sale. Undefined while the partner is suspended.
	 */
	readonly click: AttributedClick | undefined;
}

/** What a coupon_code did for its sale. */
export const COUPON_VERDICTS = ['unknown', 'suspended', 'attributed', 'own', 'other'] as const;

/**
 * `unknown`: no active coupon has the code; `suspended`: its partner was; `attributed`: it gave the customer its partner; `own`: the
 * customer has that partner anyway; `other`: another partner's, without effect.
 */
export type CouponVerdict = (typeof COUPON_VERDICTS)[number];

/** What is stored with the sale: never the code, which may be anything that somebody typed. */
export interface CouponFacts {
	readonly verdict: CouponVerdict;
	readonly id: number | undefined;
}

/** Whether clicks or coupons go first, and whether a click could earn by the sale. */
export interface Precedence {
	readonly couponWins: boolean;
	readonly isInside: (click: AttributedClick) => boolean;
}

/**
 * Attributes by the coupon if it counts: the customer has no partner, and no click that could earn or that goes before coupons. A click
 * of the coupon's own partner says more than the coupon.
 */
export function takeCoupon<Customer extends KnownCustomer>(
	identity: Identity<Customer>,
	offered: AttributedClick | undefined,
	{ couponWins, isInside }: Precedence,
): Identity<Customer> {
	if (!offered || isLocked(identity)) return identity;
	const click = clickOf(identity);
	const isOfOther = click?.partnerProgramId !== offered.partnerProgramId;
	if (click && isInside(click) && !(couponWins && isOfOther)) return identity;
	return identity.kind === 'new' ? { ...identity, click: offered } : { ...identity, newClick: offered };
}

/** A customer keeps its partner, and one that has bought without a partner never gets one (decision 4). */
function isLocked(identity: Identity<KnownCustomer>): boolean {
	return identity.kind === 'known' && (identity.customer.clickId !== null || identity.customer.status === 'conversion');
}

/** The click that newly attributes the customer. */
function clickOf(identity: Identity<KnownCustomer>): AttributedClick | undefined {
	return identity.kind === 'new' ? identity.click : identity.newClick;
}

/** What the coupon did, once the sale's partner is known. */
export function couponFactsOf(
	coupon: SentCoupon | 'unknown' | undefined,
	identity: Identity<KnownCustomer>,
	partnerProgramId: number,
): CouponFacts | undefined {
	if (coupon === undefined) return undefined;
	if (coupon === 'unknown') return { verdict: 'unknown', id: undefined };
	const { id, click } = coupon;
	if (coupon.partnerProgramId === partnerProgramId) {
		return { verdict: click !== undefined && clickOf(identity) === click ? 'attributed' : 'own', id };
	}
	return { verdict: click ? 'other' : 'suspended', id };
}

/** Whether the coupon brought the sale: then the attribution window does not apply. */
export function isByCoupon(coupon: CouponFacts | undefined): boolean {
	return coupon?.verdict === 'attributed' || coupon?.verdict === 'own';
}
