import { aroundTrips, isWrite, type WatchedDatabase } from './each-trip.ts';

/** A trip never arrives, or it commits and its response is lost. */
export type FaultyTrip = 'never arrives' | 'loses its answer' | undefined;

const LOST = 'D1_ERROR: Network connection lost.';

/** `becomes` decides what happens to each writing trip, counted from 1. */
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

/** The first `times` writing trips commit, but their responses are lost. */
export function losingAnswers(db: D1Database, times = 1): WatchedDatabase {
	return faultyDb(db, (trip) => (trip <= times ? 'loses its answer' : undefined));
}

/** The first `times` writing trips never arrive. */
export function losingTrips(db: D1Database, times = 1): WatchedDatabase {
	return faultyDb(db, (trip) => (trip <= times ? 'never arrives' : undefined));
}

/** Runs `work` after the caller has read and before its first write. */
export function interrupted(db: D1Database, work: () => Promise<unknown>): WatchedDatabase {
	return faultyDb(db, async (trip) => {
		if (trip === 1) await work();
		return undefined;
	});
}

/** Fails statements that contain this text, as if a column were missing. */
export function refusing(db: D1Database, text: string): WatchedDatabase {
	return aroundTrips(db, async (go, { statements }) => {
		if (statements.some(({ query }) => query.includes(text))) throw new Error('D1_ERROR: no such column: SQLITE_ERROR');
		return go();
	});
}

/** D1's limit for a string or blob. The local D1 accepts ten times as much. */
const VALUE_BYTES = 2_000_000;

/** Refuses to return values that are too big, as the deployed D1 does. */
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
