import type { Sale } from '../../domain/sale.ts';

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
