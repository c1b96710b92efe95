/** What may read more than its budget, and why. */
export interface Exception {
	/** Rows that its worst case may read on the filled program of the test. */
	readonly ceiling: number;
	readonly reason: string;
	/** What one worst case costs: D1 takes $0.001 for a million rows read. */
	readonly dollars: number;
}

/** By the operationId of the document, or by the name of a job or message. */
export const EXCEPTIONS: Readonly<Record<string, Exception>> = {
	rankPartners: {
		ceiling: 200_000,
		reason: 'It ranks 20,000 partners by figures that change all the time: each of their links and memberships is read a few times.',
		dollars: 0.0002,
	},
	daily_rows_repaired: {
		ceiling: 21_000,
		reason:
			'It compares the figures of a day with its clicks, customers and sales, so it reads as many rows as the day has, some ten times. A program has three such days an hour.',
		dollars: 0.000_021,
	},
};
