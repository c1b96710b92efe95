import { queryOptions } from '@tanstack/react-query';
import { answerOf } from '../../api.ts';
import { own, type Performance } from '../queries.ts';

/** For the whole range, one day, or one link. */
export type Figures = Performance['data']['totals'];

async function listLinks(id: string, query: { cursor?: string | undefined }, signal: AbortSignal) {
	return answerOf(own.links.$get({ param: { id }, query: { limit: '100', total: 'true', ...query } }, { init: { signal } }));
}

export type OwnLink = Awaited<ReturnType<typeof listLinks>>['data'][number];

export function linksQuery(id: string, cursor: string | undefined) {
	return queryOptions({ queryKey: ['own-links', id, cursor], queryFn: ({ signal }) => listLinks(id, { cursor }, signal) });
}

/** Only the program creates coupons, so few partners have more than 100. */
export function couponsQuery(id: string) {
	return queryOptions({
		queryKey: ['own-coupons', id],
		queryFn: async ({ signal }) =>
			(await answerOf(own.coupons.$get({ param: { id }, query: { limit: '100' } }, { init: { signal } }))).data,
	});
}
