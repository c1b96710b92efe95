import { type EarningLine, ruleFor, type RuleTerms } from './commission.ts';
import { apportion, MAX_AMOUNT_CENTS } from '../money.ts';
import type { Sale } from './sale.ts';

// Carts can earn by line (decision 53): lines are grouped by product, and products by the rule that applies to them.

/** The smallest products beyond this count towards the product of the sale. */
export const MOST_PRODUCTS = 100;

export interface CartProduct {
	readonly productId: string | undefined;
	readonly amountCents: number;
	readonly isProration: boolean;
}

export interface SellingRule extends RuleTerms {
	/** Unset if the rule applies to all products. */
	readonly productId?: string | null | undefined;
}

const CONTROL = /\p{Cc}/u;

type SaleWithLines = Pick<Sale, 'lineItems' | 'linesAreDetail' | 'productId' | 'amountCents'>;

/**
 * The products of a sale, scaled so that they add up to its amount exactly. Undefined if the lines cannot select rules: no list, an amount
 * that is no integer, or no positive total.
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

export function productsOf(sale: SaleWithLines): string[] {
	const ofLines = (billedProducts(sale) ?? []).map(({ productId }) => productId);
	return [...new Set([sale.productId, ...ofLines])].filter((productId) => productId !== undefined);
}

/** The cart by rule, largest part first. */
export function linesByRule(cart: readonly CartProduct[], currency: string, rules: readonly SellingRule[]): EarningLine[] {
	const byRule = Map.groupBy(cart, ({ productId }) => ruleFor({ currency }, rulesOf(rules, [productId]))?.ruleVersionId);
	const lines = [...byRule].map(([ruleVersionId, products]) => ({
		ruleVersionId,
		baseCents: products.reduce((sum, { amountCents }) => sum + amountCents, 0),
		...(products.every(({ isProration }) => isProration) && { isProration: true as const }),
	}));
	return lines.toSorted((a, b) => b.baseCents - a.baseCents || (a.ruleVersionId ?? Infinity) - (b.ruleVersionId ?? Infinity));
}

export function rulesOf(rules: readonly SellingRule[], productIds: readonly (string | undefined)[]): RuleTerms[] {
	return rules
		.filter(({ productId = null }) => productId === null || productIds.includes(productId))
		.map(({ productId: _productId, ...terms }) => terms);
}

/** Adds up each product's lines, including credits, in any order. */
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

function withRemainder(products: readonly CartProduct[], ofSale: string | undefined): CartProduct[] {
	const named = products.filter(({ productId }) => productId !== ofSale).slice(0, MOST_PRODUCTS - 1);
	const rest = products.filter((product) => !named.includes(product));
	const amountCents = rest.reduce((sum, product) => sum + product.amountCents, 0);
	return [...named, { productId: ofSale, amountCents, isProration: rest.every(({ isProration }) => isProration) }];
}

interface Line {
	readonly productId: string | undefined;
	/** Negative for a credit. */
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

/** Numbers become digits. A value that cannot be a rule's `product_id` counts as missing. */
function productIdIn(value: unknown): string | undefined {
	if (typeof value === 'number' && Number.isSafeInteger(value)) return String(value);
	if (typeof value !== 'string' || value.trim() === '' || value.length > 255) return undefined;
	return value.isWellFormed() && !CONTROL.test(value) ? value : undefined;
}

/** Compares code units, so that the order does not depend on the locale. */
function compare(a: string | undefined, b: string | undefined): number {
	if (a === b) return 0;
	return (a ?? '') < (b ?? '') ? -1 : 1;
}
