import { lt } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { read } from '../db/client.ts';
import { postbackDeliveries } from '../db/schema/postbacks.ts';
import { type Page, pageOf, type PageRequest } from '../domain/page.ts';
import { type PostbackDelivery, selectDeliveries, toDelivery } from './delivery.ts';
import { isPostbackOf, type PostbackOwner, requireFound, selectPostback } from './postback.ts';

/** What a partner's postback was called for, newest first. One trip. Rejects with 404 where there is none. */
export async function listPostbackDeliveries(
	ctx: Context,
	owner: PostbackOwner,
	{ cursor, limit }: PageRequest,
): Promise<Page<PostbackDelivery>> {
	const { postback, rows } = await read(ctx.db, {
		postback: selectPostback(ctx, owner),
		rows: selectDeliveries(ctx, isPostbackOf(owner), cursor === undefined ? undefined : lt(postbackDeliveries.id, cursor)).limit(limit + 1),
	});
	requireFound(postback);
	return pageOf(await Promise.all(rows.map((row) => toDelivery(ctx, row))), limit);
}
