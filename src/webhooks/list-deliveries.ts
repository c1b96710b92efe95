import type { Context } from '../context.ts';
import { read } from '../db/client.ts';
import { type Page, pageOf, type PageRequest } from '../domain/page.ts';
import { notFound } from '../domain/rejection.ts';
import { type DeliveryFilter, selectDeliveries, type WebhookDelivery } from './delivery.ts';
import { selectEndpoints } from './endpoint.ts';

/** What an endpoint was told in the last 30 days, newest first. Rejects with 404 where there is no such endpoint. */
export async function listDeliveries(
	ctx: Context,
	program: { readonly id: number },
	endpointId: number,
	{ cursor, limit, ...filter }: PageRequest & Pick<DeliveryFilter, 'state' | 'type'>,
): Promise<Page<WebhookDelivery>> {
	const { endpoints, deliveries } = await read(ctx.db, {
		endpoints: selectEndpoints(ctx, program.id, { id: endpointId }),
		deliveries: selectDeliveries(ctx, program.id, endpointId, { ...filter, before: cursor }).limit(limit + 1),
	});
	if (endpoints.length === 0) throw notFound('Webhook');
	return pageOf(deliveries, limit);
}

/** One of them. Rejects with 404. */
export async function requireDelivery(
	ctx: Context,
	program: { readonly id: number },
	endpointId: number,
	id: number,
): Promise<WebhookDelivery> {
	const [delivery] = await selectDeliveries(ctx, program.id, endpointId, { id });
	if (!delivery) throw notFound('Delivery');
	return delivery;
}
