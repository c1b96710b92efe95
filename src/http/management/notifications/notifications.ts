import { Hono } from 'hono';
import * as z from 'zod/mini';
import { listNotifications } from '../../../notifications/list-notifications.ts';
import { markAllRead, markRead } from '../../../notifications/mark-read.ts';
import type { Notification } from '../../../notifications/notification.ts';
import { once } from '../../../once.ts';
import type { AppEnv } from '../../app-env.ts';
import { metaOf, PageQuery } from '../../page.ts';
import { Id, QueryFlag, QueryId, Strict } from '../../fields.ts';
import { isoOf } from '../../../domain/instant.ts';
import { optionalBody, params, query } from '../../validate.ts';
import { thenReplica } from '../../replica-reads.ts';
import { requireSession } from '../session.ts';

export const NotificationQuery = once(() =>
	z
		.extend(PageQuery(), { unread: z.optional(QueryFlag()), partner_program_id: z.optional(QueryId()), program_id: z.optional(QueryId()) })
		.check(z.refine(isOneScope, ONE_SCOPE)),
);

export const ReadAllRequest = once(() =>
	Strict({ up_to_id: z.optional(Id()), partner_program_id: z.optional(Id()), program_id: z.optional(Id()) }).check(
		z.refine(isOneScope, ONE_SCOPE),
	),
);

const ONE_SCOPE = 'Send either partner_program_id or program_id';

function isOneScope(sent: { readonly partner_program_id?: number | undefined; readonly program_id?: number | undefined }): boolean {
	return sent.partner_program_id === undefined || sent.program_id === undefined;
}

/** /api/v1/notifications, for members and partners. */
export const notifications = new Hono<AppEnv>()
	.get('/', requireSession, thenReplica, query(NotificationQuery), async (c) => {
		const { ctx, actor } = c.var;
		const { unread, partner_program_id: partnerProgramId, program_id: programId, ...page } = c.req.valid('query');
		const found = await listNotifications(ctx, actor, { isUnread: unread === 'true', partnerProgramId, programId, ...page });
		const meta = { ...metaOf(found), unread_count: found.unreadCount };
		return c.json({ success: true, data: found.rows.map(notificationOnWire), meta });
	})
	.patch('/', requireSession, optionalBody(ReadAllRequest), async (c) => {
		const { ctx, actor } = c.var;
		const { up_to_id: upToId, partner_program_id: partnerProgramId, program_id: programId } = c.req.valid('json');
		const left = await markAllRead(ctx, actor, { upToId, partnerProgramId, programId });
		return c.json({ success: true, data: { unread_count: left } });
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
