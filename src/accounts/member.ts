import { and, eq, isNull, type SQL, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { refusedWith } from '../db/client.ts';
import { members, users } from '../db/schema/accounts.ts';
import { conflict, notFound, type Rejection } from '../domain/rejection.ts';
import type { Role } from '../domain/people/role.ts';
import type { ManagedWorkspace } from './membership.ts';

export type Member = Awaited<ReturnType<typeof selectMembers>>[number];

/** Includes deactivated ones. */
export function selectMembers(ctx: Context, { id }: Pick<ManagedWorkspace, 'id'>, condition?: SQL) {
	return ctx.db
		.select({
			id: members.id,
			user: { id: users.id, name: users.name, email: users.email },
			role: members.role,
			createdAt: members.createdAt,
			deactivatedAt: members.deactivatedAt,
		})
		.from(members)
		.innerJoin(users, eq(users.id, members.userId))
		.where(and(eq(members.workspaceId, id), isNull(members.removedAt), condition))
		.orderBy(members.id)
		.$dynamic();
}

export async function requireMember(ctx: Context, workspace: ManagedWorkspace, memberId: number): Promise<Member> {
	const [member] = await selectMembers(ctx, workspace, eq(members.id, memberId));
	if (!member) throw notFound('Member');
	return member;
}

/** The new role, or NULL, which fails the batch, if the member's or the actor's role has changed since the read. */
export function roleDecidedUpon(workspace: ManagedWorkspace, member: Member, role: Role): SQL<Role> {
	const { memberId } = workspace;
	// The row already has the new role if an earlier try wrote it and lost its response.
	const isTheirs = sql`${members.removedAt} IS NULL AND ${members.role} IN (${member.role}, ${role})`;
	return sql`(SELECT ${role} WHERE ${isTheirs} AND ${memberId === member.id ? sql`true` : isStill(workspace)})`;
}

/** Whether the actor still has this role. */
export function isStill({ memberId, role }: ManagedWorkspace): SQL {
	return sql`EXISTS (SELECT 1 FROM members AS own WHERE own.id = ${memberId} AND own.role = ${role} AND own.deactivated_at IS NULL)`;
}

/** The rejection for a batch that `roleDecidedUpon` or a trigger refused. */
export function refusalOfChange(error: unknown): Rejection | undefined {
	if (refusedWith(error, 'members: the last owner stays'))
		return conflict('A workspace needs an active owner: make another member an owner first');
	if (refusedWith(error, 'members.role')) return conflict('The member has changed: reload and try again');
	return undefined;
}
