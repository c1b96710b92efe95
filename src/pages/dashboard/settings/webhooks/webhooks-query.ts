import { queryOptions } from '@tanstack/react-query';
import { answerOf, api } from '../../../api.ts';

export const webhookRoutes = api.v1.programs[':id'].webhooks;

async function listWebhooks(id: string, signal: AbortSignal) {
	return (await answerOf(webhookRoutes.$get({ param: { id }, query: {} }, { init: { signal } }))).data;
}

export type Webhook = Awaited<ReturnType<typeof listWebhooks>>[number];

export function webhooksQuery(id: string) {
	return queryOptions({ queryKey: ['webhooks', id], queryFn: ({ signal }) => listWebhooks(id, signal) });
}

export function webhookQuery(id: string, webhookId: string) {
	return queryOptions({
		queryKey: ['webhook', id, webhookId],
		queryFn: async ({ signal }) =>
			(await answerOf(webhookRoutes[':webhookId'].$get({ param: { id, webhookId } }, { init: { signal } }))).data,
	});
}

type DeliveriesQuery = Parameters<(typeof webhookRoutes)[':webhookId']['deliveries']['$get']>[0]['query'];

async function listDeliveries(param: { id: string; webhookId: string }, query: DeliveriesQuery, signal: AbortSignal) {
	return answerOf(webhookRoutes[':webhookId'].deliveries.$get({ param, query: { ...query, total: 'true' } }, { init: { signal } }));
}

/** Without request and answer. */
export type Delivery = Awaited<ReturnType<typeof listDeliveries>>['data'][number];

export function deliveriesQuery(id: string, webhookId: string, query: DeliveriesQuery) {
	return queryOptions({
		queryKey: ['webhook-deliveries', id, webhookId, query],
		queryFn: ({ signal }) => listDeliveries({ id, webhookId }, query, signal),
		refetchInterval: ({ state }) => (state.data?.data.some(isUnderWay) ? LOOK_AGAIN_MS : false),
	});
}

async function readDelivery(param: { id: string; webhookId: string; deliveryId: string }, signal: AbortSignal) {
	return (await answerOf(webhookRoutes[':webhookId'].deliveries[':deliveryId'].$get({ param }, { init: { signal } }))).data;
}

export type ReadDelivery = Awaited<ReturnType<typeof readDelivery>>;

export function deliveryQuery(id: string, webhookId: string, deliveryId: string) {
	return queryOptions({
		queryKey: ['webhook-delivery', id, webhookId, deliveryId],
		queryFn: ({ signal }) => readDelivery({ id, webhookId, deliveryId }, signal),
		refetchInterval: ({ state }) => (state.data && isUnderWay(state.data) ? LOOK_AGAIN_MS : false),
	});
}

const LOOK_AGAIN_MS = 2_000;
/** While a delivery is being sent, its next attempt is a few minutes ahead in case the sender crashes. */
const SOON_MS = 180_000;

function isUnderWay({ next_attempt_at: next }: Pick<Delivery, 'next_attempt_at'>): boolean {
	return next !== null && Date.parse(next) < Date.now() + SOON_MS;
}
