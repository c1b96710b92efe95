import { and, asc, desc, eq, lt, type SQL } from 'drizzle-orm';
import type { Actor } from '../accounts/session.ts';
import type { Context } from '../context.ts';
import { read } from '../db/client.ts';
import { partners } from '../db/schema/partners.ts';
import { notifications } from '../db/schema/work.ts';
import { type Page, pageOf, type PageRequest } from '../domain/page.ts';
import {
	countUnread,
	IS_READ,
	IS_UNREAD,
	isToMember,
	type Notification,
	selectNotifications,
	selectPartnerIds,
	toNotification,
} from './notification.ts';

/** One person is a partner of so many workspaces at most, as far as notifications go. */
const PARTNER_ACCOUNTS = 100;

export interface NotificationFilter extends PageRequest {
	readonly isUnread: boolean;
}

export interface NotificationPage extends Page<Notification> {
	/** Of all, not of this page; counted up to 10,000. */
	readonly unreadCount: number;
}

type Asked = Record<'unread', ReturnType<typeof countUnread>> & Record<`list${number}`, ReturnType<typeof selectNewest>>;

/** The actor's own notifications, as a member and as a partner, newest first. */
export async function listNotifications(ctx: Context, actor: Pick<Actor, 'userId'>, filter: NotificationFilter): Promise<NotificationPage> {
	const accounts = await selectPartnerIds(ctx, actor.userId).orderBy(asc(partners.id)).limit(PARTNER_ACCOUNTS);
	// Reader by reader, the unread and the read apart, so that each list is read along its index and no further than its limit.
	const readers = [isToMember(ctx, actor.userId), ...accounts.map(({ id }) => eq(notifications.partnerId, id))];
	const states = filter.isUnread ? [IS_UNREAD] : [IS_UNREAD, IS_READ];
	const asked = readers.flatMap((reader) => states.map((state) => selectNewest(ctx, and(reader, state), filter)));
	const lists = Object.fromEntries(asked.map((list, index) => [`list${index}`, list]));
	const { unread, ...newest } = await read<Asked>(ctx.db, { unread: countUnread(ctx, actor.userId), ...lists });
	const rows = Object.values(newest)
		.flat()
		.sort((a, b) => b.id - a.id);
	return { ...pageOf(rows.map(toNotification), filter.limit), unreadCount: unread[0]?.unread ?? 0 };
}

function selectNewest(ctx: Context, own: SQL | undefined, { cursor, limit }: NotificationFilter) {
	return selectNotifications(ctx)
		.where(and(own, cursor === undefined ? undefined : lt(notifications.id, cursor)))
		.orderBy(desc(notifications.id))
		.limit(limit + 1);
}
