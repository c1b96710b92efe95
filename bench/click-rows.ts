// How many rows a click writes: its own two, and its share of the rows that a delivery writes once for all of its clicks.

/** A click's row and its index entry. */
const OWN_ROWS = 2;
/** The counter of all clicks, raised once for each delivery. */
const ROWS_OF_DELIVERY = 1;
/** Clicks of a program are spread evenly over so many values: one link, five countries and five sources. */
const VALUES = [1, 5, 5] as const;

/** wrangler.toml: a delivery has the clicks of two seconds, a hundred at most. */
export const LARGEST_DELIVERY = 100;
const SECONDS_PER_DELIVERY = 2;

/** How clicks are spread over programs: the share of each. */
export type Shares = readonly number[];

export function evenly(programs: number): Shares {
	return Array.from({ length: programs }, () => 1 / programs);
}

/** The second program has half as many clicks as the first, the third a third, and so on. */
export function byZipf(programs: number): Shares {
	const weights = Array.from({ length: programs }, (_, index) => 1 / (index + 1));
	const sum = weights.reduce((total, weight) => total + weight, 0);
	return weights.map((weight) => weight / sum);
}

/** The rows that each click of such a delivery writes on average: daily rows group the clicks of a program, and of a value. */
export function rowsPerClick(shares: Shares, clicks = LARGEST_DELIVERY): number {
	const ofPrograms = distinctOf(shares, clicks);
	const ofValues = VALUES.map(
		(values) =>
			values *
			distinctOf(
				shares.map((share) => share / values),
				clicks,
			),
	);
	const daily = ofValues.reduce((sum, rows) => sum + rows, ofPrograms);
	return OWN_ROWS + (ROWS_OF_DELIVERY + daily) / clicks;
}

/** How many clicks arrive in one delivery on average. The first click starts the two seconds. */
export function clicksPerDelivery(clicksPerSecond: number): number {
	return Math.min(LARGEST_DELIVERY, 1 + SECONDS_PER_DELIVERY * clicksPerSecond);
}

/** A program, and the number of the country and source of each click. */
export interface DrawnClick {
	readonly program: number;
	readonly country: number;
	readonly source: number;
}

/** A delivery of a hundred clicks that are spread like this. `draw` returns numbers from 0 to 1. */
export function drawDelivery(shares: Shares, draw: () => number): readonly DrawnClick[] {
	const [, countries, sources] = VALUES;
	return Array.from({ length: LARGEST_DELIVERY }, () => ({
		program: drawProgram(shares, draw()),
		country: Math.floor(draw() * countries),
		source: Math.floor(draw() * sources),
	}));
}

function drawProgram(shares: Shares, drawn: number): number {
	let left = drawn;
	const index = shares.findIndex((share) => (left -= share) < 0);
	return index === -1 ? shares.length - 1 : index;
}

/** How many of the shares some of the clicks fall on. */
function distinctOf(shares: Shares, clicks: number): number {
	return shares.reduce((sum, share) => sum + 1 - (1 - share) ** clicks, 0);
}
