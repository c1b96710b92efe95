import { and, eq } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { read } from '../db/client.ts';
import { countedOf, isOnPage, newestFirst, selectCounted } from '../db/list.ts';
import { webhookDeliveries } from '../db/schema/webhooks.ts';
import { type Page, pageOf, type PageRequest } from '../domain/page.ts';
import { notFound } from '../domain/rejection.ts';
import type { DeliveryState } from '../domain/webhooks/webhook-outcome.ts';
import { selectDeliveries, type WebhookDelivery } from './delivery.ts';
import { selectEndpoints } from './endpoint.ts';

/** Deliveries of the last 30 days, newest first. Rejects with 404. */
export async function listDeliveries(
	ctx: Context,
	program: { readonly id: number },
	endpointId: number,
	request: PageRequest & { readonly state?: DeliveryState | undefined; readonly type?: string | undefined },
): Promise<Page<WebhookDelivery>> {
	const { state, type } = request;
	const list = {
		order: newestFirst(webhookDeliveries.id),
		where: eq(webhookDeliveries.endpointId, endpointId),
		filter: and(
			state === undefined ? undefined : eq(webhookDeliveries.state, state),
			type === undefined ? undefined : eq(webhookDeliveries.type, type),
		),
	};
	const { endpoints, deliveries, counted } = await read(ctx.db, {
		endpoints: selectEndpoints(ctx, program.id, { id: endpointId }),
		deliveries: selectDeliveries(ctx, program.id, endpointId, { condition: isOnPage(list, request) }).limit(request.limit + 1),
		counted: selectCounted(ctx.db, list, request),
	});
	if (endpoints.length === 0) throw notFound('Webhook');
	return pageOf(deliveries, request, countedOf(counted));
}

/** Rejects with 404. */
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
