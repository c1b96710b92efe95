import { sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { read } from '../db/client.ts';
import { countedOf, isOnPage, newestFirst, selectCounted } from '../db/list.ts';
import { postbackDeliveries, postbacks } from '../db/schema/postbacks.ts';
import { type Page, pageOf, type PageRequest } from '../domain/page.ts';
import { type PostbackDelivery, selectDeliveries, toDelivery } from './delivery.ts';
import { isPostbackOf, type PostbackOwner, requireFound, selectPostback } from './postback.ts';

/** Newest first. One round trip. Rejects with 404. */
export async function listPostbackDeliveries(ctx: Context, owner: PostbackOwner, request: PageRequest): Promise<Page<PostbackDelivery>> {
	const list = {
		order: newestFirst(postbackDeliveries.id),
		where: sql`${postbackDeliveries.postbackId} = (SELECT ${postbacks.id} FROM ${postbacks} WHERE ${isPostbackOf(owner)})`,
	};
	const { postback, rows, counted } = await read(ctx.db, {
		postback: selectPostback(ctx, owner),
		rows: selectDeliveries(ctx, isOnPage(list, request)).limit(request.limit + 1),
		counted: selectCounted(ctx.db, list, request),
	});
	requireFound(postback);
	const page = pageOf(rows, request, countedOf(counted));
	return { ...page, rows: await Promise.all(page.rows.map((row) => toDelivery(ctx, row))) };
}
