import { aroundTrips } from './each-trip.ts';

export interface Spent {
	readonly trips: number;
	readonly rowsRead: number;
	readonly rowsWritten: number;
}

/** A D1 database that sums up what its trips cost, as D1 itself counts it. */
export interface MeteredDatabase extends D1Database {
	readonly spent: () => Spent;
}

export function metered(db: D1Database): MeteredDatabase {
	let spent: Spent = { trips: 0, rowsRead: 0, rowsWritten: 0 };
	const note = (answers: readonly D1Result[]): void => {
		spent = { ...spent, trips: spent.trips + 1 };
		for (const { meta } of answers) {
			spent = { ...spent, rowsRead: spent.rowsRead + meta.rows_read, rowsWritten: spent.rowsWritten + meta.rows_written };
		}
	};
	const watched = aroundTrips(db, async (go, { by, statement }) => {
		const answer = await go();
		if (isResults(answer)) note(answer);
		else if (isResult(answer)) note([answer]);
		// raw() and first() do not say what they cost: a read is asked once more.
		else if (statement && /^(select|with)\b/i.test(statement.query)) note([await statement.bound.all()]);
		else throw new Error(`The answer of ${by}() does not say what it cost`);
		return answer;
	});
	return { ...watched, spent: () => spent };
}

function isResults(answer: unknown): answer is readonly D1Result[] {
	return Array.isArray(answer) && answer.length > 0 && answer.every(isResult);
}

function isResult(answer: unknown): answer is D1Result {
	return typeof answer === 'object' && answer !== null && 'meta' in answer && 'success' in answer;
}
