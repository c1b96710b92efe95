import { type Earning, ruleFor, type RuleTerms, type Scope } from './commission.ts';
import { type DecisionFacts, recomputeLines } from './decision-facts.ts';
import { moneyText } from '../money.ts';
import { cartOf } from './sale-lines.ts';
import { countText } from '../time-text.ts';

// Explains what the lines of a sale earned (decision 53).

export interface LineRule {
	readonly ruleVersionId: number;
	readonly id: number;
	readonly version: number;
	readonly productId: string | null;
}

export interface ExplainedLine {
	readonly rule: LineRule | undefined;
	readonly terms: RuleTerms | undefined;
	readonly baseCents: number;
	readonly earning: Earning;
}

export interface SaleLines {
	readonly facts: DecisionFacts;
	readonly lineRules: readonly LineRule[];
}

/** The parts of a sale, largest first. Empty if one rule applied to all of it. */
export function explainedLines({ facts, lineRules }: SaleLines): ExplainedLine[] {
	return recomputeLines(facts).map(({ ruleVersionId, baseCents, earning }) => ({
		rule: lineRules.find((rule) => rule.ruleVersionId === ruleVersionId),
		terms: facts.rules.find((rule) => rule.ruleVersionId === ruleVersionId),
		baseCents,
		earning,
	}));
}

/** The rule of the sale, or of its largest part. */
export function decidingRule({ lines, rules, currency }: Pick<DecisionFacts, 'lines' | 'rules' | 'currency'>): RuleTerms | undefined {
	if (!lines) return ruleFor({ currency }, rules);
	return rules.find(({ ruleVersionId }) => ruleVersionId === lines[0]?.ruleVersionId);
}

/** One sentence per part, after a headline. */
export function lineTexts(sale: SaleLines): string[] {
	const { currency, amountCents } = sale.facts;
	const head = `The lines of its cart were scaled to ${moneyText(amountCents, currency)}, and the rule for the product of each line was applied`;
	return [head, ...explainedLines(sale).map((line) => lineText(line, currency))];
}

function lineText({ rule, terms, baseCents, earning }: ExplainedLine, currency: string): string {
	const base = moneyText(baseCents, currency);
	if (!terms) return `No commission rule in force applied to ${base} of it`;
	const name = rule ? `Rule ${rule.id}, version ${rule.version}` : 'A rule';
	const applied = `${name} (${scopeText(terms.scope, rule?.productId)}) applied to ${base} of it`;
	if (earning.kind === 'earned') return `${applied}: ${earnedText(terms, baseCents, earning.amountCents, currency)}`;
	return earning.reason === 'proration' ? `${applied}, but its flat amount is not for prorations` : `${applied}, but ${limitText(terms)}`;
}

export function earnedText({ type, basisPoints }: RuleTerms, baseCents: number, earnedCents: number, currency: string): string {
	const earned = moneyText(earnedCents, currency);
	if (type === 'flat') return `it pays ${earned} for each sale`;
	const isExact = (BigInt(baseCents) * BigInt(basisPoints ?? 0)) % 10_000n === 0n;
	return `${Number(`${basisPoints ?? 0}e-2`)} % of ${moneyText(baseCents, currency)} is ${earned}${isExact ? '' : ', rounded half up'}`;
}

export function limitText(rule: RuleTerms | undefined): string {
	const months = rule?.recurringMonths ?? 0;
	return months === 0
		? 'the rule pays only for first payments'
		: `the rule pays for renewals only in the first ${countText(months, 'month')}`;
}

/** Which sales a rule applies to. */
export const SCOPE_TEXTS = {
	default: 'for all sales',
	product: 'for the product',
	group: "for the partner's group",
	group_product: "for the product and the partner's group",
	partner: 'for the partner',
	partner_product: 'for the partner and the product',
} as const satisfies Record<Scope, string>;

function scopeText(scope: Scope, productId: string | null | undefined): string {
	return productId ? SCOPE_TEXTS[scope].replace('the product', `the product ${productId}`) : SCOPE_TEXTS[scope];
}

interface SaleOfOneRule {
	readonly amountCents: number;
	readonly productId: string | null;
	/** JSON. */
	readonly lineItems: string | null;
}

/** One sentence that says why the lines did not select the rules. Empty if the sale has no lines. */
export function wholeTexts({ amountCents, productId, lineItems }: SaleOfOneRule): string[] {
	if (!lineItems?.startsWith('[')) return [];
	const cart = cartOf({ amountCents, productId: productId ?? undefined, lineItems });
	if (cart) return ['One rule applied to the whole sale. Its lines were not matched to separate rules'];
	return ['One rule applied to the whole sale. Rules by line need an integer amount_cents in every line, at least one of them above 0'];
}
