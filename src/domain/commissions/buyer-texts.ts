import type { DecisionFacts } from './decision-facts.ts';

// Explains how the buyer was found, and what the click and the coupon did.

export interface TimelineCoupon {
	readonly code: string;
	readonly partnerName: string;
}

/** `coupon` is null if the sale had no coupon or an unknown one. */
export function buyerTexts(facts: DecisionFacts, coupon: TimelineCoupon | null): string[] {
	return [FOUND_BY[facts.foundBy], ...otherClickTexts(facts), ...couponTexts(facts, coupon)];
}

const FOUND_BY = {
	key: 'Its customer was known by customer_key and already had this partner',
	key_taking_click: 'Its customer was known by customer_key without a partner, and was attributed to the click of the sale',
	click: 'Its customer was found by the click',
	new: 'Its customer was new and was attributed to the click',
	new_further: 'Its customer was new and was attributed to a click that already had another customer',
	key_taking_coupon: "Its customer was known by customer_key without a partner, and was attributed to the coupon's partner",
	new_by_coupon: 'Its customer was new and was attributed to the coupon',
} as const satisfies Record<DecisionFacts['foundBy'], string>;

function otherClickTexts({ hadOtherClick, coupon }: DecisionFacts): string[] {
	if (!hadOtherClick) return [];
	return coupon?.verdict === 'attributed'
		? ['It also had a click, but the program prefers coupons or the click could not earn']
		: ['It had another click, which changed nothing: a customer keeps the partner of the first click'];
}

function couponTexts({ coupon: facts, foundBy }: DecisionFacts, coupon: TimelineCoupon | null): string[] {
	if (!facts) return [];
	const name = coupon ? `Coupon ${coupon.code} of ${coupon.partnerName}` : 'A coupon';
	switch (facts.verdict) {
		case 'unknown':
			return ['It had a coupon_code that no active coupon has, which changed nothing'];
		case 'suspended':
			return [`${name} was used, which changed nothing: its partner was suspended`];
		case 'attributed':
			return [`${name} was used, and the customer was attributed to its partner`];
		case 'own':
			return [`${name} was used. The customer already had this partner`];
		case 'other': {
			const isNew = foundBy === 'new' || foundBy === 'new_further' || foundBy === 'key_taking_click';
			return [`${name} was used, which changed nothing: ${isNew ? 'a click takes precedence' : 'a customer keeps their partner'}`];
		}
	}
}
