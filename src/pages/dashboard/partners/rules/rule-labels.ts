import { SCOPES, type Scope, scopeOf } from '../../../../domain/commissions/commission.ts';
import { holdOf, renewalsOf } from '../../../labels/rate.ts';
import type { Rule } from './rule-queries.ts';

/** Renewals and hold. */
export function conditionsOf({ recurring_months: months, hold_days: days }: Pick<Rule, 'recurring_months' | 'hold_days'>): string {
	return `${renewalsOf(months)} ${holdOf(days)}`;
}

export function scopeOfRule(rule: Pick<Rule, 'partner_id' | 'group_id' | 'product_id'>): Scope {
	return scopeOf(rule.partner_id, rule.group_id, rule.product_id);
}

/** The scope that overrides all others comes first. */
export const SCOPE_ORDER = SCOPES.toReversed();

export const SCOPE_TITLES: Readonly<Record<Scope, string>> = {
	partner_product: 'A partner and a product',
	partner: 'A partner',
	group_product: 'A group and a product',
	group: 'A group',
	product: 'A product',
	default: 'Everything else',
};
