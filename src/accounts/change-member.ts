import { eq, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { write } from '../db/client.ts';
import { members } from '../db/schema/accounts.ts';
import type { Role } from '../domain/people/role.ts';
import { auditWorkspace } from './audit.ts';
import { withdrawInvitationsOf } from './invitation.ts';
import { type Member, refusalOfChange, requireMember, roleDecidedUpon, selectMembers } from './member.ts';
import { type ManagedWorkspace, requireManage } from './membership.ts';

/** Omitted fields stay unchanged. */
export interface MemberChanges {
	readonly role?: Role | undefined;
	readonly active?: boolean | undefined;
}

/**
 * Changes a member's role, or deactivates or reactivates them. Needs an admin, or an owner if an owner is involved. 404; 409 for the last
 * active owner.
 */
export async function changeMember(ctx: Context, workspace: ManagedWorkspace, memberId: number, changes: MemberChanges): Promise<Member> {
	const member = await requireMember(ctx, workspace, memberId);
	const { role = member.role, active = member.deactivatedAt === null } = changes;
	requireManage(workspace.role, member.role);
	requireManage(workspace.role, role);
	const writes = [
		ctx.db
			.update(members)
			.set({
				role: roleDecidedUpon(workspace, member, role),
				deactivatedAt: active ? null : sql`coalesce(${members.deactivatedAt}, ${ctx.now})`,
			})
			.where(eq(members.id, memberId)),
		withdrawInvitationsOf(ctx, workspace, member.user.id, active ? role : undefined),
		auditWorkspace(ctx, workspace, {
			action: 'member.change',
			subjectId: memberId,
			detail: { user_id: member.user.id, ...changes },
		}),
	];
	try {
		const { changed } = await write(ctx.db, writes, { changed: selectMembers(ctx, workspace, eq(members.id, memberId)) });
		return changed[0] ?? member;
	} catch (error) {
		throw refusalOfChange(error) ?? error;
	}
}
