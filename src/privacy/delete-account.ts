import { and, eq, isNull, sql } from 'drizzle-orm';
import { auditEntry } from '../accounts/audit.ts';
import { NOBODY } from '../accounts/password.ts';
import { requireStoredPassword, selectPasswordHash } from '../accounts/require-password.ts';
import type { Actor } from '../accounts/session.ts';
import type { Context } from '../context.ts';
import { read, refusedWith, type Statement, write } from '../db/client.ts';
import { members, passwordResets, sessions, users, workspaces } from '../db/schema/accounts.ts';
import { dueEmails, mailPreferences } from '../db/schema/mail.ts';
import { type OwedEarnings, owedCentsOf, requireGivenUp } from '../domain/people/account-deletion.ts';
import { conflict } from '../domain/rejection.ts';
import { deferEmail } from '../accounts/defer-email.ts';
import { eraseApplications, eraseInvitations, erasedEmail, erasePartners } from './erase-partners.ts';
import { owedEarningsOf, selectOwed } from './owed-earnings.ts';

export interface Deletion {
	readonly password: string;
	/** Whether the person gives up what programs still owe them. */
	readonly givesUpEarnings: boolean;
}

/**
 * Deletes the account, its personal data and the person's partners for good, and reports it to their address. Financial records stay. Needs
 * the password. Rejects with 403, and with 409 for the last active owner of a workspace in use, if programs owe the person something that
 * they have not given up, or if the password has changed.
 */
export async function deleteAccount(ctx: Context, actor: Actor, { password, givesUpEarnings }: Deletion): Promise<void> {
	const purpose = { workspaceId: null, action: 'account.delete', subjectId: actor.userId } as const;
	const { users: found, owed: rows } = await read(ctx.db, { users: selectPasswordHash(ctx, actor), owed: selectOwed(ctx, actor.userId) });
	const hash = await requireStoredPassword(ctx, actor, { password, stored: found[0]?.passwordHash }, purpose);
	const owed = rows.map(owedEarningsOf);
	requireGivenUp(owed, givesUpEarnings);
	try {
		await write(ctx.db, [
			endUser(ctx, actor, hash),
			...noteLeaving(ctx, actor),
			auditEntry(ctx, actor, { ...purpose, detail: givenUpInAudit(owed) }),
			...eraseMember(ctx, actor),
			...erasePartners(ctx, sql`(SELECT id FROM partners WHERE user_id = ${actor.userId})`),
			...eraseOwnRows(ctx, actor),
		]);
	} catch (error) {
		if (refusedWith(error, 'members: the last owner stays')) throw await lastOwner(ctx, actor);
		if (!refusedWith(error, 'users.password_hash')) throw error;
		// Another request or an earlier attempt already deleted the account.
		if (!(await hasEnded(ctx, actor))) throw conflict('The password has changed: sign in again');
	}
	ctx.links.clear();
	emailDeletion(ctx, actor, owed);
}

/** The program's accounts may ask later why nobody was paid. */
function givenUpInAudit(owed: readonly OwedEarnings[]): Record<string, unknown> {
	if (owed.length === 0) return {};
	return { given_up: owed.map((of) => ({ program_id: of.program.id, currency: of.currency, amount_cents: owedCentsOf(of) })) };
}

/** To the address that the account had. */
function emailDeletion(ctx: Context, { email, name }: Actor, owed: readonly OwedEarnings[]): void {
	const givenUp = owed.map((of) => ({ programName: of.program.name, currency: of.currency, amountCents: owedCentsOf(of) }));
	deferEmail(ctx, { kind: 'account_deleted', to: email, name, at: ctx.now, givenUp });
}

/** Runs first, so that concurrent joins fail. NULL violates the column's constraint if the account has already ended. */
function endUser(ctx: Context, { userId }: Actor, hash: string): Statement {
	return ctx.db
		.update(users)
		.set({
			passwordHash: sql`(SELECT ${NOBODY} WHERE ${users.passwordHash} = ${hash} AND ${users.deactivatedAt} IS NULL)`,
			deactivatedAt: ctx.now,
			name: 'Deleted account',
			email: erasedEmail(),
			emailProvedAt: null,
		})
		.where(eq(users.id, userId));
}

/** Notes it in the log of each workspace that the person leaves as member or partner. */
function noteLeaving(ctx: Context, { userId, address }: Actor): Statement[] {
	return [
		ctx.db.run(sql`
			INSERT INTO audit_entries (at, workspace_id, user_id, action, subject_id, detail, address)
			SELECT ${ctx.now}, workspace_id, ${userId}, 'member.leave', id, json_object('user_id', user_id, 'role', role), ${address}
			FROM members WHERE user_id = ${userId} AND removed_at IS NULL
			UNION ALL SELECT ${ctx.now}, workspace_id, ${userId}, 'partner.erase', id, '{}', ${address}
			FROM partners WHERE user_id = ${userId}`),
	];
}

function eraseMember(ctx: Context, { userId, name, email }: Actor): Statement[] {
	const own = sql`(SELECT workspace_id FROM members WHERE user_id = ${userId})`;
	const joined = sql`(SELECT workspace_id FROM members WHERE user_id = ${userId} UNION SELECT workspace_id FROM partners WHERE user_id = ${userId})`;
	return [
		// Workspaces named after the person, and those without other members, lose their names.
		ctx.db.run(sql`
			UPDATE workspaces SET name = 'Workspace ' || id WHERE id IN ${own} AND (name = ${`${name}'s workspace`} OR NOT EXISTS (
				SELECT 1 FROM members WHERE workspace_id = workspaces.id AND user_id <> ${userId} AND deactivated_at IS NULL))`),
		ctx.db
			.update(members)
			.set({ deactivatedAt: sql`coalesce(deactivated_at, ${ctx.now})`, removedAt: sql`coalesce(removed_at, ${ctx.now})` })
			.where(eq(members.userId, userId)),
		ctx.db.run(sql`
			UPDATE invitations SET withdrawn_at = ${ctx.now}
			WHERE workspace_id IN ${own} AND invited_by = ${userId} AND accepted_at IS NULL AND withdrawn_at IS NULL`),
		...eraseInvitations(ctx, sql`email = ${email} OR (workspace_id IN ${joined} AND accepted_by = ${userId})`),
		...eraseApplications(
			ctx,
			sql`SELECT a.id FROM application_forms f JOIN partner_applications a ON a.program_id = f.program_id AND a.email = ${email}
				WHERE a.user_id = ${userId}`,
		),
	];
}

function eraseOwnRows(ctx: Context, { userId }: Actor): Statement[] {
	return [
		ctx.db.delete(sessions).where(eq(sessions.userId, userId)),
		ctx.db.delete(passwordResets).where(eq(passwordResets.userId, userId)),
		ctx.db.delete(mailPreferences).where(eq(mailPreferences.userId, userId)),
		ctx.db.delete(dueEmails).where(eq(dueEmails.userId, userId)),
	];
}

async function lastOwner(ctx: Context, { userId }: Actor) {
	const others = sql`SELECT 1 FROM members AS other
		WHERE other.workspace_id = ${members.workspaceId} AND other.user_id <> ${userId} AND other.deactivated_at IS NULL`;
	const hasMore = sql`(EXISTS (${others}) OR EXISTS (SELECT 1 FROM programs WHERE programs.workspace_id = ${members.workspaceId}))`;
	const owned = await ctx.db
		.select({ name: workspaces.name })
		.from(members)
		.innerJoin(workspaces, eq(workspaces.id, members.workspaceId))
		.where(
			and(
				eq(members.userId, userId),
				eq(members.role, 'owner'),
				isNull(members.deactivatedAt),
				sql`NOT EXISTS (${others} AND other.role = 'owner') AND ${hasMore}`,
			),
		)
		.orderBy(workspaces.id);
	const names = owned.map(({ name }) => name).join(', ');
	return conflict(`You are the last active owner of ${names}: make another member an owner first`);
}

async function hasEnded(ctx: Context, { userId }: Actor): Promise<boolean> {
	const [user] = await ctx.db.select({ deactivatedAt: users.deactivatedAt }).from(users).where(eq(users.id, userId));
	return user?.deactivatedAt !== null;
}
