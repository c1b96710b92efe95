import { and, count, desc, eq, gt, inArray, isNull, lte, type SQL, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { read } from '../db/client.ts';
import { users } from '../db/schema/accounts.ts';
import type { dueEmails } from '../db/schema/mail.ts';
import { programs } from '../db/schema/programs.ts';
import { notifications } from '../db/schema/work.ts';
import type { Email } from '../domain/people/email.ts';
import { unsubscribeTokenOf } from './mail-preferences.ts';
import { IS_UNREAD, isToMember, selectNotifications, selectPartnerIds, toNotification } from './notification.ts';
import { wantedKinds } from './plan-emails.ts';

/** The most entries in an email. */
const NAMED = 20;

export type DueEmail = typeof dueEmails.$inferSelect;

type Reads = Record<'readers', ReturnType<typeof selectReaders>> &
	Record<`count${number}`, ReturnType<typeof countUnsent>> &
	Record<`news${number}`, ReturnType<typeof selectNews>> &
	Record<`earned${number}`, ReturnType<typeof selectEarned>>;

/** Undefined if the reader has read everything, unsubscribed or left. */
export async function readContents(ctx: Context, due: readonly DueEmail[]): Promise<(Email | undefined)[]> {
	const counts = due.map((email, index) => [`count${index}`, email.pace === 'soon' ? countUnsent(ctx, email) : undefined]);
	const news = due.map((email, index) => [`news${index}`, email.pace === 'soon' ? selectNews(ctx, email) : undefined]);
	const earned = due.map((email, index) => [`earned${index}`, email.pace === 'daily' ? selectEarned(ctx, email) : undefined]);
	const reads = Object.fromEntries([...counts, ...news, ...earned]);
	const found = await read<Reads>(ctx.db, { readers: selectReaders(ctx, due), ...reads });
	const readers = new Map(found.readers.map((reader) => [reader.id, reader]));
	return Promise.all(
		due.map(async ({ userId, pace }, index): Promise<Email | undefined> => {
			const reader = readers.get(userId);
			if (!reader) return undefined;
			const selected = (found[`news${index}`] ?? []).map(toNotification);
			const sums = found[`earned${index}`] ?? [];
			if (selected.length + sums.length === 0) return undefined;
			const to = { to: reader.email, name: reader.name, unsubscribeToken: await unsubscribeTokenOf(ctx, userId) };
			if (pace === 'daily') return { kind: 'earnings', ...to, earned: sums };
			const notes = selected.map(({ kind, program, message }) => ({ kind, programName: program.name, message }));
			return { kind: 'notifications', ...to, notifications: notes, count: found[`count${index}`]?.[0]?.count ?? 0 };
		}),
	);
}

function selectReaders(ctx: Context, due: readonly DueEmail[]) {
	const ids = JSON.stringify(due.map(({ userId }) => userId));
	return ctx.db
		.select({ id: users.id, email: users.email, name: users.name })
		.from(users)
		.where(and(inArray(users.id, sql`(SELECT value FROM json_each(${ids}))`), isNull(users.deactivatedAt)));
}

function countUnsent(ctx: Context, email: DueEmail) {
	return ctx.db.select({ count: count() }).from(sql`${unsentIds(ctx, email)}`);
}

function selectNews(ctx: Context, email: DueEmail) {
	return selectNotifications(ctx)
		.where(inArray(notifications.id, unsentIds(ctx, email)))
		.orderBy(desc(notifications.id))
		.limit(NAMED);
}

function selectEarned(ctx: Context, email: DueEmail) {
	const currency = sql<string>`${notifications.detail} ->> 'currency'`;
	return ctx.db
		.select({
			programName: programs.name,
			currency,
			count: count(),
			amountCents: sql<number>`sum(${notifications.detail} ->> 'amount_cents')`,
		})
		.from(notifications)
		.innerJoin(programs, eq(programs.id, notifications.programId))
		.where(inArray(notifications.id, unsentIds(ctx, email)))
		.groupBy(programs.id, currency)
		.orderBy(programs.id, currency)
		.limit(NAMED);
}

/** Two queries, because members and partners have different indexes of unread notifications. */
function unsentIds(ctx: Context, { userId, pace, afterId, upToId }: DueEmail): SQL {
	const those = (own: SQL | undefined) =>
		ctx.db
			.select({ id: notifications.id })
			.from(notifications)
			.where(
				and(
					own,
					IS_UNREAD,
					gt(notifications.id, afterId),
					lte(notifications.id, upToId),
					inArray(notifications.kind, wantedKinds(userId, pace)),
				),
			);
	const [asMember, asPartner] = [those(isToMember(ctx, userId)), those(inArray(notifications.partnerId, selectPartnerIds(ctx, userId)))];
	return sql`(SELECT id FROM ${asMember} UNION ALL SELECT id FROM ${asPartner})`;
}
