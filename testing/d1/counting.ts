import { aroundTrips } from './each-trip.ts';

/** A D1 database that counts its trips. */
export interface CountingDatabase extends D1Database {
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
