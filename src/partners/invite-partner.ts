import { sql } from 'drizzle-orm';
import { auditProgram } from '../accounts/audit.ts';
import type { ManagedProgram } from '../accounts/membership.ts';
import { invitingRefusal, partnerInvitation } from '../accounts/partner-invitation.ts';
import type { Context } from '../context.ts';
import { violates, write } from '../db/client.ts';
import { requirePartner } from './partner.ts';

export interface InvitedPartner {
	readonly partnerId: number;
	readonly email: string;
	readonly expiresAt: number;
	readonly token: string;
}

/**
 * A new link to accept by, in place of the open one; also for a membership that has ended: what was earned is still to be read. Rejects
 * with 404, and with 409 a partner whose invitation was accepted.
 */
export async function invitePartner(ctx: Context, program: ManagedProgram, partnerId: number): Promise<InvitedPartner> {
	const { email } = await requirePartner(ctx, program.id, partnerId);
	const { token, expiresAt, writes } = await partnerInvitation(ctx, program, sql<number>`${partnerId}`, 'fail');
	try {
		await write(ctx.db, [...writes, auditProgram(ctx, program, { action: 'partner.invite', subjectId: partnerId })]);
	} catch (error) {
		// Refused by its own earlier try, whose answer was lost: then it is there.
		if (!violates(error, 'invitations.token_hash')) throw invitingRefusal(error) ?? error;
	}
	return { partnerId, email, expiresAt, token };
}
