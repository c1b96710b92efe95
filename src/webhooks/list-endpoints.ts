import { and, eq, isNull } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { newestFirst, readPage } from '../db/list.ts';
import { webhookEndpoints } from '../db/schema/webhooks.ts';
import { mapPage, type Page, type PageRequest } from '../domain/page.ts';
import { selectEndpoints, toEndpoint, type WebhookEndpoint } from './endpoint.ts';

export async function listEndpoints(ctx: Context, program: { readonly id: number }, request: PageRequest): Promise<Page<WebhookEndpoint>> {
	const list = {
		order: newestFirst(webhookEndpoints.id),
		where: and(eq(webhookEndpoints.programId, program.id), isNull(webhookEndpoints.deletedAt)),
	};
	const page = await readPage(ctx.db, list, request, (isOnPage, limit) =>
		selectEndpoints(ctx, program.id, { condition: isOnPage }).limit(limit),
	);
	return mapPage(page, (row) => toEndpoint(ctx, row));
}
