import type { Sale } from '../../domain/commissions/sale.ts';

export type Interval = Sale['subscriptionInterval'];

/** Undefined if it is not monthly, quarterly or annual. */
export function intervalIn(count: number | undefined, unit: string | undefined): Interval {
	switch (`${count ?? 1} ${unit}`) {
		case '1 month':
			return 'monthly';
		case '3 month':
			return 'quarterly';
		case '12 month':
		case '1 year':
			return 'annual';
		default:
			return undefined;
	}
}

/** Undefined if the values differ. */
export function only<Value extends string>(values: readonly (Value | undefined)[]): Value | undefined {
	const [first] = values;
	return values.every((value) => value === first) ? first : undefined;
}

/** The rest become one line, so that the sum matches the bill. */
const MOST_LINES = 100;
const LONGEST_NAME = 100;

export interface BilledLine {
	readonly productId: string | undefined;
	readonly priceId: string | undefined;
	readonly description: string | undefined;
	readonly quantity: number | undefined;
	/** After discounts; negative for a credit. Undefined if unreadable: then no line selects a rule. */
	readonly amountCents: number | undefined;
	readonly isProration: boolean;
}

/** JSON; undefined if there are no lines. `unsent` is the sum of the lines that the event omitted. */
export function lineItemsOf(lines: readonly BilledLine[], unsent?: { readonly amountCents: number | undefined }): string | undefined {
	if (lines.length === 0) return undefined;
	const kept = lines.length > MOST_LINES ? lines.slice(0, MOST_LINES - 1) : lines;
	const left = lines.slice(kept.length);
	const rest = [...left.map(({ amountCents }) => amountCents), ...(unsent ? [unsent.amountCents] : [])];
	return JSON.stringify([
		...kept.map((line) => ({
			product_id: line.productId,
			price_id: line.priceId,
			description: line.description?.slice(0, LONGEST_NAME).toWellFormed(),
			quantity: line.quantity,
			amount_cents: line.amountCents,
			proration: line.isProration ? true : undefined,
		})),
		...(rest.length > 0 ? [{ description: 'Further lines', amount_cents: sumOf(rest) }] : []),
	]);
}

function sumOf(amounts: readonly (number | undefined)[]): number | undefined {
	return amounts.reduce((sum, amount) => (sum === undefined || amount === undefined ? undefined : sum + amount), 0);
}
