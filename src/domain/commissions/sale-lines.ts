import { type EarningLine, ruleFor, type RuleTerms } from './commission.ts';
import { apportion, MAX_AMOUNT_CENTS } from '../money.ts';
import type { Sale } from './sale.ts';

// Carts earn by line (decision 53): a list of lines becomes the products of the sale, and these the parts that its rules govern.

/** Of more products the smallest count as lines without a product. */
export const MOST_PRODUCTS = 100;

/** A product of a cart, with its share of the sale. */
export interface CartProduct {
	/** Undefined for lines without a product, of a sale without one. */
	readonly productId: string | undefined;
	readonly amountCents: number;
	/** Whether all of its lines pay for what is left of a period. */
	readonly isProration: boolean;
}

/** A rule in force that may govern a sale. */
export interface SellingRule extends RuleTerms {
	/** Left out, or null: all of them. */
	readonly productId?: string | null | undefined;
}

const CONTROL = /\p{Cc}/u;

type SaleWithLines = Pick<Sale, 'lineItems' | 'linesAreDetail' | 'productId' | 'amountCents'>;

/**
 * The products of a sale, scaled to its amount by largest remainder, so that they sum to it exactly. Undefined if its lines choose
 * no rules: if they are no list, one of them has no integer `amount_cents`, or none is above 0.
 */
export function cartOf(sale: SaleWithLines): CartProduct[] | undefined {
	const products = billedProducts(sale);
	if (!products) return undefined;
	const shares = apportion(
		sale.amountCents,
		products.map(({ amountCents }) => amountCents),
	);
	const scaled = products.map((product, index) => ({ ...product, amountCents: shares[index] ?? 0 }));
	return scaled.filter(({ amountCents }) => amountCents > 0);
}

/** All products whose rules may govern a sale: that of the sale, and those of its lines. */
export function productsOf(sale: SaleWithLines): string[] {
	const ofLines = (billedProducts(sale) ?? []).map(({ productId }) => productId);
	return [...new Set([sale.productId, ...ofLines])].filter((productId) => productId !== undefined);
}

/** The parts of a cart by the rule that governs them, the largest first. */
export function linesByRule(cart: readonly CartProduct[], currency: string, rules: readonly SellingRule[]): EarningLine[] {
	const byRule = Map.groupBy(cart, ({ productId }) => ruleFor({ currency }, rulesOf(rules, [productId]))?.ruleVersionId);
	const lines = [...byRule].map(([ruleVersionId, products]) => ({
		ruleVersionId,
		baseCents: products.reduce((sum, { amountCents }) => sum + amountCents, 0),
		...(products.every(({ isProration }) => isProration) && { isProration: true as const }),
	}));
	return lines.toSorted((a, b) => b.baseCents - a.baseCents || (a.ruleVersionId ?? Infinity) - (b.ruleVersionId ?? Infinity));
}

/** The terms of the rules that apply to one of the products. */
export function rulesOf(rules: readonly SellingRule[], productIds: readonly (string | undefined)[]): RuleTerms[] {
	return rules
		.filter(({ productId = null }) => productId === null || productIds.includes(productId))
		.map(({ productId: _productId, ...terms }) => terms);
}

/** What the lines of each product come to, less its credits, in an order that does not depend on that of the lines. */
function billedProducts({ lineItems, linesAreDetail, productId: ofSale }: SaleWithLines): CartProduct[] | undefined {
	const lines = lineItems === undefined || linesAreDetail ? undefined : linesIn(lineItems);
	if (!lines) return undefined;
	const products = [...Map.groupBy(lines, ({ productId }) => productId ?? ofSale)]
		.map(([productId, of]) => productWith(productId, of))
		.filter(({ amountCents }) => amountCents > 0)
		.toSorted((a, b) => b.amountCents - a.amountCents || compare(a.productId, b.productId));
	if (products.length === 0) return undefined;
	return products.length > MOST_PRODUCTS ? withRemainder(products, ofSale) : products;
}

function productWith(productId: string | undefined, lines: readonly Line[]): CartProduct {
	const amountCents = lines.reduce((sum, line) => sum + line.amountCents, 0);
	const billed = lines.filter((line) => line.amountCents > 0);
	return { productId, amountCents, isProration: billed.every((line) => line.isProration) };
}

/** The largest products, and one of the rest with the product of the sale. */
function withRemainder(products: readonly CartProduct[], ofSale: string | undefined): CartProduct[] {
	const named = products.filter(({ productId }) => productId !== ofSale).slice(0, MOST_PRODUCTS - 1);
	const rest = products.filter((product) => !named.includes(product));
	const amountCents = rest.reduce((sum, product) => sum + product.amountCents, 0);
	return [...named, { productId: ofSale, amountCents, isProration: rest.every(({ isProration }) => isProration) }];
}

interface Line {
	readonly productId: string | undefined;
	/** Below 0 for a credit. */
	readonly amountCents: number;
	readonly isProration: boolean;
}

function linesIn(lineItems: string): Line[] | undefined {
	const items: unknown = JSON.parse(lineItems);
	if (!Array.isArray(items)) return undefined;
	const lines = items.map(lineIn);
	return lines.every((line) => line !== undefined) ? lines : undefined;
}

function lineIn(item: unknown): Line | undefined {
	if (typeof item !== 'object' || item === null || !('amount_cents' in item)) return undefined;
	const { amount_cents: amountCents } = item;
	if (typeof amountCents !== 'number' || !Number.isSafeInteger(amountCents) || Math.abs(amountCents) > MAX_AMOUNT_CENTS) return undefined;
	const productId = 'product_id' in item ? productIdIn(item.product_id) : undefined;
	return { productId, amountCents, isProration: 'proration' in item && item.proration === true };
}

/** A number is meant as its digits. What can be no `product_id` of a rule counts as left out. */
function productIdIn(value: unknown): string | undefined {
	if (typeof value === 'number' && Number.isSafeInteger(value)) return String(value);
	if (typeof value !== 'string' || value.trim() === '' || value.length > 255) return undefined;
	return value.isWellFormed() && !CONTROL.test(value) ? value : undefined;
}

/** By code units, as no locale changes these; lines without a product come first. */
function compare(a: string | undefined, b: string | undefined): number {
	if (a === b) return 0;
	return (a ?? '') < (b ?? '') ? -1 : 1;
}
