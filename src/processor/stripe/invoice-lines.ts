import * as z from 'zod/mini';
import { moneyOf } from './amounts.ts';
import { Metadata } from '../reading/attribution.ts';
import { Flag, loose, read, Ref, Seconds, Text, Whole } from '../reading/fields.ts';
import { type BilledLine, type Interval, intervalIn, only } from '../reading/lines.ts';

const Recurrence = z.object({ interval: Text, interval_count: Whole });

const PriceObject = z.object({ id: Ref, product: Ref, recurring: loose(Recurrence) });

/** A price as an id or object. */
const Price = z.pipe(
	z.optional(z.unknown()),
	z.transform((value) => read(PriceObject, value) ?? { id: read(Ref, value), product: undefined, recurring: undefined }),
);

const Item = loose(z.object({ subscription: Ref, proration: Flag }));

export const Line = z.object({
	amount: Whole,
	discount_amounts: loose(z.array(loose(z.object({ amount: Whole })))),
	quantity: Whole,
	description: Text,
	period: loose(z.object({ start: Seconds, end: Seconds })),
	metadata: Metadata,
	subscription: Ref,
	/** Since 2025-03. */
	pricing: loose(z.object({ price_details: loose(z.object({ price: Price, product: Ref })) })),
	parent: loose(z.object({ subscription_item_details: Item, invoice_item_details: Item })),
	/** Before 2025-03. */
	price: Price,
	plan: loose(z.extend(Recurrence, { product: Ref })),
	proration: Flag,
});

export type Line = z.infer<typeof Line>;

const DAY = 86_400;

/** Undefined if there are none or several. */
export function subscriptionOf(lines: readonly Line[]): string | undefined {
	return only(lines.map(subscriptionOfLine));
}

/** Undefined for several products or an unknown one. Free lines do not count. */
export function productOf(lines: readonly Line[]): string | undefined {
	return only(lines.filter(costs).map(productOfLine));
}

export function isAllProration(lines: readonly Line[]): boolean {
	const paid = lines.filter(costs);
	return paid.length > 0 && paid.every(isProration);
}

/** Undefined if it is not monthly, quarterly or annual, or differs between lines. */
export function intervalOf(lines: readonly Line[]): Interval {
	// A proration only covers the rest of a period.
	return only(lines.filter((line) => costs(line) && subscriptionOfLine(line) !== undefined && !isProration(line)).map(intervalOfLine));
}

export function billedLines(lines: readonly Line[], currency: string): BilledLine[] {
	return lines.map((line) => ({
		productId: productOfLine(line),
		priceId: line.pricing?.price_details?.price.id ?? line.price.id,
		description: line.description,
		quantity: line.quantity,
		amountCents: centsOf(discountedAmount(line), currency),
		isProration: isProration(line),
	}));
}

/** An event lists only the first lines. Undefined if the bill does not say. */
export function unsentCents(lines: readonly Line[], subtotal: number | undefined, currency: string): number | undefined {
	const sent = lines.reduce((sum, { amount = 0 }) => sum + amount, 0);
	return subtotal !== undefined && subtotal > sent ? centsOf(subtotal - sent, currency) : undefined;
}

function discountedAmount({ amount, discount_amounts: discounts = [] }: Line): number | undefined {
	return amount === undefined ? undefined : amount - discounts.reduce((sum, discount) => sum + (discount?.amount ?? 0), 0);
}

/** A credit is negative. */
function centsOf(amount: number | undefined, currency: string): number | undefined {
	if (amount === undefined) return undefined;
	const cents = moneyOf(Math.abs(amount), currency)?.cents;
	return amount < 0 && cents !== undefined ? -cents : cents;
}

function costs({ amount }: Line): boolean {
	return amount !== undefined && amount > 0;
}

function subscriptionOfLine({ subscription, parent }: Line): string | undefined {
	return subscription ?? parent?.subscription_item_details?.subscription ?? parent?.invoice_item_details?.subscription;
}

function isProration({ proration, parent }: Line): boolean {
	return proration ?? parent?.subscription_item_details?.proration ?? parent?.invoice_item_details?.proration ?? false;
}

function productOfLine({ pricing, price, plan }: Line): string | undefined {
	return pricing?.price_details?.product ?? pricing?.price_details?.price.product ?? price.product ?? plan?.product;
}

function intervalOfLine(line: Line): Interval {
	const recurrence = line.pricing?.price_details?.price.recurring ?? line.price.recurring ?? line.plan;
	return intervalIn(recurrence?.interval_count, recurrence?.interval) ?? intervalOfPeriod(line.period);
}

/** Since 2025-03 a line only names its price's id. */
function intervalOfPeriod(period: Line['period']): Interval {
	const days = Math.round(((period?.end ?? 0) - (period?.start ?? 0)) / DAY);
	if (days >= 28 && days <= 31) return 'monthly';
	if (days >= 89 && days <= 92) return 'quarterly';
	return days === 365 || days === 366 ? 'annual' : undefined;
}
