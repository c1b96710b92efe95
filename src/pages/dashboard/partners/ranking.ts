import { answerOf, api } from '../../api.ts';
import { type Range, rangeQuery } from '../../ui/range.ts';
import type { PartnerSearch } from './routes.ts';

export type RankedPartner = Awaited<ReturnType<typeof askRanking>>['data'][number];

export const USUAL_SORT = 'net_revenue';

export interface RankingRequest {
	readonly programId: string;
	readonly zone: string;
	readonly search: PartnerSearch;
	readonly limit: string | undefined;
}

export function rangeOf({ period = '30d', from, to }: PartnerSearch): Range {
	return { period, from, to };
}

export function askRanking(request: RankingRequest, signal: AbortSignal) {
	return answerOf(sendRanking(request, { init: { signal }, total: 'true' }));
}

export function sendRanking(
	{ programId, zone, search, limit }: RankingRequest,
	{
		total,
		...options
	}: { readonly init?: { readonly signal: AbortSignal }; readonly headers?: { readonly Accept: string }; readonly total?: 'true' },
) {
	const { sort = USUAL_SORT, order, status, group, search: text, cursor } = search;
	const query = { ...rangeQuery(rangeOf(search), zone), sort, order, status, group_id: group, search: text, cursor, limit, total };
	return api.v1.programs[':id'].partners.performance.$get({ param: { id: programId }, query }, options);
}
