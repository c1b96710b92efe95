import { aroundTrips, isWrite, type WatchedDatabase } from './each-trip.ts';

/** What becomes of a trip to D1: lost on the way there, or committed with its answer lost on the way back. */
export type FaultyTrip = 'never arrives' | 'loses its answer' | undefined;

const LOST = 'D1_ERROR: Network connection lost.';

/** The database behind a bad connection: `becomes` is asked of each trip that writes, counted from 1. */
export function faultyDb(db: D1Database, becomes: (writingTrip: number) => FaultyTrip | Promise<FaultyTrip>): WatchedDatabase {
	let trips = 0;
	return aroundTrips(db, async (go, { statements }) => {
		if (!statements.some(({ query }) => isWrite(query))) return go();
		trips += 1;
		const trip = await becomes(trips);
		if (trip === 'never arrives') throw new Error(LOST);
		const answer = await go();
		if (trip === 'loses its answer') throw new Error(LOST);
		return answer;
	});
}

/** The first `times` writing trips commit, but their answers are lost. */
export function losingAnswers(db: D1Database, times = 1): WatchedDatabase {
	return faultyDb(db, (trip) => (trip <= times ? 'loses its answer' : undefined));
}

/** The first `times` writing trips never arrive. */
export function losingTrips(db: D1Database, times = 1): WatchedDatabase {
	return faultyDb(db, (trip) => (trip <= times ? 'never arrives' : undefined));
}

/** Something else is committed after the caller has read, and before its first write. */
export function interrupted(db: D1Database, work: () => Promise<unknown>): WatchedDatabase {
	return faultyDb(db, async (trip) => {
		if (trip === 1) await work();
		return undefined;
	});
}

/** A database that knows no column of the statements that have this text. */
export function refusing(db: D1Database, text: string): WatchedDatabase {
	return aroundTrips(db, async (go, { statements }) => {
		if (statements.some(({ query }) => query.includes(text))) throw new Error('D1_ERROR: no such column: SQLITE_ERROR');
		return go();
	});
}

/** D1's own limit of a string or blob. The local one takes ten times as much. */
const VALUE_BYTES = 2_000_000;

/** A database that refuses, as the deployed D1 does, to hand over a value that is too big. */
export function limitingValues(db: D1Database): WatchedDatabase {
	return aroundTrips(db, async (go) => {
		const answer = await go();
		refuseTooBig(answer);
		return answer;
	});
}

function refuseTooBig(answer: unknown): void {
	if (typeof answer === 'string' && new TextEncoder().encode(answer).length > VALUE_BYTES) {
		throw new Error('D1_ERROR: string or blob too big: SQLITE_TOOBIG');
	}
	if (typeof answer === 'object' && answer !== null) Object.values(answer).forEach(refuseTooBig);
}
