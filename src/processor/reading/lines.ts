import type { Sale } from '../../domain/commissions/sale.ts';

// What the lines of a payment have in common, for any processor.

export type Interval = Sale['subscriptionInterval'];

/** The interval of this many units of time; undefined if it is none of the three. */
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

/** The one value they all share. */
export function only<Value extends string>(values: readonly (Value | undefined)[]): Value | undefined {
	const [first] = values;
	return values.every((value) => value === first) ? first : undefined;
}

/** This many lines are stored with a sale; the rest is one line, so that they add up to the bill. */
const MOST_LINES = 100;
const LONGEST_NAME = 100;

/** A line of a bill, as stored with the sale. */
export interface BilledLine {
	readonly productId: string | undefined;
	readonly priceId: string | undefined;
	readonly description: string | undefined;
	readonly quantity: number | undefined;
	/** Less its discounts; negative for a credit; undefined if unreadable. Then no line selects a rule. */
	readonly amountCents: number | undefined;
	/** Whether it pays for the rest of a period. */
	readonly isProration: boolean;
}

/** JSON of the lines for the sale; undefined without lines. `unsent`: the sum of lines that the event left out. */
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
