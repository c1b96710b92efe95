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
		ceiling: 480_000,
		reason:
			'It ranks 20,000 partners by figures that change all the time. A month reads each of their links and memberships a few times, all time every link-day.',
		dollars: 0.000_48,
	},
	startDecisionRun: {
		ceiling: 11_000,
		reason: 'It counts what matches up to 10,000, so that a wrong number is told before anything is decided.',
		dollars: 0.000_011,
	},
	daily_rows_repaired: {
		ceiling: 21_000,
		reason:
			'It compares the figures of a day with its clicks, customers and sales, so it reads as many rows as the day has, some ten times. A program has three such days an hour.',
		dollars: 0.000_021,
	},
};
