import type { Plan } from './size.ts';

export type Caller = 'owner' | 'busy' | 'quiet' | 'key' | 'nobody';

export interface ScaleRequest {
	readonly as: Caller;
	readonly path: string;
	readonly isCsv: boolean;
	readonly status: number;
}

/** Some of them come from the database. */
export interface Named {
	readonly plan: Plan;
	/** The busy partner's payout with the most commissions. */
	readonly payoutId: number;
	/** A commission of the busy partner. */
	readonly commissionId: number;
	/** The click id of the customer with the most sales. */
	readonly clickId: string;
}

export interface Case {
	readonly as?: Caller;
	readonly path: string;
	readonly queries?: readonly string[];
	/** Queries for whole CSV files. */
	readonly csv?: readonly string[];
	readonly status?: number;
}

export const PROGRAM = '/api/v1/programs/1';
/** A value that does not occur. */
export const NOWHERE = 'zzz-nowhere';

/** Keyed by operationId. */
export type Cases = Readonly<Record<string, readonly Case[]>>;

/** The first page, a long one, the last, and a long one in the middle. */
export const PAGES = ['', 'limit=200', 'cursor=60', 'cursor=12000&limit=200'];

/** One request for each query, as JSON or as a file. */
export function requestsOfCase({ as = 'owner', path, queries = [''], csv = [], status = 200 }: Case): ScaleRequest[] {
	const address = (query: string) => (query === '' ? path : `${path}?${query}`);
	return [
		...queries.map((query) => ({ as, path: address(query), isCsv: false, status })),
		...csv.map((query) => ({ as, path: address(query), isCsv: true, status })),
	];
}
