import type { DecisionFacts } from './decision-facts.ts';

// Explains how the buyer was found, and what the click and the coupon did.

export interface TimelineCoupon {
	readonly code: string;
	readonly partnerName: string;
}

/** `coupon` is null if the sale had none or it is unknown. */
export function buyerTexts(facts: DecisionFacts, coupon: TimelineCoupon | null): string[] {
	return [FOUND_BY[facts.foundBy], ...otherClickTexts(facts), ...couponTexts(facts, coupon)];
}

const FOUND_BY = {
	key: 'Its customer was known by customer_key, and had this partner',
	key_taking_click: 'Its customer was known by customer_key, had no partner yet, and took the click that came with the sale',
	click: 'Its customer was the one of the click',
	new: 'Its customer was new, and came by the click',
	new_further: 'Its customer was new, a further one of a click that had brought another',
	key_taking_coupon: 'Its customer was known by customer_key, had no partner yet, and took that of the coupon',
	new_by_coupon: 'Its customer was new, and came by the coupon',
} as const satisfies Record<DecisionFacts['foundBy'], string>;

function otherClickTexts({ hadOtherClick, coupon }: DecisionFacts): string[] {
	if (!hadOtherClick) return [];
	return coupon?.verdict === 'attributed'
		? ['A click came with it too: the program puts coupons first, or the click could not earn']
		: ['Another click came with it, which changed nothing: a customer keeps the partner of the first'];
}

function couponTexts({ coupon: facts, foundBy }: DecisionFacts, coupon: TimelineCoupon | null): string[] {
	if (!facts) return [];
	const name = coupon ? `Coupon ${coupon.code} of ${coupon.partnerName}` : 'A coupon';
	switch (facts.verdict) {
		case 'unknown':
			return ['A coupon_code came with it that no coupon in use had, which changed nothing'];
		case 'suspended':
			return [`${name} came with it, which changed nothing: its partner was suspended`];
		case 'attributed':
			return [`${name} came with it, and gave the customer its partner`];
		case 'own':
			return [`${name} came with it, the partner whom the customer has`];
		case 'other': {
			const isNew = foundBy === 'new' || foundBy === 'new_further' || foundBy === 'key_taking_click';
			return [`${name} came with it, which changed nothing: ${isNew ? 'a click goes before it' : 'a customer keeps its partner'}`];
		}
	}
}
