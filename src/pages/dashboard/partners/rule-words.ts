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

/** "20% of every sale, and of renewals for 12 months". */
export function earnsOf(terms: Terms): string {
	const what = terms.type === 'percent' ? `${rateOf(terms)} of each sale` : `${rateOf(terms)} for each sale in ${terms.currency}`;
	return `${what}, ${recurringOf(terms.recurring_months)}`;
}

export function recurringOf(months: number | null): string {
	if (months === null) return 'renewals too, for as long as they come';
	if (months === 0) return 'the first payment only';
	return `renewals too, for ${plural(months, 'month')} from the first payment`;
}

export function holdOf(days: number): string {
	return days === 0 ? 'Approved at once' : `Held for ${plural(days, 'day')}, then approved`;
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
