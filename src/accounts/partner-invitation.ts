import { and, eq, type SQL, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { refusedWith, type Statement } from '../db/client.ts';
import { invitations } from '../db/schema/accounts.ts';
import { INVITATION_MS } from '../domain/people/invitation.ts';
import { conflict, type Rejection } from '../domain/rejection.ts';
import { newToken, sha256Hex } from '../secrets.ts';
import { isUnused } from './invitation.ts';
import type { ManagedProgram } from './membership.ts';

/** Only the token's hash is stored. */
export interface PartnerInvitation {
	readonly token: string;
	readonly tokenHash: string;
	readonly expiresAt: number;
	readonly writes: readonly Statement[];
}

type Inviting = Pick<ManagedProgram, 'actor' | 'workspaceId'>;

/**
 * Creates a partner's invitation, replacing the open one, as part of a batch. If the partner has already accepted, `whereAccepted` decides
 * whether to skip it or fail the batch.
 */
export async function partnerInvitation(
	ctx: Context,
	program: Inviting,
	partnerId: SQL<number>,
	whereAccepted: 'skip' | 'fail',
): Promise<PartnerInvitation> {
	const token = newToken('inv');
	const tokenHash = await sha256Hex(token);
	const expiresAt = ctx.now + INVITATION_MS;
	const { actor, workspaceId } = program;
	// NULL fails the batch if somebody has accepted, or if the actor has lost the role.
	const subject = whereAccepted === 'fail' ? sql`CASE WHEN user_id IS NULL THEN id END` : sql`id`;
	const inviter = sql`(SELECT user_id FROM members
		WHERE workspace_id = ${workspaceId} AND user_id = ${actor.userId} AND deactivated_at IS NULL AND role <> 'member')`;
	const insert = ctx.db.run(sql`
		INSERT INTO invitations (token_hash, workspace_id, email, partner_id, invited_by, created_at, expires_at)
		SELECT ${tokenHash}, workspace_id, email, ${subject}, ${inviter}, ${ctx.now}, ${expiresAt} FROM partners
		WHERE id = ${partnerId} AND workspace_id = ${workspaceId}${whereAccepted === 'skip' ? sql` AND user_id IS NULL` : sql``}`);
	return { token, tokenHash, expiresAt, writes: [withdrawInvitationOf(ctx, partnerId), insert] };
}

export function withdrawInvitationOf(ctx: Context, partnerId: number | SQL<number>, condition?: SQL): Statement {
	return ctx.db
		.update(invitations)
		.set({ withdrawnAt: ctx.now })
		.where(and(eq(invitations.partnerId, partnerId), isUnused, condition));
}

export function erasedRefusal(error: unknown): Rejection | undefined {
	return refusedWith(error, 'partners: erased')
		? conflict('The partner was erased. Add the person as a new partner with their own email address')
		: undefined;
}

export function invitingRefusal(error: unknown): Rejection | undefined {
	if (refusedWith(error, 'CHECK constraint failed: invitations_as_member_or_partner'))
		return conflict('The invitation has already been accepted');
	if (refusedWith(error, 'NOT NULL constraint failed: invitations.invited_by'))
		return conflict('Your role has changed: reload and try again');
	return erasedRefusal(error);
}
