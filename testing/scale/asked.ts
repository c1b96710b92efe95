import type { Plan } from './size.ts';

// How the requests at scale are written down.

export type Caller = 'owner' | 'busy' | 'quiet' | 'key' | 'nobody';

export interface Asked {
	readonly as: Caller;
	readonly path: string;
	readonly isCsv: boolean;
	/** The status that the case is about, where that is not 200. */
	readonly status: number;
}

/** What the paths name, of which only the database knows some. */
export interface Named {
	readonly plan: Plan;
	/** Of the busy partner, the payout with the most commissions. */
	readonly payoutId: number;
	/** Of the busy partner. */
	readonly commissionId: number;
	/** The click of the customer with the most sales. */
	readonly clickId: string;
}

export interface Case {
	readonly as?: Caller;
	/** Without the part that all paths of the program have. */
	readonly path: string;
	readonly queries?: readonly string[];
	/** Asked as CSV, whole. */
	readonly csv?: readonly string[];
	readonly status?: number;
}

/** The path of the program. */
export const PROGRAM = '/api/v1/programs/1';
/** A value that does not occur. */
export const NOWHERE = 'zzz-nowhere';

/** By operationId. */
export type Cases = Readonly<Record<string, readonly Case[]>>;

/** Of a list: the first page, a long one, the last, and a long one in the middle. */
export const PAGES = ['', 'limit=200', 'cursor=60', 'cursor=12000&limit=200'];

/** The address with each of the queries, as JSON or as a file. */
export function askedOf({ as = 'owner', path, queries = [''], csv = [], status = 200 }: Case): Asked[] {
	const address = (query: string) => (query === '' ? path : `${path}?${query}`);
	return [
		...queries.map((query) => ({ as, path: address(query), isCsv: false, status })),
		...csv.map((query) => ({ as, path: address(query), isCsv: true, status })),
	];
}
