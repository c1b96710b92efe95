import { and, asc, desc, eq, lt, type SQL, sql } from 'drizzle-orm';
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
	type Readers,
	selectNotifications,
	selectPartnerIds,
	toNotification,
} from './notification.ts';
import { type NotificationScope, readersWithin } from './scope.ts';

/** One person is a partner of so many workspaces at most, as far as notifications go. */
const PARTNER_ACCOUNTS = 100;
/** How many unread and how many read notifications a page of one program looks through. */
const LOOKED_THROUGH = 1_000;

export interface NotificationFilter extends PageRequest, NotificationScope {
	readonly isUnread: boolean;
}

export interface NotificationPage extends Page<Notification> {
	/** Of all, not of this page; counted up to 100. */
	readonly unreadCount: number;
}

type Asked = Record<'unread', ReturnType<typeof countUnread>> &
	Record<'end', ReturnType<typeof selectEnd> | undefined> &
	Record<`list${number}`, ReturnType<typeof selectNewest>>;

/**
 * The actor's own notifications, as a member and as a partner, newest first; those of one program are looked for among so many, so that
 * a page of them may be short, or empty, and not the last. Rejects with 404 a membership or program that is not theirs.
 */
export async function listNotifications(
	ctx: Context,
	actor: Pick<Actor, 'userId'>,
	filter: NotificationFilter,
	lookedThrough: number = LOOKED_THROUGH,
): Promise<NotificationPage> {
	const { cursor, limit } = filter;
	const isScoped = filter.partnerProgramId !== undefined || filter.programId !== undefined;
	const meant = isScoped ? await readersWithin(ctx, actor.userId, filter) : { readers: await readersOf(ctx, actor.userId) };
	// Reader by reader, the unread and the read apart, so that each list is read along its index and no further than its limit.
	const states = filter.isUnread ? [IS_UNREAD] : [IS_UNREAD, IS_READ];
	const isBehind = cursor === undefined ? undefined : lt(notifications.id, cursor);
	const lists = meant.readers.flatMap((reader) => states.map((state) => and(reader, state, isBehind)));
	const asked = lists.map((list) => selectNewest(ctx, and(list, isLookedThrough(ctx, meant, list, lookedThrough)), limit));
	const { unread, end, ...newest } = await read<Asked>(ctx.db, {
		unread: isScoped ? countUnreadOf(ctx, meant) : countUnread(ctx, actor.userId),
		end: meant.programId === undefined ? undefined : selectEnd(ctx, lists, lookedThrough),
		...Object.fromEntries(asked.map((list, index) => [`list${index}`, list])),
	});
	const reached = end?.[0]?.id ?? null;
	const rows = Object.values(newest)
		.flat()
		.filter(({ id }) => reached === null || id >= reached)
		.sort((a, b) => b.id - a.id);
	const page = pageOf(rows.map(toNotification), limit);
	return { ...page, nextCursor: page.nextCursor ?? reached, unreadCount: unread[0]?.unread ?? 0 };
}

async function readersOf(ctx: Context, userId: number): Promise<(SQL | undefined)[]> {
	const accounts = await selectPartnerIds(ctx, userId).orderBy(asc(partners.id)).limit(PARTNER_ACCOUNTS);
	return [isToMember(ctx, userId), ...accounts.map(({ id }) => eq(notifications.partnerId, id))];
}

function selectNewest(ctx: Context, isListed: SQL | undefined, limit: number) {
	return selectNotifications(ctx)
		.where(isListed)
		.orderBy(desc(notifications.id))
		.limit(limit + 1);
}

/** No index leads to those of one program: it would cost a row more for each notification. */
function isLookedThrough(ctx: Context, { programId }: Readers, list: SQL | undefined, lookedThrough: number): SQL | undefined {
	if (programId === undefined) return undefined;
	return sql`${notifications.programId} = ${programId} AND ${notifications.id} >= coalesce(${lastOf(ctx, list, lookedThrough)}, 0)`;
}

/** Down to where all lists were looked through, if there may be more; else null. */
function selectEnd(ctx: Context, lists: readonly (SQL | undefined)[], lookedThrough: number) {
	const ends = lists.map((list) => sql`SELECT ${lastOf(ctx, list, lookedThrough)} AS id`);
	return ctx.db.select({ id: sql<number | null>`max(id)` }).from(sql`(${sql.join(ends, sql` UNION ALL `)})`);
}

/** The last of so many, if there are as many. */
function lastOf(ctx: Context, list: SQL | undefined, lookedThrough: number) {
	return ctx.db
		.select({ id: notifications.id })
		.from(notifications)
		.where(list)
		.orderBy(desc(notifications.id))
		.limit(1)
		.offset(lookedThrough - 1);
}
