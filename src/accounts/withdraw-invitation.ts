import { and, eq } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { refusedWith, write } from '../db/client.ts';
import { invitations } from '../db/schema/accounts.ts';
import { conflict, notFound } from '../domain/rejection.ts';
import { auditWorkspace } from './audit.ts';
import { isOpen, selectInvitations } from './invitation.ts';
import { type ManagedWorkspace, requireManage } from './membership.ts';

/** Needs an admin, or an owner if it invites an owner. Rejects with 404 if the invitation is not open. */
export async function withdrawInvitation(ctx: Context, workspace: ManagedWorkspace, invitationId: number): Promise<void> {
	const [invitation] = await selectInvitations(ctx, workspace, and(eq(invitations.id, invitationId), isOpen));
	if (!invitation?.role) throw notFound('Invitation');
	const { id, role } = invitation;
	requireManage(workspace.role, role);
	try {
		await write(ctx.db, [
			ctx.db.update(invitations).set({ withdrawnAt: ctx.now }).where(eq(invitations.id, id)),
			auditWorkspace(ctx, workspace, { action: 'invitation.withdraw', subjectId: id, detail: { role } }),
		]);
	} catch (error) {
		if (refusedWith(error, 'invitations: ended')) throw conflict('The invitation has already been accepted');
		throw error;
	}
}
