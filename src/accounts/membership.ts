import { and, eq, isNull } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { read } from '../db/client.ts';
import { members, sessions, workspaces } from '../db/schema/accounts.ts';
import { programs } from '../db/schema/programs.ts';
import { notFound, Rejection } from '../domain/rejection.ts';
import { isAtLeast, mayManage, type Role } from '../domain/people/role.ts';
import { actorOf, selectActor } from './session.ts';

/** Includes the role of the member who manages it. */
export type ManagedProgram = FoundProgram & { readonly role: Role };

/** The role is null if the person is not in the workspace. */
type FoundProgram = NonNullable<Awaited<ReturnType<typeof findProgram>>>;

/** Includes the role of the active member. */
export type ManagedWorkspace = NonNullable<Awaited<ReturnType<typeof findWorkspace>>>;

const NEEDED = {
	owner: 'Only an owner of the workspace may do this',
	admin: 'Only an owner or admin of the workspace may do this',
	member: 'Only a member of the workspace may do this',
} as const satisfies Record<Role, string>;

/** Finds the workspace if the session's user is an active member. One round trip. Rejects with 401. */
export async function findWorkspace(ctx: Context, tokenHash: string, address: string | null, workspaceId: number | undefined) {
	const found = await read(ctx.db, {
		users: selectActor(ctx, tokenHash),
		workspaces: ctx.db
			.select({ id: workspaces.id, name: workspaces.name, memberId: members.id, role: members.role })
			.from(sessions)
			.innerJoin(members, and(eq(members.userId, sessions.userId), isNull(members.deactivatedAt)))
			.innerJoin(workspaces, eq(workspaces.id, members.workspaceId))
			.where(and(eq(sessions.tokenHash, tokenHash), eq(workspaces.id, workspaceId ?? 0))),
	});
	const actor = actorOf(ctx, found.users, address);
	return found.workspaces[0] && { ...found.workspaces[0], actor };
}

/** Rejects with 403 for non-members and roles that are too low. */
export function requireWorkspaceOf(found: ManagedWorkspace | undefined, atLeast: Role): ManagedWorkspace {
	if (!found) throw new Rejection('not_a_member');
	requireRank(found.role, atLeast);
	return found;
}

/** The program, the session's user and their role. One round trip. Rejects with 401. */
export async function findProgram(ctx: Context, tokenHash: string, address: string | null, programId: number | undefined) {
	const userId = ctx.db.select({ id: sessions.userId }).from(sessions).where(eq(sessions.tokenHash, tokenHash));
	const found = await read(ctx.db, {
		users: selectActor(ctx, tokenHash),
		programs: ctx.db
			.select({
				id: programs.id,
				workspaceId: programs.workspaceId,
				name: programs.name,
				currency: programs.currency,
				timeZone: programs.timeZone,
				cookieWindowDays: programs.cookieWindowDays,
				clickRetentionDays: programs.clickRetentionDays,
				active: programs.active,
				archivedAt: programs.archivedAt,
				payoutMinimumCents: programs.payoutMinimumCents,
				role: members.role,
			})
			.from(programs)
			.leftJoin(members, and(eq(members.workspaceId, programs.workspaceId), eq(members.userId, userId), isNull(members.deactivatedAt)))
			.where(eq(programs.id, programId ?? 0)),
	});
	const actor = actorOf(ctx, found.users, address);
	return found.programs[0] && { ...found.programs[0], actor };
}

/** Rejects with 404 for an unknown program, and with 403 for non-members and roles that are too low. */
export function requireProgramOf(program: FoundProgram | undefined, atLeast: Role): ManagedProgram {
	if (!program) throw notFound('Program');
	const { role } = program;
	if (role === null) throw new Rejection('not_a_member');
	requireRank(role, atLeast);
	return { ...program, role };
}

export function requireRank(role: Role, atLeast: Role): void {
	if (!isAtLeast(role, atLeast)) throw new Rejection('forbidden', { message: NEEDED[atLeast] });
}

/** Rejects with 403 if the first role may not manage members who have the other role. */
export function requireManage(role: Role, other: Role): void {
	if (!mayManage(role, other)) requireRank(role, role === 'member' ? 'admin' : 'owner');
}
