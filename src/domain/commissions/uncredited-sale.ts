import type { NoCommissionReason, RuleTerms } from './commission.ts';
import type { DecisionFacts } from './decision-facts.ts';
import { decidingRule } from './explanation-of-lines.ts';
import { countText } from '../time-text.ts';

// What partners read about a sale of theirs that earned nothing. It contains no time and no id that could identify the buyer.

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

/** Explains why a sale earned nothing. */
export function uncreditedText(sale: UncreditedSale): string {
	const { facts } = sale;
	switch (uncreditedReasonOf(sale)) {
		case 'duplicate':
			return 'The same payment was recorded twice: the other record counts';
		case 'window_expired':
			return facts
				? `It was paid later than ${countText(facts.windowDays, 'day')} after the click, which is how long a sale is yours`
				: 'It was paid so long after the click that it is yours no more';
		case 'recurring_limit_reached':
			return limitText(facts && decidingRule(facts));
		case 'proration':
			return 'The program pays a fixed amount for first payments and regular renewals, and this was the rest of a period after a change';
		case 'partner_suspended':
			return 'Your membership was suspended when it was recorded';
		case 'no_rule':
			if (facts?.lines) return 'The program had no rate that applied to the largest part of it';
			return facts && facts.rules.length > 0
				? `The program's rates were fixed amounts in other currencies than ${facts.currency}`
				: 'The program had no rate that applied to it';
	}
}

function limitText(rule: RuleTerms | undefined): string {
	const months = rule?.recurringMonths ?? undefined;
	if (months === undefined) return 'The program pays for no more renewals of this subscription';
	return months === 0
		? 'The program pays for the first payment of a subscription, and this was a renewal'
		: `The program pays for the renewals of the first ${countText(months, 'month')} of a subscription, and this was a later one`;
}
