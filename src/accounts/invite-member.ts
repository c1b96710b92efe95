import { and, eq, gt, isNull, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { read, refusedWith, violates, write } from '../db/client.ts';
import { invitations, members, users } from '../db/schema/accounts.ts';
import { INVITATION_MS } from '../domain/people/invitation.ts';
import { conflict, type Rejection } from '../domain/rejection.ts';
import type { Role } from '../domain/people/role.ts';
import { newToken, sha256Hex } from '../secrets.ts';
import { auditWorkspace } from './audit.ts';
import { type Invitation, isOpen, MOST_OPEN, selectInvitations, selectMailable } from './invitation.ts';
import { isStill } from './member.ts';
import { type ManagedWorkspace, requireManage } from './membership.ts';
import { mailedInvitationToken } from './proved-address.ts';

export interface NewInvitation extends Invitation {
	/** The link's secret. */
	readonly token: string;
	readonly isMailed: boolean;
}

export interface Invited {
	/** Normalised. */
	readonly email: string;
	readonly role: Role;
}

/**
 * Creates an invitation, replacing an open one for the address. Only this response contains its token. Needs an admin, or an owner if an
 * owner is involved. 409 for an active member or too many invitations.
 */
export async function inviteMember(ctx: Context, workspace: ManagedWorkspace, invited: Invited): Promise<NewInvitation> {
	requireManage(workspace.role, invited.role);
	await requireInvitable(ctx, workspace, invited.email);
	const token = newToken('inv');
	const tokenHash = await sha256Hex(token);
	const writes = insertInvitation(ctx, workspace, invited, tokenHash);
	const reads = () => ({
		invitations: selectInvitations(ctx, workspace, eq(invitations.tokenHash, tokenHash)),
		mailable: ctx.mail && selectMailable(ctx, workspace.id, invited.email),
	});
	// The invitation exists if an earlier try succeeded but lost its response.
	const found = await write(ctx.db, writes, reads()).catch((error: unknown) => {
		if (violates(error, 'invitations.token_hash')) return read(ctx.db, reads());
		throw refusalOf(error) ?? error;
	});
	const [invitation] = found.invitations;
	if (!invitation) throw new Error('The new invitation is gone');
	const mail = found.mailable[0]?.isMailable ? ctx.mail : undefined;
	if (mail) {
		const { name: workspaceName, actor } = workspace;
		const mailed = await mailedInvitationToken(ctx, token);
		ctx.defer(
			mail({ kind: 'member_invitation', to: invited.email, role: invited.role, workspaceName, invitedBy: actor.name, token: mailed }),
		);
	}
	return { ...invitation, token, isMailed: mail !== undefined };
}

async function requireInvitable(ctx: Context, workspace: ManagedWorkspace, email: string): Promise<void> {
	const found = await read(ctx.db, {
		members: ctx.db
			.select({ id: members.id })
			.from(users)
			.innerJoin(members, eq(members.userId, users.id))
			.where(and(eq(users.email, email), eq(members.workspaceId, workspace.id), isNull(members.deactivatedAt))),
		open: ctx.db
			.select({ role: invitations.role })
			.from(invitations)
			.where(and(eq(invitations.workspaceId, workspace.id), eq(invitations.email, email), isOpen)),
	});
	if (found.members.length > 0) throw conflict('email belongs to an active member');
	const role = found.open[0]?.role;
	if (role) requireManage(workspace.role, role);
}

function insertInvitation(ctx: Context, workspace: ManagedWorkspace, { email, role }: Invited, tokenHash: string) {
	const ofWorkspace = and(eq(invitations.workspaceId, workspace.id), isOpen);
	const open = ctx.db
		.select({ count: sql`count(*)` })
		.from(invitations)
		.where(and(ofWorkspace, gt(invitations.expiresAt, ctx.now)));
	return [
		ctx.db
			.update(invitations)
			.set({ withdrawnAt: ctx.now })
			.where(and(ofWorkspace, eq(invitations.email, email))),
		ctx.db.insert(invitations).values({
			// NULL fails the batch above the limit, or if the actor has lost the role.
			tokenHash: sql`(SELECT ${tokenHash} WHERE ${open} < ${MOST_OPEN})`,
			invitedBy: sql`(SELECT ${workspace.actor.userId} WHERE ${isStill(workspace)})`,
			workspaceId: workspace.id,
			email,
			role,
			createdAt: ctx.now,
			expiresAt: ctx.now + INVITATION_MS,
		}),
		auditWorkspace(ctx, workspace, {
			action: 'invitation.create',
			subjectId: sql`(SELECT ${invitations.id} FROM ${invitations} WHERE ${invitations.tokenHash} = ${tokenHash})`,
			detail: { role },
		}),
	];
}

function refusalOf(error: unknown): Rejection | undefined {
	if (refusedWith(error, 'NOT NULL constraint failed: invitations.token_hash'))
		return conflict(`${MOST_OPEN} invitations are open: withdraw one first`);
	if (refusedWith(error, 'NOT NULL constraint failed: invitations.invited_by'))
		return conflict('Your role has changed: reload and try again');
	return undefined;
}
