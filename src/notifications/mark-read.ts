import { and, eq, inArray, isNull, lte } from 'drizzle-orm';
import type { Actor } from '../accounts/session.ts';
import type { Context } from '../context.ts';
import { write } from '../db/client.ts';
import { notifications } from '../db/schema/work.ts';
import { notFound } from '../domain/rejection.ts';
import {
	countUnread,
	IS_UNREAD,
	isOwn,
	isToMember,
	type Notification,
	selectNotifications,
	selectPartnerIds,
	toNotification,
} from './notification.ts';

/** Marks one notification of the actor's as read; one that is read keeps its time. Rejects with 404 for those of others. */
export async function markRead(ctx: Context, actor: Pick<Actor, 'userId'>, id: number): Promise<Notification> {
	const own = and(eq(notifications.id, id), isOwn(ctx, actor.userId));
	const { marked } = await write(
		ctx.db,
		[
			ctx.db
				.update(notifications)
				.set({ readAt: ctx.now })
				.where(and(own, isNull(notifications.readAt))),
		],
		{ marked: selectNotifications(ctx).where(own) },
	);
	const [row] = marked;
	if (!row) throw notFound('Notification');
	return toNotification(row);
}

/** Marks all of the actor's as read, or those up to an id: later ones may not have been seen. How many are left unread. */
export async function markAllRead(ctx: Context, actor: Pick<Actor, 'userId'>, upToId: number | undefined): Promise<number> {
	const readers = [isToMember(ctx, actor.userId), inArray(notifications.partnerId, selectPartnerIds(ctx, actor.userId))];
	const { left } = await write(
		ctx.db,
		readers.map((reader) =>
			ctx.db
				.update(notifications)
				.set({ readAt: ctx.now })
				.where(and(reader, IS_UNREAD, upToId === undefined ? undefined : lte(notifications.id, upToId))),
		),
		{ left: countUnread(ctx, actor.userId) },
	);
	return left[0]?.unread ?? 0;
}
