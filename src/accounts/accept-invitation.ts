import { and, eq, isNull, sql, type SQL } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { read, refusedWith, type Statement, violates, write } from '../db/client.ts';
import { invitations, members, sessions, users } from '../db/schema/accounts.ts';
import { partners } from '../db/schema/partners.ts';
import { conflict, Rejection } from '../domain/rejection.ts';
import type { Role } from '../domain/people/role.ts';
import { newToken, sha256Hex } from '../secrets.ts';
import { auditEntry } from './audit.ts';
import type { Workspace } from './create-workspace.ts';
import { type OpenInvitation, requireOpen, selectInvitation } from './invitation.ts';
import { hashPassword, requireUnguessable } from './password.ts';
import type { PartnerAccount } from './partner-account.ts';
import { proveAddress, readInvitationToken } from './proved-address.ts';
import { type Actor, type Client, insertSession } from './session.ts';

/** An accepted invitation gives access to a workspace or a partner account. */
export interface Joined {
	readonly user: { readonly id: number; readonly email: string; readonly name: string };
	readonly workspace: Workspace | null;
	readonly partnerAccount: PartnerAccount | null;
}

/**
 * Joins as the signed-in person: the link decides, not their email address. 409 for an active member, but a member may also become a
 * partner.
 */
export async function acceptInvitation(ctx: Context, actor: Actor, token: string): Promise<Joined> {
	const { tokenHash, isMailed } = await readInvitationToken(ctx, token);
	const isMembership = and(
		eq(members.workspaceId, invitations.workspaceId),
		eq(members.userId, actor.userId),
		isNull(members.deactivatedAt),
	);
	const found = await read(ctx.db, {
		invitations: selectInvitation(ctx, tokenHash),
		members: ctx.db
			.select({ id: members.id })
			.from(invitations)
			.innerJoin(members, isMembership)
			.where(eq(invitations.tokenHash, tokenHash)),
	});
	const invitation = requireOpen(ctx, found.invitations);
	if (invitation.role !== null && found.members.length > 0) throw alreadyMember();
	try {
		const proof = isMailed ? [proveAddress(ctx, actor.userId, invitation.email)] : [];
		await write(ctx.db, [...joinBy(ctx, invitation, actor), ...proof]);
	} catch (error) {
		if (!refusedWith(error, 'invitations: ended')) throw joiningRefusal(error) ?? error;
		const ended = await selectInvitation(ctx, tokenHash);
		// They have already joined if an earlier try succeeded but lost its response.
		if (ended[0]?.acceptedBy !== actor.userId || ended[0].acceptedAt !== ctx.now) requireOpen(ctx, ended);
	}
	return { user: { id: actor.userId, email: actor.email, name: actor.name }, ...joinedBy(invitation) };
}

/** Creates a user with the invited address and signs them in. 409 if the address has an account. */
export async function signUpByInvitation(
	ctx: Context,
	token: string,
	person: Client & { readonly name: string; readonly password: string },
): Promise<Joined & { readonly token: string }> {
	const { tokenHash, isMailed } = await readInvitationToken(ctx, token);
	const found = await read(ctx.db, {
		invitations: selectInvitation(ctx, tokenHash),
		holders: ctx.db
			.select({ id: users.id })
			.from(invitations)
			.innerJoin(users, eq(users.email, invitations.email))
			.where(eq(invitations.tokenHash, tokenHash)),
	});
	const invitation = requireOpen(ctx, found.invitations);
	if (found.holders.length > 0) throw emailTaken();
	requireUnguessable('password', person.password, { email: invitation.email, name: person.name });
	const passwordHash = await hashPassword('known', person.password);
	const session = newToken('ses');
	const sessionHash = await sha256Hex(session);
	const userId: SQL<number> = sql`(SELECT ${users.id} FROM ${users} WHERE ${users.email} = ${invitation.email})`;
	const writes = [
		ctx.db.insert(users).values({
			email: invitation.email,
			name: person.name,
			passwordHash,
			createdAt: ctx.now,
			emailProvedAt: isMailed ? ctx.now : null,
		}),
		insertSession(ctx, userId, sessionHash, person),
		...joinBy(ctx, invitation, { userId, address: person.address }),
	];
	const signedUp = () =>
		ctx.db
			.select({ id: users.id, email: users.email, name: users.name })
			.from(sessions)
			.innerJoin(users, eq(users.id, sessions.userId))
			.where(eq(sessions.tokenHash, sessionHash));
	const made = await write(ctx.db, writes, { users: signedUp() }).catch(async (error: unknown) => {
		if (refusedWith(error, 'invitations: ended')) requireOpen(ctx, await selectInvitation(ctx, tokenHash));
		if (!violates(error, 'users.email')) throw joiningRefusal(error) ?? error;
		// The session exists if an earlier try succeeded but lost its response.
		return read(ctx.db, { users: signedUp() });
	});
	const [user] = made.users;
	if (!user) throw emailTaken();
	return { token: session, user, ...joinedBy(invitation) };
}

function joinBy(ctx: Context, invitation: OpenInvitation, person: Joining): Statement[] {
	const use = ctx.db.update(invitations).set({ acceptedAt: ctx.now, acceptedBy: person.userId }).where(eq(invitations.id, invitation.id));
	const { role, partner } = invitation;
	if (role !== null) return [use, ...joinAsMember(ctx, { ...invitation, role }, person)];
	return partner ? [use, ...joinAsPartner(ctx, invitation, partner.id, person)] : [use];
}

type Joining = Pick<Actor, 'address'> & { readonly userId: number | SQL<number> };

/** A deactivated or removed member becomes active again. */
function joinAsMember(ctx: Context, { id, workspaceId, role }: OpenInvitation & { readonly role: Role }, person: Joining): Statement[] {
	const { userId } = person;
	return [
		ctx.db
			.insert(members)
			.values({ workspaceId, userId, role, createdAt: ctx.now })
			.onConflictDoUpdate({
				target: [members.workspaceId, members.userId],
				// NULL fails the batch for an active member.
				set: { role: sql`iif(${members.deactivatedAt} IS NULL, NULL, ${role})`, createdAt: ctx.now, deactivatedAt: null, removedAt: null },
			}),
		auditEntry(ctx, person, {
			workspaceId,
			action: 'member.join',
			subjectId: sql`(SELECT ${members.id} FROM ${members} WHERE ${members.workspaceId} = ${workspaceId} AND ${members.userId} = ${userId})`,
			detail: { invitation_id: id, role },
		}),
	];
}

/** A trigger refuses it if the partner already belongs to another person. */
function joinAsPartner(ctx: Context, { id, workspaceId }: OpenInvitation, partnerId: number, person: Joining): Statement[] {
	return [
		ctx.db.update(partners).set({ userId: person.userId }).where(eq(partners.id, partnerId)),
		auditEntry(ctx, person, { workspaceId, action: 'partner.join', subjectId: partnerId, detail: { invitation_id: id } }),
	];
}

function joinedBy({ workspaceId, workspaceName, role, partner, partnerPrograms }: OpenInvitation): Omit<Joined, 'user'> {
	return {
		workspace: role && { id: workspaceId, name: workspaceName, role },
		partnerAccount: partner && { partnerId: partner.id, name: partner.name, workspaceId, workspaceName, partnerPrograms },
	};
}

/** The rejection for a batch that would fail again if retried. */
function joiningRefusal(error: unknown): Rejection | undefined {
	if (refusedWith(error, 'users: ended')) return new Rejection('session_unknown');
	if (refusedWith(error, 'members.role')) return alreadyMember();
	return refusedWith(error, 'partners: taken') ? conflict('The partner account already belongs to someone else') : undefined;
}

function alreadyMember(): Rejection {
	return conflict('You are already an active member of this workspace');
}

function emailTaken(): Rejection {
	return conflict('The invited address already has an account. Sign in, then accept the invitation');
}
