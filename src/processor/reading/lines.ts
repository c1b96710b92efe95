import type { Sale } from '../../domain/commissions/sale.ts';

// What the lines of a payment have in common, whichever processor wrote them.

export type Interval = Sale['subscriptionInterval'];

/** Of so many of a unit of time; undefined where that is none of the three. */
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

/** The one value that all of them have. */
export function only<Value extends string>(values: readonly (Value | undefined)[]): Value | undefined {
	const [first] = values;
	return values.every((value) => value === first) ? first : undefined;
}

/** So many lines are kept with a sale; the rest of them as one, so that they still sum to the bill. */
const MOST_LINES = 100;
const LONGEST_NAME = 100;

/** A line of a bill, as it is kept with the sale. */
export interface BilledLine {
	readonly productId: string | undefined;
	readonly priceId: string | undefined;
	readonly description: string | undefined;
	readonly quantity: number | undefined;
	/** Less its discounts; below 0 for a credit; undefined if it cannot be read. Then no line chooses a rule. */
	readonly amountCents: number | undefined;
	/** Whether it pays for what is left of a period. */
	readonly isProration: boolean;
}

/** JSON of the lines, for the sale; undefined if there are none. `unsent`: what lines come to that the event left out. */
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
