import { eligibilityOf } from '../attribution/attribution.ts';
import { earn, earnByLine, type Earning, type EarningLine, type EarningSale, type RuleTerms, type Scope } from './commission.ts';
import { type CouponFacts, type CouponVerdict, isByCoupon } from '../attribution/coupon.ts';

/**
 * How the buyer was found: as the customer of the key, who may have taken the click or the coupon of this sale; as the customer of the
 * click; or as a new one, the click's first or a further one, or the coupon's.
 */
export const FOUND_BY = ['key', 'key_taking_click', 'key_taking_coupon', 'click', 'new', 'new_further', 'new_by_coupon'] as const;

/**
 * All that the decision on a sale rested on, as it was then: whoever recomputes it gets what the sale earned, whatever was changed
 * since. It is stored with the sale and holds no personal data: nothing of it is to be erased.
 */
export interface DecisionFacts {
	readonly foundBy: (typeof FOUND_BY)[number];
	/** Whether the sale came with a click other than the customer's own, which changed nothing. */
	readonly hadOtherClick: boolean;
	readonly clickedAt: number;
	/** When it was recorded. */
	readonly soldAt: number;
	readonly paidAt: number;
	/** Since when the subscription has run, at the latest. */
	readonly subscribedAt: number | undefined;
	/** When the subscription began with a trial, and carries the keys. */
	readonly trialBeganAt: number | undefined;
	readonly windowDays: number;
	readonly partnerStatus: 'active' | 'suspended';
	readonly amountCents: number;
	readonly currency: string;
	/** The program's calendar day of `soldAt`. */
	readonly saleDay: string;
	/** The day of the subscription's first sale, where this sale renews it. */
	readonly renewalOfDay: string | undefined;
	/** Whether it pays for what is left of a period after a change. */
	readonly isProration?: true | undefined;
	/** What the coupon that came with it did. */
	readonly coupon?: CouponFacts | undefined;
	/** The rules in force that matched, with their terms. */
	readonly rules: readonly RuleTerms[];
	/** The parts of the sale by rule, if its lines took rules of their own (decision 53). */
	readonly lines?: readonly EarningLine[] | undefined;
}

export interface Recomputed {
	readonly insideWindow: boolean;
	readonly earning: Earning;
}

/** What a sale earns, by these facts and nothing else. */
export function recompute(facts: DecisionFacts): Recomputed {
	const sale = earningSaleOf(facts);
	return { insideWindow: sale.insideWindow, earning: earn(sale, facts.rules) };
}

/** What each part of a sale earned, if its lines took rules of their own. */
export function recomputeLines(facts: DecisionFacts): (EarningLine & { readonly earning: Earning })[] {
	const { lines = [] } = facts;
	const earnings = earnByLine(earningSaleOf(facts), lines, facts.rules);
	return lines.flatMap((line, index) => {
		const earning = earnings[index];
		return earning ? [{ ...line, earning }] : [];
	});
}

function earningSaleOf(facts: DecisionFacts): EarningSale {
	const insideWindow = isByCoupon(facts.coupon) || eligibilityOf(facts.clickedAt, facts, facts.windowDays) === 'inside';
	return { ...facts, insideWindow, isPartnerActive: facts.partnerStatus === 'active' };
}

/** Short, as every sale stores it. What is left out is undefined, false, or what stands at the other end of `??` in factsOf. */
export function factsText(facts: DecisionFacts): string {
	return JSON.stringify({
		v: facts.lines ? VERSION_WITH_LINES : VERSION,
		by: facts.foundBy,
		other: facts.hadOtherClick ? 1 : undefined,
		click: facts.clickedAt,
		sold: facts.soldAt,
		paid: facts.paidAt === facts.soldAt ? undefined : facts.paidAt,
		began: facts.subscribedAt,
		trial: facts.trialBeganAt,
		window: facts.windowDays,
		suspended: facts.partnerStatus === 'suspended' ? 1 : undefined,
		cents: facts.amountCents,
		currency: facts.currency,
		day: facts.saleDay,
		renews: facts.renewalOfDay,
		proration: facts.isProration ? 1 : undefined,
		coupon: facts.coupon && (facts.coupon.id === undefined ? [facts.coupon.verdict] : [facts.coupon.verdict, facts.coupon.id]),
		rules: facts.rules.map(tupleOf),
		lines: facts.lines && recomputeLines(facts).map(lineTupleOf),
	} satisfies StoredFacts);
}

/** Undefined for a sale that was recorded before facts were kept, or by a later version of this service than is asked. */
export function factsOf(text: string | null): DecisionFacts | undefined {
	if (text === null) return undefined;
	const stored: StoredFacts = JSON.parse(text);
	if (stored.v > VERSION_WITH_LINES) return undefined;
	return {
		foundBy: stored.by,
		hadOtherClick: stored.other === 1,
		clickedAt: stored.click,
		soldAt: stored.sold,
		paidAt: stored.paid ?? stored.sold,
		subscribedAt: stored.began,
		trialBeganAt: stored.trial,
		windowDays: stored.window,
		partnerStatus: stored.suspended === 1 ? 'suspended' : 'active',
		amountCents: stored.cents,
		currency: stored.currency,
		saleDay: stored.day,
		renewalOfDay: stored.renews,
		...(stored.proration === 1 && { isProration: true }),
		...(stored.coupon && { coupon: { verdict: stored.coupon[0], id: stored.coupon[1] } }),
		rules: stored.rules.map(termsOfTuple),
		...(stored.lines && { lines: stored.lines.map(lineOfTuple) }),
	};
}

const VERSION = 1;
const VERSION_WITH_LINES = 2;

interface StoredFacts {
	readonly v: number;
	readonly by: DecisionFacts['foundBy'];
	readonly other: 1 | undefined;
	readonly click: number;
	readonly sold: number;
	readonly paid: number | undefined;
	readonly began: number | undefined;
	readonly trial: number | undefined;
	readonly window: number;
	readonly suspended: 1 | undefined;
	readonly cents: number;
	readonly currency: string;
	readonly day: string;
	readonly renews: string | undefined;
	readonly proration?: 1 | undefined;
	readonly coupon?: readonly [verdict: CouponVerdict, id?: number] | undefined;
	readonly rules: readonly RuleTuple[];
	readonly lines?: readonly LineTuple[] | undefined;
}

/** Without any product: what a line names may be personal, and the rule says which product it is for. */
type LineTuple = readonly [ruleVersionId: number | null, baseCents: number, earnedCents: number, isProration?: 1];

/** `percent` has basis points, `flat` minor units of the currency. */
type RuleTuple = readonly [
	ruleVersionId: number,
	scope: Scope,
	value: number | null,
	currency: string | null,
	recurringMonths: number | null,
	holdDays: number,
	flat?: 1,
];

function tupleOf({ ruleVersionId, scope, type, basisPoints, amountCents, currency, recurringMonths, holdDays }: RuleTerms): RuleTuple {
	const rest = [currency, recurringMonths, holdDays] as const;
	return type === 'flat' ? [ruleVersionId, scope, amountCents, ...rest, 1] : [ruleVersionId, scope, basisPoints, ...rest];
}

function termsOfTuple([ruleVersionId, scope, value, currency, recurringMonths, holdDays, flat]: RuleTuple): RuleTerms {
	const terms = { ruleVersionId, scope, currency, recurringMonths, holdDays };
	return flat === 1
		? { ...terms, type: 'flat', basisPoints: null, amountCents: value }
		: { ...terms, type: 'percent', basisPoints: value, amountCents: null };
}

function lineTupleOf({ ruleVersionId, baseCents, isProration, earning }: ReturnType<typeof recomputeLines>[number]): LineTuple {
	const tuple = [ruleVersionId ?? null, baseCents, earning.kind === 'earned' ? earning.amountCents : 0] as const;
	return isProration ? [...tuple, 1] : tuple;
}

function lineOfTuple([ruleVersionId, baseCents, _earnedCents, isProration]: LineTuple): EarningLine {
	return { ruleVersionId: ruleVersionId ?? undefined, baseCents, ...(isProration === 1 && { isProration: true }) };
}
