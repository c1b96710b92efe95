import { buyerTexts, type TimelineCoupon } from './buyer-texts.ts';
import { DAY_MS } from '../calendar.ts';
import { NO_COMMISSION, type NoCommissionReason, type RuleTerms, ruleFor } from './commission.ts';
import { type ExplainedCommission, stateReasonOf } from './commission-state.ts';
import { isByCoupon } from '../attribution/coupon.ts';
import { type DecisionFacts, recompute } from './decision-facts.ts';
import { decidingRule, earnedText, limitText, type LineRule, lineTexts, SCOPE_TEXTS, wholeTexts } from './explanation-of-lines.ts';
import { moneyText } from '../money.ts';
import { remainderOf } from '../payouts/payout.ts';
import { countText, dayText, timeText } from '../time-text.ts';

// Explains what happened to a sale and why, in order.

/** Something that happened or was decided. `at` is null if only the day is known, or if the step has no time. */
export interface Step {
	readonly at: number | null;
	readonly kind: 'click' | 'coupon' | 'lead' | 'sale' | 'decision' | 'commission' | 'refund' | 'ledger' | 'payout' | 'refusal' | 'event';
	readonly text: string;
}

export interface Explanation {
	readonly conclusion: string;
	readonly steps: readonly Step[];
}

/** Instants are ms, UTC. */
export interface SaleTimeline {
	readonly id: number;
	readonly transactionId: string;
	readonly isTest: boolean;
	readonly amountCents: number;
	readonly currency: string;
	readonly createdAt: number;
	readonly commissionState: 'made' | 'none' | 'failed';
	readonly noCommissionReason: NoCommissionReason | null;
	readonly duplicateOfSaleId: number | null;
	/** Undefined for sales recorded before facts were stored. */
	readonly facts: DecisionFacts | undefined;
	readonly customer: {
		readonly signupDay: string | null;
		readonly clickedAt: number | null;
		readonly shortLink: string | null;
		/** The coupon that attributed the customer; null if a click did. */
		readonly couponCode: string | null;
	} | null;
	readonly partnerName: string | null;
	/** Null if there was none or its code is unknown. */
	readonly coupon: TimelineCoupon | null;
	readonly commission: (ExplainedCommission & { readonly currency: string }) | null;
	readonly productId: string | null;
	/** JSON as submitted; null after an erasure. */
	readonly lineItems: string | null;
	readonly lineRules: readonly LineRule[];
	readonly rule: { readonly id: number; readonly version: number } | null;
	readonly refunds: readonly TimelineRefund[];
	readonly entries: readonly TimelineEntry[];
	readonly payout: TimelinePayout | null;
}

/** Negative for a reinstatement. */
export interface TimelineRefund {
	readonly amountCents: number;
	readonly deductionCents: number | null;
	/** The part of a reinstatement that was not credited to the balance. */
	readonly withheldCents: number;
	readonly outcome: 'reversed' | 'refunded' | 'no_commission' | 'reinstated' | 'skipped' | 'test';
	readonly source: 'endpoint' | 'processor';
	readonly reason: string | null;
	readonly createdAt: number;
}

export interface TimelineEntry {
	readonly kind: string;
	readonly nominalCents: number;
	readonly appliedCents: number;
	readonly balanceAfterCents: number;
	readonly createdAt: number;
}

export interface TimelinePayout {
	readonly id: number;
	readonly amountCents: number;
	readonly currency: string;
	readonly createdAt: number;
	readonly sentAt: number | null;
	readonly failedAt: number | null;
	readonly failureReason: string | null;
}

export interface TimeContext {
	readonly now: number;
	readonly timeZone: string;
}

/** Explains a sale in the order of events. Each decision follows the sale that it is about. */
export function explainSale(timeline: SaleTimeline, time: TimeContext): Explanation {
	const after = [...refundSteps(timeline), ...ledgerSteps(timeline), ...payoutSteps(timeline)].sort((a, b) => (a.at ?? 0) - (b.at ?? 0));
	return {
		conclusion: conclusionOf(timeline, time),
		steps: [...beginningOf(timeline, time), ...decisionSteps(timeline, time), ...commissionSteps(timeline, time), ...after],
	};
}

function conclusionOf(timeline: SaleTimeline, { now, timeZone }: TimeContext): string {
	const sale = `Sale ${timeline.id} (${timeline.transactionId})`;
	if (timeline.isTest) return `${sale} is a test and earns nothing`;
	const { commission } = timeline;
	if (timeline.duplicateOfSaleId !== null)
		return `${sale} is the same payment as sale ${timeline.duplicateOfSaleId}, which counts. This one was reversed in full`;
	if (commission) {
		const left = remainderOf(commission);
		const rest = left === commission.amountCents ? '' : `, of which ${moneyText(left, commission.currency)} is left`;
		const earned = `${sale} earned ${moneyText(commission.amountCents, commission.currency)}${rest}`;
		return `${earned}. ${stateReasonOf(commission, now)}`;
	}
	if (timeline.noCommissionReason === null)
		return `${sale} has earned a commission that could not be created yet. It will be created automatically within minutes`;
	return `${sale} earned nothing: ${whyNothing(timeline.noCommissionReason, timeline, timeZone)}`;
}

/** Why a sale earned nothing, with the numbers if they are known. */
export function whyNothing(reason: NoCommissionReason, { facts }: Pick<SaleTimeline, 'facts'>, timeZone: string): string {
	if (!facts) return NO_COMMISSION[reason];
	const { clickedAt, paidAt, windowDays, renewalOfDay } = facts;
	switch (reason) {
		case 'window_expired':
			return `the window of ${countText(windowDays, 'day')} ended ${sinceText(paidAt - clickedAt - windowDays * DAY_MS)} before it was paid, on ${timeText(clickedAt + windowDays * DAY_MS, timeZone)}`;
		case 'recurring_limit_reached':
			return `${limitText(decidingRule(facts))}, and the first sale of this subscription was on ${dayText(renewalOfDay ?? facts.saleDay)}`;
		case 'no_rule':
			if (facts.lines) return 'no commission rule in force applied to the largest part of its cart';
			return facts.rules.length === 0
				? 'no commission rule applied to it'
				: `the only rules were flat amounts in currencies other than ${facts.currency}`;
		case 'partner_suspended':
			return 'its partner was suspended when it was recorded';
		case 'proration':
		case 'test_mode':
			return NO_COMMISSION[reason];
	}
}

/** For example "12 days"; in hours below two days. */
function sinceText(ms: number): string {
	const hours = Math.floor(ms / (DAY_MS / 24));
	if (hours >= 48) return countText(Math.floor(hours / 24), 'day');
	return hours === 0 ? 'less than an hour' : countText(hours, 'hour');
}

function beginningOf({ customer, facts, partnerName }: SaleTimeline, { timeZone }: TimeContext): Step[] {
	const clickedAt = facts?.clickedAt ?? customer?.clickedAt ?? null;
	const steps: Step[] = [];
	if (clickedAt !== null && customer?.couponCode) {
		const text = `Bought with coupon ${customer.couponCode} on ${timeText(clickedAt, timeZone)}, without a click`;
		steps.push({ at: clickedAt, kind: 'coupon', text });
	} else if (clickedAt !== null) {
		const link = customer?.shortLink ? ` ${customer.shortLink}` : '';
		const by = partnerName === null ? '' : `, a link of ${partnerName}`;
		steps.push({ at: clickedAt, kind: 'click', text: `Clicked${link} on ${timeText(clickedAt, timeZone)}${by}` });
	}
	if (customer?.signupDay) steps.push({ at: null, kind: 'lead', text: `Signed up on ${dayText(customer.signupDay)}` });
	return steps;
}

function decided(text: string): Step {
	return { at: null, kind: 'decision', text };
}

function decisionSteps(timeline: SaleTimeline, time: TimeContext): Step[] {
	const { timeZone } = time;
	const { facts, amountCents, currency, createdAt } = timeline;
	const sale = `${timeline.isTest ? 'A test sale' : 'A sale'} of ${moneyText(amountCents, currency)} was recorded`;
	const paid = facts && facts.paidAt !== facts.soldAt ? `; it was paid on ${timeText(facts.paidAt, timeZone)}` : '';
	const recorded: Step = {
		at: createdAt,
		kind: 'sale',
		text: `${sale} on ${timeText(createdAt, timeZone)} as ${timeline.transactionId}${paid}`,
	};
	if (timeline.isTest) return [recorded];
	if (!facts) return [recorded, decided('It was recorded before the facts of decisions were stored, so the exact reasons are unknown')];
	return [recorded, ...[...buyerTexts(facts, timeline.coupon), windowText(facts, time), ...ruleTexts(timeline, facts)].map(decided)];
}

function windowText(facts: DecisionFacts, { now, timeZone }: TimeContext): string {
	const { clickedAt, paidAt, trialBeganAt, windowDays, renewalOfDay } = facts;
	if (isByCoupon(facts.coupon)) return 'It was bought with a coupon of its partner, so the window does not apply';
	const end = clickedAt + windowDays * DAY_MS;
	const window = `the window of ${countText(windowDays, 'day')}, which ${now > end ? 'ended' : 'ends'} on ${timeText(end, timeZone)}`;
	if (renewalOfDay !== undefined)
		return `It renews a subscription whose first sale was on ${dayText(renewalOfDay)}. The rule's limit applies, not the window`;
	if (!recompute(facts).insideWindow) return `It was paid after ${window}`;
	if (trialBeganAt !== undefined && trialBeganAt < paidAt)
		return `Its subscription began with a trial on ${timeText(trialBeganAt, timeZone)}, within ${window}`;
	return `It was paid within ${window}`;
}

function ruleTexts({ rule, noCommissionReason, commissionState, lineRules, ...sale }: SaleTimeline, facts: DecisionFacts): string[] {
	if (facts.partnerStatus === 'suspended') return ['The partner was suspended'];
	if (noCommissionReason === 'window_expired') return [];
	if (facts.lines) return lineTexts({ facts, lineRules });
	const used = ruleFor(facts, facts.rules);
	if (!used) return [`No commission rule could pay for it in ${facts.currency}`];
	const passed = facts.rules.filter(({ ruleVersionId }) => ruleVersionId !== used.ruleVersionId).map(({ scope }) => SCOPE_TEXTS[scope]);
	const name = rule ? `Rule ${rule.id}, version ${rule.version}` : 'The rule';
	const others = passed.length === 0 ? '' : `. It takes precedence over the rule ${passed.join(' and the rule ')}`;
	const applied = `${name} (${SCOPE_TEXTS[used.scope]}) applied${others}`;
	const outcome = commissionState === 'none' ? `But ${limitText(used)}` : amountText(used, facts);
	return [applied, outcome, ...wholeTexts(sale)];
}

function amountText(rule: RuleTerms, facts: DecisionFacts): string {
	const { earning } = recompute(facts);
	const text = earnedText(rule, facts.amountCents, earning.kind === 'earned' ? earning.amountCents : 0, facts.currency);
	return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}

function commissionSteps({ commission }: SaleTimeline, { now, timeZone }: TimeContext): Step[] {
	if (!commission) return [];
	const { createdAt, holdUntil, status, rejectionReason } = commission;
	const hold =
		holdUntil <= createdAt
			? 'It has no hold, so it was approved immediately'
			: `On hold until ${timeText(holdUntil, timeZone)}${holdUntil <= now ? ', which is over' : ''}`;
	const rejected = status === 'rejected' ? [`Rejected${rejectionReason === null ? '' : `: ${rejectionReason}`}`] : [];
	return [hold, ...rejected].map((text) => ({ at: null, kind: 'commission', text }));
}

function refundSteps({ refunds, currency }: SaleTimeline): Step[] {
	return refunds.map((refund) => ({ at: refund.createdAt, kind: 'refund', text: refundText(refund, currency) }));
}

export function refundText(
	{ outcome, source, amountCents, deductionCents, withheldCents, reason }: TimelineRefund,
	currency: string,
): string {
	const amount = moneyText(Math.abs(amountCents), currency);
	const deducted = deductionCents === null ? 'the sale has no commission' : `${moneyText(deductionCents, currency)} deducted`;
	const by = source === 'processor' ? ', as reported by the payment processor' : '';
	const because = reason === null ? '' : ` (${reason})`;
	const withheld = withheldCents === 0 ? '' : `, of which ${moneyText(withheldCents, currency)} was withheld`;
	switch (outcome) {
		case 'reversed':
		case 'refunded':
			return `Refunded ${amount}${by}${because}: ${deducted}`;
		case 'no_commission':
			return `Refunded ${amount}${by}${because}: there was no commission to deduct it from`;
		case 'reinstated':
			return `${amount} counts again${by} because a refund failed or a dispute was won: ${moneyText(Math.abs(deductionCents ?? 0), currency)} reinstated${withheld}`;
		case 'skipped':
			return `A refund was reported but not applied${because}`;
		case 'test':
			return `A test refund of ${amount}. It changes nothing`;
	}
}

/** Why a ledger entry changed the balance by less than the amount due. */
const CLAMPED: Readonly<Record<string, string>> = {
	reinstatement: 'the rest was withheld for an earlier refund that the balance could not cover',
};

function ledgerSteps({ entries, currency }: SaleTimeline): Step[] {
	return entries.map(({ kind, nominalCents, appliedCents, balanceAfterCents, createdAt }) => {
		const moved = `${appliedCents < 0 ? '' : '+'}${moneyText(appliedCents, currency)}`;
		const clamped =
			nominalCents === appliedCents
				? ''
				: `. ${moneyText(nominalCents, currency)} was due, but ${CLAMPED[kind] ?? 'the balance had no more'}`;
		return {
			at: createdAt,
			kind: 'ledger',
			text: `Balance ${moved} by ${kind}, to ${moneyText(balanceAfterCents, currency)}${clamped}`,
		};
	});
}

function payoutSteps({ payout }: SaleTimeline): Step[] {
	if (!payout) return [];
	const { id, amountCents, currency, createdAt, sentAt, failedAt, failureReason } = payout;
	return [
		...payoutStep(createdAt, `Paid in payout ${id}, which has a total of ${moneyText(amountCents, currency)}`),
		...payoutStep(sentAt, `Payout ${id} was marked as sent`),
		...payoutStep(
			failedAt,
			`Payout ${id} failed${failureReason === null ? '' : `: ${failureReason}`}. Its amount was credited to the balance again`,
		),
	];
}

function payoutStep(at: number | null, text: string): Step[] {
	return at === null ? [] : [{ at, kind: 'payout', text }];
}
