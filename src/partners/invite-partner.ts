import { sql } from 'drizzle-orm';
import { auditProgram } from '../accounts/audit.ts';
import { selectMailable } from '../accounts/invitation.ts';
import type { ManagedProgram } from '../accounts/membership.ts';
import { invitingRefusal, partnerInvitation } from '../accounts/partner-invitation.ts';
import { mailedInvitationToken } from '../accounts/proved-address.ts';
import type { Context } from '../context.ts';
import { read, violates, write } from '../db/client.ts';
import { requirePartner } from './partner.ts';

export interface InvitedPartner {
	readonly partnerId: number;
	readonly email: string;
	readonly expiresAt: number;
	readonly token: string;
	readonly isMailed: boolean;
}

/**
 * Creates an invitation that replaces the open one. A former partner may be invited, to see what they earned. Rejects with 404, and with
 * 409 if the partner has accepted an invitation or was erased.
 */
export async function invitePartner(ctx: Context, program: ManagedProgram, partnerId: number): Promise<InvitedPartner> {
	const { email } = await requirePartner(ctx, program.id, partnerId);
	const { token, expiresAt, writes } = await partnerInvitation(ctx, program, sql<number>`${partnerId}`, 'fail');
	const audit = auditProgram(ctx, program, { action: 'partner.invite', subjectId: partnerId });
	const mailable = ctx.mail && selectMailable(ctx, program.workspaceId, email);
	const found = await write(ctx.db, [...writes, audit], { mailable }).catch((error: unknown) => {
		// If a retry finds its token, the first attempt succeeded but its response was lost.
		if (violates(error, 'invitations.token_hash')) return read(ctx.db, { mailable });
		throw invitingRefusal(error) ?? error;
	});
	const mail = found.mailable[0]?.isMailable ? ctx.mail : undefined;
	if (mail) {
		const mailed = await mailedInvitationToken(ctx, token);
		ctx.defer(mail({ kind: 'partner_invitation', to: email, programName: program.name, token: mailed }));
	}
	return { partnerId, email, expiresAt, token, isMailed: mail !== undefined };
}
