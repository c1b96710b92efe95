import { type DecisionFacts, recompute } from './decision-facts.ts';
import { cartOf, linesByRule, rulesOf, type SellingRule } from './sale-lines.ts';

// Compares what past carts would earn under today's rules, by line and as a whole (decision 53).

const EXAMPLES = 10;

export interface PastSale {
	readonly id: number;
	readonly transactionId: string;
	readonly createdAt: number;
	readonly productId: string | null;
	/** JSON. */
	readonly lineItems: string;
	readonly facts: DecisionFacts;
	readonly rules: readonly SellingRule[];
}

export interface ComparedSale {
	readonly id: number;
	readonly transactionId: string;
	readonly createdAt: number;
	readonly currency: string;
	readonly amountCents: number;
	readonly wholeCents: number;
	readonly byLineCents: number;
}

export interface LinesPreview {
	readonly carts: number;
	readonly changed: number;
	readonly totals: readonly { readonly currency: string; readonly wholeCents: number; readonly byLineCents: number }[];
	/** Largest differences first. */
	readonly examples: readonly ComparedSale[];
}

export function previewLines(sales: readonly PastSale[]): LinesPreview {
	const carts = sales.map(compare).filter((sale) => sale !== undefined);
	const changed = carts.filter((sale) => sale.wholeCents !== sale.byLineCents);
	const byCurrency = [...Map.groupBy(carts, ({ currency }) => currency)].toSorted(([a], [b]) => (a < b ? -1 : 1));
	return {
		carts: carts.length,
		changed: changed.length,
		totals: byCurrency.map(([currency, of]) => ({
			currency,
			wholeCents: of.reduce((sum, { wholeCents }) => sum + wholeCents, 0),
			byLineCents: of.reduce((sum, { byLineCents }) => sum + byLineCents, 0),
		})),
		examples: changed.toSorted((a, b) => differenceOf(b) - differenceOf(a) || b.id - a.id).slice(0, EXAMPLES),
	};
}

function differenceOf({ wholeCents, byLineCents }: ComparedSale): number {
	return Math.abs(wholeCents - byLineCents);
}

function compare({ facts, rules, productId, lineItems, ...sale }: PastSale): ComparedSale | undefined {
	const { amountCents, currency } = facts;
	const cart = cartOf({ amountCents, lineItems, productId: productId ?? undefined });
	if (!cart) return undefined;
	const whole = { ...facts, rules: rulesOf(rules, [productId ?? undefined]), lines: undefined };
	const products = cart.map((product) => product.productId);
	const byLine = { ...facts, rules: rulesOf(rules, products), lines: linesByRule(cart, currency, rules) };
	return { ...sale, currency, amountCents, wholeCents: earnedCents(whole), byLineCents: earnedCents(byLine) };
}

function earnedCents(facts: DecisionFacts): number {
	const { earning } = recompute(facts);
	return earning.kind === 'earned' ? earning.amountCents : 0;
}
