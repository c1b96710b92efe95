import { queryOptions } from '@tanstack/react-query';
import { answerOf } from '../../api.ts';
import { own } from '../queries.ts';

const SHOWN = '5';

export type RecentCommission = Awaited<ReturnType<typeof listRecent>>[number];

async function listRecent(id: string, signal: AbortSignal) {
	const answer = own.commissions.$get({ param: { id }, query: { limit: SHOWN } }, { init: { signal } });
	return (await answerOf(answer)).data;
}

export function recentQuery(id: string) {
	return queryOptions({ queryKey: ['commissions', id, 'recent'], queryFn: ({ signal }) => listRecent(id, signal) });
}
