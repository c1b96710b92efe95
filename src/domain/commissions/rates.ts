import { type RuleTerms, SCOPES } from './commission.ts';

/** What a partner is told of a rule in force. */
export type Rate = Omit<RuleTerms, 'ruleVersionId'> & { readonly productId: string | null };

/**
 * The rules by which a partner earns, of all that may apply to them, the most specific first: without those that another one
 * always goes before.
 */
export function ratesOf<Rule extends Rate>(rules: readonly Rule[]): Rule[] {
	const ordered = rules.toSorted((a, b) => rankOf(b) - rankOf(a));
	return ordered.filter((rule, index) => !ordered.slice(0, index).some((other) => goesBefore(other, rule)));
}

/** Whether a more specific rule applies to every sale that the other one applies to. */
function goesBefore(other: Rate, rule: Rate): boolean {
	if (rankOf(other) === rankOf(rule)) return false;
	const coversProduct = other.productId === null || other.productId === rule.productId;
	// A flat amount is for sales in its currency.
	const coversCurrency = other.type === 'percent' || (rule.type === 'flat' && other.currency === rule.currency);
	return coversProduct && coversCurrency;
}

function rankOf({ scope }: Rate): number {
	return SCOPES.indexOf(scope);
}
