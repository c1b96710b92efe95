import { aroundTrips, isWrite, type WatchedDatabase } from '../d1/each-trip.ts';

/** The cost of a statement in a trip, as D1 counts it. */
export interface Sent {
	readonly query: string;
	readonly rowsRead: number;
	/** `answered` counts returned rows, `changes` rows that were inserted, updated or deleted. */
	readonly answered: number;
	readonly changes: number;
}

export type Sending = readonly Sent[];

export interface RecordedDatabase extends WatchedDatabase {
	readonly sendings: readonly Sending[];
}

export function recorded(db: D1Database): RecordedDatabase {
	const sendings: Sending[] = [];
	const watched = aroundTrips(db, async (go, { by, statements }) => {
		const answer = await go();
		const results = await costsOf(answer, statements.length === 1 ? statements[0] : undefined);
		if (!results) throw new Error(`The result of ${by}() has no cost`);
		sendings.push(
			results.map(({ results: rows, meta }, index) => ({
				query: statements[index]?.query ?? '',
				rowsRead: meta.rows_read,
				answered: rows.length,
				changes: meta.changes,
			})),
		);
		return answer;
	});
	return { ...watched, sendings };
}

async function costsOf(
	answer: unknown,
	alone: { readonly query: string; readonly bound: D1PreparedStatement } | undefined,
): Promise<readonly D1Result[] | undefined> {
	if (Array.isArray(answer) && answer.length > 0 && answer.every(isResult)) return answer;
	if (isResult(answer)) return [answer];
	// raw() and first() do not return the cost, so the read is repeated with all().
	return alone && !isWrite(alone.query) ? [await alone.bound.all()] : undefined;
}

function isResult(answer: unknown): answer is D1Result {
	return typeof answer === 'object' && answer !== null && 'meta' in answer && 'success' in answer;
}

/** The statement that read the most rows. */
export function costliestOf(sendings: readonly Sending[]): Sent | undefined {
	return sendings.flat().toSorted((a, b) => b.rowsRead - a.rowsRead)[0];
}

export function rowsReadBy(sendings: readonly Sending[]): number {
	return sendings.flat().reduce((sum, { rowsRead }) => sum + rowsRead, 0);
}
