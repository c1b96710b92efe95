import { and, asc, desc, eq, lt, type SQL } from 'drizzle-orm';
import type { Actor } from '../accounts/session.ts';
import type { Context } from '../context.ts';
import { read } from '../db/client.ts';
import { partners } from '../db/schema/partners.ts';
import { notifications } from '../db/schema/work.ts';
import { type Page, pageOf, type PageRequest } from '../domain/page.ts';
import {
	countUnread,
	countUnreadOf,
	IS_READ,
	IS_UNREAD,
	isToMember,
	type Notification,
	selectNotifications,
	selectPartnerIds,
	toNotification,
} from './notification.ts';
import { type NotificationScope, readersWithin } from './scope.ts';

/** One person is a partner of so many workspaces at most, as far as notifications go. */
const PARTNER_ACCOUNTS = 100;

export interface NotificationFilter extends PageRequest, NotificationScope {
	readonly isUnread: boolean;
}

export interface NotificationPage extends Page<Notification> {
	/** Of all, not of this page; counted up to 10,000. */
	readonly unreadCount: number;
}

type Asked = Record<'unread', ReturnType<typeof countUnread>> & Record<`list${number}`, ReturnType<typeof selectNewest>>;

/** The actor's own notifications, as a member and as a partner, newest first. Rejects with 404 a membership or program that is not theirs. */
export async function listNotifications(ctx: Context, actor: Pick<Actor, 'userId'>, filter: NotificationFilter): Promise<NotificationPage> {
	const isScoped = filter.partnerProgramId !== undefined || filter.programId !== undefined;
	// Reader by reader, the unread and the read apart, so that each list is read along its index and no further than its limit.
	const readers = isScoped ? await readersWithin(ctx, actor.userId, filter) : await readersOf(ctx, actor.userId);
	const count = isScoped ? countUnreadOf(ctx, readers) : countUnread(ctx, actor.userId);
	const states = filter.isUnread ? [IS_UNREAD] : [IS_UNREAD, IS_READ];
	const asked = readers.flatMap((reader) => states.map((state) => selectNewest(ctx, and(reader, state), filter)));
	const lists = Object.fromEntries(asked.map((list, index) => [`list${index}`, list]));
	const { unread, ...newest } = await read<Asked>(ctx.db, { unread: count, ...lists });
	const rows = Object.values(newest)
		.flat()
		.sort((a, b) => b.id - a.id);
	return { ...pageOf(rows.map(toNotification), filter.limit), unreadCount: unread[0]?.unread ?? 0 };
}

async function readersOf(ctx: Context, userId: number): Promise<(SQL | undefined)[]> {
	const accounts = await selectPartnerIds(ctx, userId).orderBy(asc(partners.id)).limit(PARTNER_ACCOUNTS);
	return [isToMember(ctx, userId), ...accounts.map(({ id }) => eq(notifications.partnerId, id))];
}

function selectNewest(ctx: Context, own: SQL | undefined, { cursor, limit }: NotificationFilter) {
	return selectNotifications(ctx)
		.where(and(own, cursor === undefined ? undefined : lt(notifications.id, cursor)))
		.orderBy(desc(notifications.id))
		.limit(limit + 1);
}
