import { eq } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { write } from '../db/client.ts';
import { members } from '../db/schema/accounts.ts';
import { auditWorkspace } from './audit.ts';
import { withdrawInvitationsOf } from './invitation.ts';
import { refusalOfChange, requireMember, roleDecidedUpon, selectMembers } from './member.ts';
import { type ManagedWorkspace, requireManage } from './membership.ts';

/** Everybody may end their own membership, admins those of others, and only owners those of owners. 404; 409 for the last active owner. */
export async function removeMember(ctx: Context, workspace: ManagedWorkspace, memberId: number): Promise<void> {
	const member = await requireMember(ctx, workspace, memberId);
	const isOwn = memberId === workspace.memberId;
	if (!isOwn) requireManage(workspace.role, member.role);
	try {
		await write(ctx.db, [
			ctx.db
				.update(members)
				.set({ role: roleDecidedUpon(workspace, member, member.role), deactivatedAt: ctx.now, removedAt: ctx.now })
				.where(eq(members.id, memberId)),
			withdrawInvitationsOf(ctx, workspace, member.user.id, undefined),
			auditWorkspace(ctx, workspace, {
				action: isOwn ? 'member.leave' : 'member.remove',
				subjectId: memberId,
				detail: { user_id: member.user.id, role: member.role },
			}),
		]);
	} catch (error) {
		const refusal = refusalOfChange(error);
		// Another request, or an earlier try of this one, already removed the member.
		if (refusal && (await selectMembers(ctx, workspace, eq(members.id, memberId))).length === 0) return;
		throw refusal ?? error;
	}
}
