import * as z from 'zod/mini';
import { loose, Ref, Text, Whole } from '../reading/fields.ts';
import { type BilledLine, type Interval, intervalIn, only } from '../reading/lines.ts';
import { LooseTotals, moneyOf, untaxed } from './amounts.ts';

export const Item = loose(
	z.object({
		price: loose(z.object({ id: Ref, product_id: Ref, billing_cycle: loose(z.object({ interval: Text, frequency: Whole })) })),
		proration: loose(z.object({})),
	}),
);

export const Line = loose(
	z.object({
		price_id: Ref,
		quantity: Whole,
		totals: LooseTotals,
		product: loose(z.object({ id: Ref, name: Text })),
		/** Present if the line pays for the rest of a period. */
		proration: loose(z.object({})),
	}),
);

type Item = NonNullable<z.infer<typeof Item>>;
type Line = NonNullable<z.infer<typeof Line>>;

export interface Bought extends Line {
	readonly price: Item['price'];
	readonly isProration: boolean;
}

export function boughtIn(lines: readonly z.infer<typeof Line>[], items: readonly z.infer<typeof Item>[]): Bought[] {
	return lines
		.filter((line) => line !== undefined)
		.map((line) => {
			const item = items.find((one) => one?.price?.id !== undefined && one.price.id === line.price_id);
			return { ...line, price: item?.price, isProration: (line.proration ?? item?.proration) !== undefined };
		});
}

/** Undefined for several products or an unknown one. Free lines do not count. */
export function productOf(bought: readonly Bought[]): string | undefined {
	return only(bought.filter(costs).map(productOfLine));
}

export function isAllProration(bought: readonly Bought[]): boolean {
	const paid = bought.filter(costs);
	return paid.length > 0 && paid.every(({ isProration }) => isProration);
}

/** Undefined if it is not monthly, quarterly or annual, or differs between lines. */
export function intervalOf(bought: readonly Bought[]): Interval {
	const cycles = bought.filter((line) => costs(line) && !line.isProration).flatMap(({ price }) => price?.billing_cycle ?? []);
	return only(cycles.map(({ interval, frequency }) => intervalIn(frequency, interval)));
}

export function billedLines(bought: readonly Bought[], currency: string): BilledLine[] {
	return bought.map((line) => ({
		productId: productOfLine(line),
		priceId: line.price_id,
		description: line.product?.name,
		quantity: line.quantity,
		amountCents: centsOf(untaxed(line.totals), currency),
		isProration: line.isProration,
	}));
}

/** A credit is negative. */
function centsOf(amount: number | undefined, currency: string): number | undefined {
	const cents = amount === undefined ? undefined : moneyOf(Math.abs(amount), currency)?.cents;
	return cents === undefined || amount === undefined ? undefined : Math.sign(amount) * cents;
}

function costs({ totals }: Bought): boolean {
	return (totals?.total ?? 0) > 0;
}

function productOfLine({ product, price }: Bought): string | undefined {
	return product?.id ?? price?.product_id;
}
