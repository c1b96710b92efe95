import { and, eq, isNull, lte } from 'drizzle-orm';
import type { Actor } from '../accounts/session.ts';
import type { Context } from '../context.ts';
import { write } from '../db/client.ts';
import { notifications } from '../db/schema/work.ts';
import { notFound } from '../domain/rejection.ts';
import { countUnreadOf, IS_UNREAD, isOwn, type Notification, selectNotifications, toNotification } from './notification.ts';
import { type NotificationScope, readersWithin } from './scope.ts';

export interface ReadNotifications extends NotificationScope {
	/** Newer ones may be unseen. */
	readonly upToId?: number | undefined;
}

/** A read notification keeps its time. Rejects with 404 for notifications of others. */
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

/**
 * Marks the actor's notifications in the scope, up to an id. Returns how many are still unread. Rejects with 404 if the membership or
 * program is not theirs.
 */
export async function markAllRead(ctx: Context, actor: Pick<Actor, 'userId'>, meant: ReadNotifications): Promise<number> {
	const { upToId } = meant;
	const meantBy = await readersWithin(ctx, actor.userId, meant);
	const { readers, programId } = meantBy;
	const isOfProgram = programId === undefined ? undefined : eq(notifications.programId, programId);
	const { left } = await write(
		ctx.db,
		readers.map((reader) =>
			ctx.db
				.update(notifications)
				.set({ readAt: ctx.now })
				.where(and(reader, IS_UNREAD, isOfProgram, upToId === undefined ? undefined : lte(notifications.id, upToId))),
		),
		{ left: countUnreadOf(ctx, meantBy) },
	);
	return left[0]?.unread ?? 0;
}
