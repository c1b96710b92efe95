import { and, desc, eq, gt, isNull, type SQL, sql } from 'drizzle-orm';
import { auditEntry } from '../accounts/audit.ts';
import { selectPartnerAccounts } from '../accounts/partner-account.ts';
import type { Actor } from '../accounts/session.ts';
import type { Context } from '../context.ts';
import { write } from '../db/client.ts';
import { auditEntries, members, sessions, users, workspaces } from '../db/schema/accounts.ts';
import { partnerApplications } from '../db/schema/applications.ts';
import { mailPreferences } from '../db/schema/mail.ts';
import { partners } from '../db/schema/partners.ts';
import { payoutDetails } from '../db/schema/payout-details.ts';
import { programs } from '../db/schema/programs.ts';
import { selectNotifications, toNotification } from '../notifications/notification.ts';

/** Per list, unless a list has its own limit. */
const NEWEST = 1_000;

export type AccountData = Awaited<ReturnType<typeof exportAccount>>;

/**
 * The actor's data, in one audited round trip. Payout details are masked, in case the session is stolen. Includes applications that the
 * actor sent while signed in or that led to the account; a matching address alone gives no access.
 */
export async function exportAccount(ctx: Context, { userId, email, name, address }: Actor) {
	const audit = auditEntry(ctx, { userId, address }, { workspaceId: null, action: 'account.export', subjectId: userId });
	const { user, notifications, ...found } = await write(ctx.db, [audit], {
		user: ctx.db.select({ createdAt: users.createdAt, emailProvedAt: users.emailProvedAt }).from(users).where(eq(users.id, userId)),
		workspaces: ctx.db
			.select({
				id: workspaces.id,
				name: workspaces.name,
				role: members.role,
				since: members.createdAt,
				deactivatedAt: members.deactivatedAt,
			})
			.from(members)
			.innerJoin(workspaces, eq(workspaces.id, members.workspaceId))
			.where(and(eq(members.userId, userId), isNull(members.removedAt)))
			.orderBy(workspaces.id),
		partnerAccounts: selectPartnerAccounts(ctx, userId),
		addresses: ctx.db
			.select({
				partnerId: partners.id,
				email: partners.email,
				payoutDetails: { method: payoutDetails.method, summary: payoutDetails.summary, changedAt: payoutDetails.changedAt },
			})
			.from(partners)
			.leftJoin(payoutDetails, eq(payoutDetails.partnerId, partners.id))
			.where(eq(partners.userId, userId)),
		applications: selectOwnApplications(ctx, userId, email),
		sessions: selectOwnSessions(ctx, userId),
		preferences: ctx.db
			.select({ notifications: mailPreferences.notifications, kinds: mailPreferences.kinds })
			.from(mailPreferences)
			.where(eq(mailPreferences.userId, userId)),
		notifications: selectNotifications(ctx)
			.where(sql`notifications.id IN (${newestNotifications(userId)})`)
			.orderBy(sql`notifications.id DESC`)
			.limit(NEWEST),
		auditEntries: selectOwnEntries(ctx, userId),
	});
	return {
		...found,
		user: { id: userId, email, name, createdAt: user[0]?.createdAt ?? 0, emailProvedAt: user[0]?.emailProvedAt ?? null },
		notifications: notifications.map(toNotification),
	};
}

/** The newest of each reader, so that no index is read further than needed. */
function newestNotifications(userId: number): SQL {
	return sql`${newestOf(sql`user_id = ${userId}`)}
		UNION ALL SELECT n.id FROM partners p CROSS JOIN notifications n WHERE p.user_id = ${userId} AND n.id IN (${newestOf(sql`partner_id = p.id`)})`;
}

/** The index separates read and unread ones. */
function newestOf(reader: SQL): SQL {
	const [read, unread] = [0, 1].map(
		(isUnread) => sql`SELECT id FROM (
			SELECT id FROM notifications WHERE ${reader} AND (read_at IS NULL) = ${sql.raw(String(isUnread))} ORDER BY id DESC LIMIT ${NEWEST})`,
	);
	return sql`${read} UNION ALL ${unread}`;
}

function selectOwnApplications(ctx: Context, userId: number, email: string) {
	return ctx.db
		.select({
			id: partnerApplications.id,
			program: { id: programs.id, name: programs.name },
			name: partnerApplications.name,
			email: partnerApplications.email,
			website: partnerApplications.website,
			message: partnerApplications.message,
			termsVersion: partnerApplications.termsVersion,
			status: partnerApplications.status,
			reason: partnerApplications.reason,
			createdAt: partnerApplications.createdAt,
		})
		.from(partnerApplications)
		.innerJoin(programs, eq(programs.id, partnerApplications.programId))
		.where(sql`${partnerApplications.id} IN (
				SELECT a.id FROM application_forms f CROSS JOIN partner_applications a ON a.program_id = f.program_id AND a.email = ${email}
				WHERE a.user_id = ${userId}
				UNION SELECT a.id FROM partners p JOIN programs g ON g.workspace_id = p.workspace_id
				JOIN partner_applications a ON a.program_id = g.id AND a.email = p.email WHERE p.user_id = ${userId} AND a.partner_id = p.id)`)
		.orderBy(desc(partnerApplications.id))
		.limit(NEWEST);
}

function selectOwnSessions(ctx: Context, userId: number) {
	return ctx.db
		.select({
			id: sessions.id,
			createdAt: sessions.createdAt,
			expiresAt: sessions.expiresAt,
			lastUsedAt: sessions.lastUsedAt,
			network: sessions.network,
			userAgent: sessions.userAgent,
		})
		.from(sessions)
		.where(and(eq(sessions.userId, userId), gt(sessions.expiresAt, ctx.now)))
		.orderBy(desc(sessions.id))
		.limit(NEWEST);
}

/** The newest entries about the account and of each workspace. */
function selectOwnEntries(ctx: Context, userId: number) {
	const ofAccount = sql`SELECT id FROM (SELECT id FROM audit_entries
		WHERE workspace_id IS NULL AND coalesce(user_id, subject_id) = ${userId} ORDER BY id DESC LIMIT ${NEWEST})`;
	const ofWorkspaces = sql`SELECT e.id FROM (
			SELECT workspace_id FROM members WHERE user_id = ${userId} UNION SELECT workspace_id FROM partners WHERE user_id = ${userId}
		) AS w CROSS JOIN audit_entries e WHERE e.id IN (SELECT id FROM audit_entries INDEXED BY audit_entries_by_user
			WHERE workspace_id = w.workspace_id AND user_id = ${userId} ORDER BY id DESC LIMIT ${NEWEST})`;
	return ctx.db
		.select({
			id: auditEntries.id,
			at: auditEntries.at,
			workspaceId: auditEntries.workspaceId,
			programId: auditEntries.programId,
			action: auditEntries.action,
			subjectId: auditEntries.subjectId,
			address: auditEntries.address,
		})
		.from(auditEntries)
		.where(sql`${auditEntries.id} IN (${ofAccount} UNION ${ofWorkspaces})`)
		.orderBy(desc(auditEntries.id))
		.limit(NEWEST);
}
