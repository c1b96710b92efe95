import { SCOPES, type Scope, scopeOf } from '../../../domain/commission.ts';
import { money, plural } from '../../format.ts';
import type { Rule } from './rule-queries.ts';

// Rules as people say them.

type Terms = Pick<Rule, 'recurring_months' | 'hold_days'> &
	({ type: 'percent'; percent: number } | { type: 'flat'; amount_cents: number; currency: string });

/** "20%", "$5.00". */
export function rateOf(terms: Terms): string {
	return terms.type === 'percent' ? `${terms.percent}%` : money(terms.amount_cents, terms.currency);
}

/** "20% of each sale". */
export function earnsOf(terms: Terms): string {
	return terms.type === 'percent' ? `${rateOf(terms)} of each sale` : `${rateOf(terms)} for each sale in ${terms.currency}`;
}

/** The rest of what a rule says: of renewals, and of the hold. */
export function conditionsOf({ recurring_months: months, hold_days: days }: Pick<Terms, 'recurring_months' | 'hold_days'>): string {
	return `${recurringOf(months)} ${days === 0 ? 'Approved at once.' : `Held for ${plural(days, 'day')}, then approved.`}`;
}

function recurringOf(months: number | null): string {
	if (months === null) return 'Renewals too, for as long as they come.';
	if (months === 0) return 'The first payment only, no renewals.';
	return `Renewals too, for ${plural(months, 'month')} from the first payment.`;
}

export function scopeOfRule(rule: Pick<Rule, 'partner_id' | 'group_id' | 'product_id'>): Scope {
	return scopeOf(rule.partner_id, rule.group_id, rule.product_id);
}

/** From the one that wins over all others to the one that counts where no other does. */
export const SCOPE_ORDER = SCOPES.toReversed();

export const SCOPE_TITLES: Readonly<Record<Scope, string>> = {
	partner_product: 'A partner and a product',
	partner: 'A partner',
	group_product: 'A group and a product',
	group: 'A group',
	product: 'A product',
	default: 'Everything else',
};
