import { eligibilityOf } from '../attribution/attribution.ts';
import { earn, earnByLine, type Earning, type EarningLine, type EarningSale, type RuleTerms, type Scope } from './commission.ts';
import { type CouponFacts, type CouponVerdict, isByCoupon } from '../attribution/coupon.ts';

/** How the buyer was found. `key_taking_click` and `key_taking_coupon`: the sale's click or coupon newly attributed a known customer. */
export const FOUND_BY = ['key', 'key_taking_click', 'key_taking_coupon', 'click', 'new', 'new_further', 'new_by_coupon'] as const;

/**
 * Everything needed to recompute a sale's commission after rules change. Stored with the sale and never erased, because it has no personal
 * data.
 */
export interface DecisionFacts {
	readonly foundBy: (typeof FOUND_BY)[number];
	/** Whether the sale came with another click, which had no effect. */
	readonly hadOtherClick: boolean;
	readonly clickedAt: number;
	readonly soldAt: number;
	readonly paidAt: number;
	/** The latest time at which the subscription can have begun. */
	readonly subscribedAt: number | undefined;
	/** Set if the trial carries our keys. */
	readonly trialBeganAt: number | undefined;
	readonly windowDays: number;
	readonly partnerStatus: 'active' | 'suspended';
	readonly amountCents: number;
	readonly currency: string;
	/** In the program's time zone. */
	readonly saleDay: string;
	readonly renewalOfDay: string | undefined;
	readonly isProration?: true | undefined;
	readonly coupon?: CouponFacts | undefined;
	readonly rules: readonly RuleTerms[];
	/** Set if lines followed their own rules (decision 53). */
	readonly lines?: readonly EarningLine[] | undefined;
}

export interface Recomputed {
	readonly insideWindow: boolean;
	readonly earning: Earning;
}

/** Computes what a sale earns from these facts alone. */
export function recompute(facts: DecisionFacts): Recomputed {
	const sale = earningSaleOf(facts);
	return { insideWindow: sale.insideWindow, earning: earn(sale, facts.rules) };
}

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

/** Every sale stores this text, so it is short. A missing field is undefined, false or the default in factsOf. */
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

/** Undefined for sales that are older than these facts, or newer than this version of the service. */
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

/** Has no product id, because it may be personal data. The rule has its product. */
type LineTuple = readonly [ruleVersionId: number | null, baseCents: number, earnedCents: number, isProration?: 1];

/** Basis points for a percent rule, minor units for a flat one. */
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
