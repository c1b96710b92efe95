import { and, count, desc, eq, gt, inArray, isNotNull, isNull, or, type SQL, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import type { Statement } from '../db/client.ts';
import { invitations, users, workspaces } from '../db/schema/accounts.ts';
import { partners } from '../db/schema/partners.ts';
import { DAY_MS } from '../domain/calendar.ts';
import { endOfInvitation } from '../domain/people/invitation.ts';
import { notFound, Rejection } from '../domain/rejection.ts';
import { isAtLeast, mayManage, type Role, ROLES } from '../domain/people/role.ts';
import type { ManagedWorkspace } from './membership.ts';
import { programsOfPartner } from './partner-account.ts';

/** Per workspace, because their list is not paginated. */
export const MOST_OPEN = 100;

export type Invitation = Awaited<ReturnType<typeof selectInvitations>>[number];
type FoundInvitation = Awaited<ReturnType<typeof selectInvitation>>[number];
export type OpenInvitation = FoundInvitation;

/** Neither accepted nor withdrawn. It may have expired. */
export const isUnused = and(isNull(invitations.acceptedAt), isNull(invitations.withdrawnAt));
/** Invitations of members. Must match the index's condition. */
export const isOpen = and(isUnused, isNotNull(invitations.role));

/** Newest first. */
export function selectInvitations(ctx: Context, workspace: Pick<ManagedWorkspace, 'id'>, condition: SQL | undefined) {
	return (
		ctx.db
			.select({
				id: invitations.id,
				email: invitations.email,
				role: invitations.role,
				invitedBy: { id: users.id, name: users.name },
				createdAt: invitations.createdAt,
				expiresAt: invitations.expiresAt,
			})
			.from(invitations)
			.innerJoin(users, eq(users.id, invitations.invitedBy))
			.where(and(eq(invitations.workspaceId, workspace.id), condition))
			// `+` avoids the index on id, because the workspace may also have thousands of partner invitations.
			.orderBy(desc(sql`+${invitations.id}`))
			.limit(MOST_OPEN)
	);
}

export function selectOpenInvitations(ctx: Context, workspace: ManagedWorkspace) {
	return selectInvitations(ctx, workspace, and(isOpen, gt(invitations.expiresAt, ctx.now)));
}

/** Invitations reach strangers, so emails per day are limited by address and by workspace. */
const MAILED_PER_DAY = { address: 3, workspace: 200 } as const;

/** Whether the address may be emailed without flooding its inbox. Runs after the insert. */
export function selectMailable(ctx: Context, workspaceId: number, email: string) {
	return ctx.db.select({ isMailable: isMailable(ctx, workspaceId, sql`${email}`) }).from(sql`(SELECT 1)`);
}

export function selectMailables(ctx: Context, workspaceId: number, emails: readonly string[]) {
	return ctx.db
		.select({ email: sql<string>`one.value`, isMailable: isMailable(ctx, workspaceId, sql`one.value`) })
		.from(sql`json_each(${JSON.stringify(emails)}) AS one`);
}

function isMailable(ctx: Context, workspaceId: number, email: SQL): SQL<boolean> {
	const within = (most: number, condition: SQL) => {
		const made = ctx.db
			.select({ made: count() })
			.from(invitations)
			.where(and(condition, gt(invitations.createdAt, ctx.now - DAY_MS)));
		return sql`${made} <= ${most}`;
	};
	const few = and(
		within(MAILED_PER_DAY.address, sql`${invitations.email} = ${email}`),
		within(MAILED_PER_DAY.workspace, eq(invitations.workspaceId, workspaceId)),
	);
	return sql`${few}`.mapWith(Boolean);
}

/** Also finds invitations that no longer work. */
export function selectInvitation(ctx: Context, tokenHash: string) {
	return ctx.db
		.select({
			id: invitations.id,
			workspaceId: invitations.workspaceId,
			workspaceName: workspaces.name,
			email: invitations.email,
			role: invitations.role,
			partner: { id: partners.id, name: partners.name },
			partnerPrograms: programsOfPartner(sql`${invitations.partnerId}`),
			invitedByName: users.name,
			expiresAt: invitations.expiresAt,
			acceptedAt: invitations.acceptedAt,
			acceptedBy: invitations.acceptedBy,
			withdrawnAt: invitations.withdrawnAt,
		})
		.from(invitations)
		.innerJoin(workspaces, eq(workspaces.id, invitations.workspaceId))
		.innerJoin(users, eq(users.id, invitations.invitedBy))
		.leftJoin(partners, eq(partners.id, invitations.partnerId))
		.where(eq(invitations.tokenHash, tokenHash));
}

/** Rejects with 404 if there is no invitation, or 410 if it no longer works. */
export function requireOpen(ctx: Context, [invitation]: readonly FoundInvitation[]): OpenInvitation {
	if (!invitation) throw notFound('Invitation');
	const end = endOfInvitation(invitation, ctx.now);
	if (end !== undefined) throw new Rejection('gone', { message: end });
	return invitation;
}

/** Withdraws the member's invitations that their new role may not send, or all if they are no longer an active member. */
export function withdrawInvitationsOf(ctx: Context, workspace: ManagedWorkspace, userId: number, role: Role | undefined): Statement {
	const roles = ROLES.filter((one) => role === undefined || !mayManage(role, one));
	const ofPartners = role === undefined || !isAtLeast(role, 'admin') ? isNotNull(invitations.partnerId) : undefined;
	return ctx.db
		.update(invitations)
		.set({ withdrawnAt: ctx.now })
		.where(
			and(
				eq(invitations.workspaceId, workspace.id),
				isUnused,
				eq(invitations.invitedBy, userId),
				or(inArray(invitations.role, roles), ofPartners),
			),
		);
}
