import { queryOptions } from '@tanstack/react-query';
import { answerOf, api } from '../../api.ts';
import { type Range, rangeQuery } from '../../ui/range.ts';

// What the pages about one's own links ask.

export const own = api.v1['partner-programs'][':id'];

interface Asked {
	readonly membershipId: string;
	readonly zone: string;
	readonly range: Range;
	readonly isCompared: boolean;
}

/** The call as it was made: with other headers it brings a file of the same figures. */
export function askPerformance(
	{ membershipId, zone, range, isCompared }: Asked,
	options?: { headers: { Accept: string } } | { init: RequestInit },
) {
	const query = { ...rangeQuery(range, zone), ...(isCompared ? { compare: 'previous' as const } : {}) };
	return own.performance.$get({ param: { id: membershipId }, query }, options);
}

async function readPerformance(asked: Asked, signal: AbortSignal) {
	return (await answerOf(askPerformance(asked, { init: { signal } }))).data;
}

export type Performance = Awaited<ReturnType<typeof readPerformance>>;
export type Figures = Performance['totals'];

export function performanceQuery(asked: Asked) {
	return queryOptions({ queryKey: ['own-performance', asked], queryFn: ({ signal }) => readPerformance(asked, signal) });
}

async function listLinks(id: string, query: { cursor?: string | undefined }, signal: AbortSignal) {
	return answerOf(own.links.$get({ param: { id }, query: { limit: '100', ...query } }, { init: { signal } }));
}

export type OwnLink = Awaited<ReturnType<typeof listLinks>>['data'][number];

export function linksQuery(id: string, cursor: string | undefined) {
	return queryOptions({ queryKey: ['own-links', id, cursor], queryFn: ({ signal }) => listLinks(id, { cursor }, signal) });
}
