import type { Context } from '../context.ts';
import { type Page, pageOf, type PageRequest } from '../domain/page.ts';
import { selectEndpoints, toEndpoint, type WebhookEndpoint } from './endpoint.ts';

/** The endpoints of a program, newest first. */
export async function listEndpoints(
	ctx: Context,
	program: { readonly id: number },
	{ cursor, limit }: PageRequest,
): Promise<Page<WebhookEndpoint>> {
	const rows = await selectEndpoints(ctx, program.id, cursor === undefined ? {} : { before: cursor }).limit(limit + 1);
	return pageOf(
		rows.map((row) => toEndpoint(ctx, row)),
		limit,
	);
}
