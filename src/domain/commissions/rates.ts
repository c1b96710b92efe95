import { type RuleTerms, SCOPES } from './commission.ts';

export type Rate = Omit<RuleTerms, 'ruleVersionId'> & { readonly productId: string | null };

/** A partner is shown at most this many rules; the more specific ones are read first. */
export const MOST_RULES = 500;

/** The rules that apply to a partner, most specific first, without those that another rule always overrides. */
export function ratesOf<Rule extends Rate>(rules: readonly Rule[]): Rule[] {
	const ordered = rules.toSorted((a, b) => rankOf(b) - rankOf(a));
	return ordered.filter((rule, index) => !ordered.slice(0, index).some((other) => goesBefore(other, rule)));
}

/** Whether the more specific rule matches every sale that the other one matches. */
function goesBefore(other: Rate, rule: Rate): boolean {
	if (rankOf(other) === rankOf(rule)) return false;
	const coversProduct = other.productId === null || other.productId === rule.productId;
	// A flat amount applies only to sales in its currency.
	const coversCurrency = other.type === 'percent' || (rule.type === 'flat' && other.currency === rule.currency);
	return coversProduct && coversCurrency;
}

function rankOf({ scope }: Rate): number {
	return SCOPES.indexOf(scope);
}
