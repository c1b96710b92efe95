import { queryOptions } from '@tanstack/react-query';
import { type AnswerOf, answerOf, api } from '../api.ts';
import { type Range, rangeQuery } from '../ui/range.ts';

/** A partner's routes for one membership. */
export const own = api.v1['partner-programs'][':id'];

/** A program as its partner sees it: rates, balances, link and next payout. */
export function membershipQuery(id: string) {
	return queryOptions({
		queryKey: ['membership', id],
		queryFn: async ({ signal }) => (await answerOf(own.$get({ param: { id } }, { init: { signal } }))).data,
	});
}

export interface PerformanceRequest {
	readonly membershipId: string;
	readonly range: Range;
	readonly zone: string;
	/** Whether to include the preceding period. */
	readonly isCompared?: boolean;
}

type PerformanceOptions = NonNullable<Parameters<(typeof own)['performance']['$get']>[1]>;

/** Returns JSON, or CSV if the headers ask for it. */
export function askPerformance({ membershipId, range, zone, isCompared }: PerformanceRequest, options: PerformanceOptions) {
	const query = { ...rangeQuery(range, zone), compare: isCompared ? ('previous' as const) : undefined };
	return own.performance.$get({ param: { id: membershipId }, query }, options);
}

export type Performance = AnswerOf<Awaited<ReturnType<typeof askPerformance>>>;

export function performanceQuery(request: PerformanceRequest) {
	return queryOptions({
		queryKey: ['performance', request],
		queryFn: ({ signal }) => answerOf(askPerformance(request, { init: { signal } })),
	});
}
