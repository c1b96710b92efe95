import type { NoCommissionReason, RuleTerms } from './commission.ts';
import type { DecisionFacts } from './decision-facts.ts';
import { decidingRule } from './explanation-of-lines.ts';
import { countText } from '../time-text.ts';

// What partners read about one of their sales that earned nothing. It contains no time or id that could identify the buyer.

/** `duplicate`: the payment was recorded twice and counts once. */
export type UncreditedReason = Exclude<NoCommissionReason, 'test_mode'> | 'duplicate';

export interface UncreditedSale {
	readonly noCommissionReason: NoCommissionReason;
	readonly isDuplicate: boolean;
	/** Undefined for sales recorded before facts were stored. */
	readonly facts: Pick<DecisionFacts, 'windowDays' | 'rules' | 'lines' | 'currency'> | undefined;
}

export function uncreditedReasonOf({ isDuplicate, noCommissionReason: reason }: UncreditedSale): UncreditedReason {
	if (isDuplicate) return 'duplicate';
	// Real sales never have this reason.
	return reason === 'test_mode' ? 'no_rule' : reason;
}

export function uncreditedText(sale: UncreditedSale): string {
	const { facts } = sale;
	switch (uncreditedReasonOf(sale)) {
		case 'duplicate':
			return 'The same payment was recorded twice. The other record counts';
		case 'window_expired':
			return facts
				? `It was paid more than ${countText(facts.windowDays, 'day')} after the click, when the attribution window had ended`
				: 'It was paid after the attribution window had ended';
		case 'recurring_limit_reached':
			return limitText(facts && decidingRule(facts));
		case 'proration':
			return 'The program pays a fixed amount for first payments and regular renewals. This was a partial payment after a change of the subscription';
		case 'partner_suspended':
			return 'Your membership was suspended when it was recorded';
		case 'no_rule':
			if (facts?.lines) return 'The program had no commission rule for the largest part of it';
			return facts && facts.rules.length > 0
				? `The program's commission rules were fixed amounts in currencies other than ${facts.currency}`
				: 'The program had no commission rule for it';
	}
}

function limitText(rule: RuleTerms | undefined): string {
	const months = rule?.recurringMonths ?? undefined;
	if (months === undefined) return 'The program no longer pays for renewals of this subscription';
	return months === 0
		? 'The program pays only for the first payment of a subscription. This was a renewal'
		: `The program pays for renewals in the first ${countText(months, 'month')} of a subscription. This was a later one`;
}
