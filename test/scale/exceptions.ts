/** What may read more than its budget, and why. */
export interface Exception {
	/** Rows that its worst case may read on the filled program of the test. */
	readonly ceiling: number;
	readonly reason: string;
	/** What one worst case costs, in dollars: D1 takes $0.001 for a million rows read. */
	readonly dollars: number;
}

/** By the operationId of the document, or by the name of a job or message. */
export const EXCEPTIONS: Readonly<Record<string, Exception>> = {};
