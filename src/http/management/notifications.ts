import { Hono } from 'hono';
import * as z from 'zod/mini';
import { listNotifications } from '../../notifications/list-notifications.ts';
import { markAllRead, markRead } from '../../notifications/mark-read.ts';
import type { Notification } from '../../notifications/notification.ts';
import { once } from '../../once.ts';
import type { AppEnv } from '../app-env.ts';
import { metaOf, PageQuery } from '../page.ts';
import { Id, QueryFlag, QueryId, Strict } from '../fields.ts';
import { isoOf } from '../../domain/instant.ts';
import { optionalBody, params, query } from '../validate.ts';
import { requireSession } from './session.ts';

export const NotificationQuery = once(() =>
	z.extend(PageQuery(), { unread: z.optional(QueryFlag()), partner_program_id: z.optional(QueryId()) }),
);

export const ReadAllRequest = once(() => Strict({ up_to_id: z.optional(Id()) }));

/** /api/v1/notifications: the user's own, as member and as partner. */
export const notifications = new Hono<AppEnv>()
	.get('/', requireSession, query(NotificationQuery), async (c) => {
		const { ctx, actor } = c.var;
		const { unread, partner_program_id: partnerProgramId, cursor, limit } = c.req.valid('query');
		const page = await listNotifications(ctx, actor, { isUnread: unread === 'true', partnerProgramId, cursor, limit });
		const meta = { ...metaOf(page), unread_count: page.unreadCount };
		return c.json({ success: true, data: page.rows.map(notificationOnWire), meta });
	})
	.patch('/', requireSession, optionalBody(ReadAllRequest), async (c) => {
		const { ctx, actor } = c.var;
		return c.json({ success: true, data: { unread_count: await markAllRead(ctx, actor, c.req.valid('json').up_to_id) } });
	})
	.post('/:id/read', requireSession, params(['id']), async (c) => {
		const { ctx, actor } = c.var;
		return c.json({ success: true, data: notificationOnWire(await markRead(ctx, actor, c.req.valid('param').id)) });
	});

function notificationOnWire(notification: Notification) {
	return {
		id: notification.id,
		kind: notification.kind,
		message: notification.message,
		detail: notification.detail,
		program: notification.program,
		created_at: isoOf(notification.createdAt),
		read_at: isoOf(notification.readAt),
	};
}
