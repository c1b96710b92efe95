import type { AttributedClick, Identity, KnownCustomer } from './attribution.ts';

// Decision 47: a customer keeps their partner; otherwise the click decides, then the coupon.

export interface SentCoupon {
	readonly id: number;
	readonly partnerProgramId: number;
	/** The click that attributes the sale. Undefined if the partner is suspended. */
	readonly click: AttributedClick | undefined;
}

export const COUPON_VERDICTS = ['unknown', 'suspended', 'attributed', 'own', 'other'] as const;

/**
 * `unknown`: no active coupon has the code; `suspended`: its partner was suspended; `attributed`: it attributed the customer; `own`: the
 * customer already had that partner; `other`: the customer has another partner.
 */
export type CouponVerdict = (typeof COUPON_VERDICTS)[number];

/** What is stored with the sale. Never the code, because customers may type anything. */
export interface CouponFacts {
	readonly verdict: CouponVerdict;
	readonly id: number | undefined;
}

/** Whether coupons take precedence over clicks, and whether a click's attribution window includes the sale. */
export interface Precedence {
	readonly couponWins: boolean;
	readonly isInside: (click: AttributedClick) => boolean;
}

/**
 * Attributes the customer to the coupon, unless they have a partner or a click takes precedence. A click on the coupon partner's own link
 * always does, because it is more precise.
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

/** Decision 4: a customer keeps their partner, and one who bought without a partner never gets one. */
function isLocked(identity: Identity<KnownCustomer>): boolean {
	return identity.kind === 'known' && (identity.customer.clickId !== null || identity.customer.status === 'conversion');
}

function clickOf(identity: Identity<KnownCustomer>): AttributedClick | undefined {
	return identity.kind === 'new' ? identity.click : identity.newClick;
}

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

/** If a coupon brought the sale, the attribution window does not apply. */
export function isByCoupon(coupon: CouponFacts | undefined): boolean {
	return coupon?.verdict === 'attributed' || coupon?.verdict === 'own';
}
