import { Hono } from 'hono';
import * as z from 'zod/mini';
import { listNotifications } from '../../notifications/list-notifications.ts';
import { markAllRead, markRead } from '../../notifications/mark-read.ts';
import type { Notification } from '../../notifications/notification.ts';
import { once } from '../../once.ts';
import type { AppEnv } from '../app-env.ts';
import { Id } from '../schema.ts';
import { Strict } from './fields.ts';
import { isoOf } from './filters.ts';
import { jsonOrNothing, metaOf, PageQuery, pathId, query, requireSession } from './session.ts';

export const NotificationQuery = once(() =>
	z.extend(PageQuery(), { unread: z.optional(z.enum(['true', 'false'], 'must be true or false')) }),
);

export const ReadAllRequest = once(() => Strict({ up_to_id: z.optional(Id()) }));

/** /api/v1/notifications: the user's own, as member and as partner. */
export const notifications = new Hono<AppEnv>();

notifications.get('/', async (c) => {
	const actor = await requireSession(c);
	const { unread, cursor, limit } = query(c, NotificationQuery);
	const page = await listNotifications(c.get('ctx'), actor, { isUnread: unread === 'true', cursor, limit });
	const meta = { ...metaOf(page), unread_count: page.unreadCount };
	return c.json({ success: true, data: page.rows.map(notificationOnWire), meta });
});

notifications.post('/read-all', async (c) => {
	const actor = await requireSession(c);
	const { up_to_id: upToId } = await jsonOrNothing(c, ReadAllRequest);
	return c.json({ success: true, data: { unread_count: await markAllRead(c.get('ctx'), actor, upToId) } });
});

notifications.post('/:id/read', async (c) => {
	const actor = await requireSession(c);
	return c.json({ success: true, data: notificationOnWire(await markRead(c.get('ctx'), actor, pathId(c, 'id'))) });
});

function notificationOnWire(notification: Notification) {
	return {
		id: notification.id,
		kind: notification.kind,
		message: notification.message,
		detail: notification.detail,
		program: notification.program,
		created_at: isoOf(notification.createdAt),
		read_at: notification.readAt === null ? null : isoOf(notification.readAt),
	};
}
