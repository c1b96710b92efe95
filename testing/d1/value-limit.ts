import { aroundTrips, type WatchedDatabase } from './each-trip.ts';

/** D1's own limit of a string or blob. The local one takes ten times as much. */
const BYTES = 2_000_000;

/** A database that refuses, as the deployed D1 does, to hand over a value that is too big. */
export function limitingValues(db: D1Database): WatchedDatabase {
	return aroundTrips(db, async (go) => {
		const answer = await go();
		refuseTooBig(answer);
		return answer;
	});
}

function refuseTooBig(answer: unknown): void {
	if (typeof answer === 'string' && new TextEncoder().encode(answer).length > BYTES) {
		throw new Error('D1_ERROR: string or blob too big: SQLITE_TOOBIG');
	}
	if (typeof answer === 'object' && answer !== null) Object.values(answer).forEach(refuseTooBig);
}
