import type { AttributedClick, Identity, KnownCustomer } from './attribution.ts';

// Decision 47: a customer keeps the partner it has; else the click counts, then the coupon.

/** A coupon in use of the program that came with a sale. */
export interface SentCoupon {
	readonly id: number;
	readonly partnerProgramId: number;
	/** By which it attributes a customer: of the partner's link, at the time of the sale. Undefined while the partner is suspended. */
	readonly click: AttributedClick | undefined;
}

/** What a coupon_code did for the decision on its sale. */
export const COUPON_VERDICTS = ['unknown', 'suspended', 'attributed', 'own', 'other'] as const;

/**
 * `unknown`: none of the program's in use has the code; `suspended`: its partner was; `attributed`: it gave the customer its partner;
 * `own`: it is of the partner that the customer has anyway; `other`: of another one, which changed nothing.
 */
export type CouponVerdict = (typeof COUPON_VERDICTS)[number];

/** What is stored of it with the sale: never the code, which may be anything that somebody typed. */
export interface CouponFacts {
	readonly verdict: CouponVerdict;
	/** Of an unknown one there is none. */
	readonly id: number | undefined;
}

/** How clicks and coupons go together in a program, and whether a click could earn by the sale. */
export interface Precedence {
	readonly couponWins: boolean;
	readonly isInside: (click: AttributedClick) => boolean;
}

/**
 * The same customer, by the coupon where that counts: of who has no partner, and comes by no click that could earn, or by one that the
 * program puts behind coupons. A click of the coupon's own partner tells more than the coupon.
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

/** Who has a partner keeps it, and who has bought without one has none for good (decision 4). */
function isLocked(identity: Identity<KnownCustomer>): boolean {
	return identity.kind === 'known' && (identity.customer.clickId !== null || identity.customer.status === 'conversion');
}

/** The click by which the customer newly comes. */
function clickOf(identity: Identity<KnownCustomer>): AttributedClick | undefined {
	return identity.kind === 'new' ? identity.click : identity.newClick;
}

/** What the coupon did for a sale whose partner is found. */
export function couponFactsOf(
	given: SentCoupon | 'unknown' | undefined,
	identity: Identity<KnownCustomer>,
	partnerProgramId: number,
): CouponFacts | undefined {
	if (given === undefined) return undefined;
	if (given === 'unknown') return { verdict: 'unknown', id: undefined };
	const { id, click } = given;
	if (given.partnerProgramId === partnerProgramId) {
		return { verdict: click !== undefined && clickOf(identity) === click ? 'attributed' : 'own', id };
	}
	return { verdict: click ? 'other' : 'suspended', id };
}

/** Whether the sale is the coupon's: then the attribution window has no say. */
export function isByCoupon(coupon: CouponFacts | undefined): boolean {
	return coupon?.verdict === 'attributed' || coupon?.verdict === 'own';
}
