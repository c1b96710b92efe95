import { queryOptions } from '@tanstack/react-query';
import { answerOf, noneWhereNotFound } from '../../api.ts';
import { own } from '../queries.ts';

async function readPostback(id: string, signal: AbortSignal) {
	return (await answerOf(own.postback.$get({ param: { id } }, { init: { signal } }))).data;
}

export type Postback = Awaited<ReturnType<typeof readPostback>>;

/** Null without a postback. */
export function postbackQuery(id: string) {
	return queryOptions({
		queryKey: ['own-postback', id],
		queryFn: ({ signal }) => readPostback(id, signal).catch(noneWhereNotFound),
	});
}

async function listDeliveries(id: string, query: { cursor: string | undefined }, signal: AbortSignal) {
	return answerOf(own.postback.deliveries.$get({ param: { id }, query: { limit: '20', total: 'true', ...query } }, { init: { signal } }));
}

export type Delivery = Awaited<ReturnType<typeof listDeliveries>>['data'][number];

const RESTING_MS = 15_000;
const WAITING_MS = 2_000;

/** Polls, faster while a call is in progress. */
export function deliveriesQuery(id: string, cursor: string | undefined) {
	return queryOptions({
		queryKey: ['own-postback-deliveries', id, cursor],
		queryFn: ({ signal }) => listDeliveries(id, { cursor }, signal),
		refetchInterval: ({ state }) => (state.data?.data.some(isOnItsWay) ? WAITING_MS : RESTING_MS),
	});
}

function isOnItsWay({ status, attempts }: Delivery): boolean {
	return status === 'pending' && attempts === 0;
}
