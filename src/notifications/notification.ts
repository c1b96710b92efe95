import { and, desc, eq, inArray, isNull, or, type SQL, sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import type { Context } from '../context.ts';
import { members } from '../db/schema/accounts.ts';
import { partners } from '../db/schema/partners.ts';
import { programs } from '../db/schema/programs.ts';
import { notifications } from '../db/schema/work.ts';
import { messageOf, type NotificationDetail, type NotificationKind } from '../domain/people/notification.ts';

export interface Notification {
	readonly id: number;
	readonly kind: NotificationKind;
	readonly message: string;
	readonly detail: NotificationDetail;
	readonly program: { readonly id: number; readonly name: string };
	readonly createdAt: number;
	readonly readAt: number | null;
}

export interface Readers {
	/** The user as a member and as each partner, separately so that each query uses its index. */
	readonly readers: readonly (SQL | undefined)[];
	readonly programId?: number;
}

const Detail = z.looseObject({
	commission_id: z.optional(z.number()),
	payout_id: z.nullish(z.number()),
	application_id: z.optional(z.number()),
	webhook_id: z.optional(z.number()),
	payouts: z.optional(z.number()),
	commissions: z.optional(z.number()),
	amount_cents: z.optional(z.number()),
	deduction_cents: z.optional(z.number()),
	withheld_cents: z.optional(z.number()),
	recovered_cents: z.optional(z.number()),
	surplus_cents: z.optional(z.number()),
	currency: z.string(),
	status: z.optional(z.string()),
	reason: z.nullish(z.string()),
	reference: z.nullish(z.string()),
	processor: z.optional(z.string()),
	sale_id: z.optional(z.number()),
	since: z.optional(z.number()),
});

/** Must match the index's expression. */
export const IS_UNREAD = sql`(${notifications.readAt} IS NULL) = 1`;
export const IS_READ = sql`(${notifications.readAt} IS NULL) = 0`;

export function selectNotifications(ctx: Context) {
	return ctx.db
		.select({
			id: notifications.id,
			kind: notifications.kind,
			detail: notifications.detail,
			program: { id: programs.id, name: programs.name },
			createdAt: notifications.createdAt,
			readAt: notifications.readAt,
		})
		.from(notifications)
		.innerJoin(programs, eq(programs.id, notifications.programId));
}

export function toNotification(row: Awaited<ReturnType<typeof selectNotifications>>[number]): Notification {
	const detail = Detail.parse(JSON.parse(row.detail));
	return { ...row, detail, message: messageOf(row.kind, detail, row.program.name) };
}

export function isOwn(ctx: Context, userId: number): SQL | undefined {
	return or(isToMember(ctx, userId), inArray(notifications.partnerId, selectPartnerIds(ctx, userId)));
}

/** Former members cannot read a workspace's notifications. */
export function isToMember(ctx: Context, userId: number): SQL | undefined {
	const workspaceIds = ctx.db
		.select({ id: members.workspaceId })
		.from(members)
		.where(and(eq(members.userId, userId), isNull(members.deactivatedAt)));
	return and(
		eq(notifications.userId, userId),
		sql`(SELECT workspace_id FROM programs WHERE id = ${notifications.programId}) IN ${workspaceIds}`,
	);
}

/** The partners whose invitations the user accepted. */
export function selectPartnerIds(ctx: Context, userId: number) {
	return ctx.db.select({ id: partners.id }).from(partners).where(eq(partners.userId, userId));
}

/** The bell shows "99+" from this count on. */
const COUNTED = 100;
/** How many of the newest unread ones are searched for those of one program. */
const LOOKED_THROUGH = 1_000;

/** Counts up to 100. */
export function countUnread(ctx: Context, userId: number) {
	return countUnreadOf(ctx, { readers: [isToMember(ctx, userId), inArray(notifications.partnerId, selectPartnerIds(ctx, userId))] });
}

/** Like `countUnread`, one index per reader. For one program it searches their newest 1,000. */
export function countUnreadOf(ctx: Context, { readers, programId }: Readers) {
	const counts = readers.map((reader) => {
		const unread = ctx.db
			.select({ counted: programId === undefined ? notifications.id : notifications.programId })
			.from(notifications)
			.where(and(reader, IS_UNREAD))
			.orderBy(...(programId === undefined ? [] : [desc(notifications.id)]))
			.limit(programId === undefined ? COUNTED : LOOKED_THROUGH);
		return sql`(SELECT count(*) FROM ${unread}${programId === undefined ? sql`` : sql` WHERE program_id = ${programId}`})`;
	});
	return ctx.db.select({ unread: sql<number>`min(${sql.join(counts, sql` + `)}, ${COUNTED})` }).from(sql`(SELECT 1)`);
}
