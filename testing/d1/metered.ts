import { aroundTrips, isWrite, type WatchedDatabase } from './each-trip.ts';

export interface CountingDatabase extends WatchedDatabase {
	readonly trips: () => number;
}

export function countingTrips(db: D1Database): CountingDatabase {
	let trips = 0;
	const counted = aroundTrips(db, (go) => {
		trips += 1;
		return go();
	});
	return { ...counted, trips: () => trips };
}

export interface Spent {
	readonly trips: number;
	readonly rowsRead: number;
	readonly rowsWritten: number;
}

/** The cost of a statement over all its runs. */
export interface StatementCost {
	readonly query: string;
	readonly runs: number;
	readonly rowsRead: number;
	readonly rowsWritten: number;
}

/** Sums up the costs of trips, as D1 counts them. */
export interface MeteredDatabase extends WatchedDatabase {
	readonly spent: () => Spent;
	/** In the order of their first runs. */
	readonly statements: () => readonly StatementCost[];
}

export function metered(db: D1Database): MeteredDatabase {
	let trips = 0;
	const costs = new Map<string, StatementCost>();
	const note = (query: string, { meta }: D1Result): void => {
		const { runs, rowsRead, rowsWritten } = costs.get(query) ?? { runs: 0, rowsRead: 0, rowsWritten: 0 };
		costs.set(query, { query, runs: runs + 1, rowsRead: rowsRead + meta.rows_read, rowsWritten: rowsWritten + meta.rows_written });
	};
	const watched = aroundTrips(db, async (go, { by, statements }) => {
		const answer = await go();
		trips += 1;
		const [first] = statements;
		if (isResults(answer)) for (const [index, result] of answer.entries()) note(statements[index]?.query ?? '', result);
		else if (first && isResult(answer)) note(first.query, answer);
		// raw() and first() do not return the cost, so the read is repeated with all().
		else if (first && !isWrite(first.query)) note(first.query, await first.bound.all());
		else throw new Error(`The result of ${by}() has no cost`);
		return answer;
	});
	const spent = () => {
		const all = [...costs.values()];
		const sum = (of: 'rowsRead' | 'rowsWritten') => all.reduce((total, cost) => total + cost[of], 0);
		return { trips, rowsRead: sum('rowsRead'), rowsWritten: sum('rowsWritten') };
	};
	return { ...watched, spent, statements: () => [...costs.values()] };
}

function isResults(answer: unknown): answer is readonly D1Result[] {
	return Array.isArray(answer) && answer.length > 0 && answer.every(isResult);
}

function isResult(answer: unknown): answer is D1Result {
	return typeof answer === 'object' && answer !== null && 'meta' in answer && 'success' in answer;
}
