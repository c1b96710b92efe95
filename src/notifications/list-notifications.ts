import { and, asc, desc, eq, type SQL } from 'drizzle-orm';
import type { Actor } from '../accounts/session.ts';
import type { Context } from '../context.ts';
import { read } from '../db/client.ts';
import { continuedAt, countedOf, isOnPage, type List, newestFirst, selectCounted, windowOf } from '../db/list.ts';
import { partners } from '../db/schema/partners.ts';
import { notifications } from '../db/schema/work.ts';
import { type Counted, mapPage, type Page, pageOf, type PageRequest } from '../domain/page.ts';
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

const PARTNER_ACCOUNTS = 100;
/** How many unread and how many read notifications are searched for those of one program. */
const LOOKED_THROUGH = 1_000;

export interface NotificationFilter extends PageRequest, NotificationScope {
	readonly isUnread: boolean;
}

export interface NotificationPage extends Page<Notification> {
	/** On all pages, capped at 100. */
	readonly unreadCount: number;
}

type Reads = Record<'unread', ReturnType<typeof countUnread>> &
	Record<`rows${number}`, ReturnType<typeof selectNewest>> &
	Record<`end${number}`, ReturnType<typeof windowOf>['end'] | undefined> &
	Record<`counted${number}`, ReturnType<typeof selectCounted>>;

/**
 * The actor's notifications as member and partner, newest first. The search for one program is bounded, so a page may be short or empty
 * although another follows. Rejects with 404 if the membership or program is not theirs.
 */
export async function listNotifications(
	ctx: Context,
	actor: Pick<Actor, 'userId'>,
	filter: NotificationFilter,
	lookedThrough: number = LOOKED_THROUGH,
): Promise<NotificationPage> {
	const isScoped = filter.partnerProgramId !== undefined || filter.programId !== undefined;
	const meant = isScoped ? await readersWithin(ctx, actor.userId, filter) : { readers: await readersOf(ctx, actor.userId) };
	const lists = listsOf(meant, filter);
	const windows = lists.map((list) => (list.filter ? windowOf(ctx.db, list, filter, lookedThrough) : { list, end: undefined }));
	const { unread, ...found } = await read<Reads>(ctx.db, {
		unread: isScoped ? countUnreadOf(ctx, meant) : countUnread(ctx, actor.userId),
		...numbered(
			'rows',
			windows.map(({ list }) => selectNewest(ctx, isOnPage(list, filter), filter.limit)),
		),
		...numbered(
			'end',
			windows.map(({ end }) => end),
		),
		...numbered(
			'counted',
			lists.map((list) => selectCounted(ctx.db, list, filter)),
		),
	});
	const each = [...lists.keys()];
	const ends = each.flatMap((index) => found[`end${index}`] ?? []).map(({ id }) => id);
	const counted = each.flatMap((index) => countedOf(found[`counted${index}`] ?? []) ?? []);
	const isBack = filter.cursor?.isBack ?? false;
	const end = ends.length === 0 ? null : isBack ? Math.min(...ends) : Math.max(...ends);
	const rows = each
		.flatMap((index) => found[`rows${index}`] ?? [])
		// Past the end of one list its rows are unknown, so rows of the others wait for the next page.
		.filter(({ id }) => end === null || (isBack ? id <= end : id >= end))
		.toSorted((a, b) => b.id - a.id);
	const page = continuedAt(pageOf(rows, filter, filter.total ? sumOf(counted) : undefined), filter, end);
	return { ...mapPage(page, toNotification), unreadCount: unread[0]?.unread ?? 0 };
}

/**
 * One list per reader and state, so that each reads its index only up to the limit. An index per program would cost another row write per
 * notification.
 */
function listsOf({ readers, programId }: Readers, { isUnread }: NotificationFilter): List[] {
	const states = isUnread ? [IS_UNREAD] : [IS_UNREAD, IS_READ];
	return readers.flatMap((reader) =>
		states.map((state) => ({
			order: newestFirst(notifications.id),
			where: and(reader, state),
			filter: programId === undefined ? undefined : eq(notifications.programId, programId),
		})),
	);
}

function numbered<Name extends string, Value>(name: Name, values: readonly Value[]): Record<`${Name}${number}`, Value>;
function numbered(name: string, values: readonly unknown[]): Record<string, unknown> {
	return Object.fromEntries(values.map((value, index) => [`${name}${index}`, value]));
}

function sumOf(counted: readonly Counted[]): Counted {
	const ahead = counted.map((list) => list.ahead);
	return {
		rows: counted.reduce((sum, { rows }) => sum + rows, 0),
		isMore: counted.some(({ isMore }) => isMore),
		ahead: ahead.includes(null) ? null : ahead.reduce<number>((sum, count) => sum + (count ?? 0), 0),
	};
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
