import { and, eq, isNull } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { members } from '../db/schema/accounts.ts';
import { programs } from '../db/schema/programs.ts';
import { notFound, Rejection } from '../domain/rejection.ts';
import type { Actor } from './session.ts';

export type Role = 'owner' | 'admin' | 'member';

/** A program that somebody manages: who, and as what. */
export interface ManagedProgram {
	readonly id: number;
	readonly workspaceId: number;
	readonly name: string;
	readonly currency: string;
	readonly timeZone: string;
	readonly cookieWindowDays: number;
	readonly active: boolean;
	readonly role: Role;
	readonly actor: Actor;
}

const RANKS = { owner: 2, admin: 1, member: 0 } as const satisfies Record<Role, number>;

const NEEDED = {
	owner: 'Only an owner of the workspace may do this',
	admin: 'Only an owner or admin of the workspace may do this',
	member: 'Only a member of the workspace may do this',
} as const satisfies Record<Role, string>;

/**
 * Rejects with 403 where the actor is no active member of the workspace, which one that does not exist has none of, or
 * where the role is too low.
 */
export async function requireWorkspaceRole(ctx: Context, actor: Actor, workspaceId: number, atLeast: Role): Promise<void> {
	const [member] = await ctx.db
		.select({ role: members.role })
		.from(members)
		.where(and(eq(members.workspaceId, workspaceId), eq(members.userId, actor.userId), isNull(members.deactivatedAt)));
	if (!member) throw new Rejection('not_a_member');
	requireRank(member.role, atLeast);
}

/** The program, for a member of its workspace. Rejects with 404 where there is none, 403 for others and for lower roles. */
export async function requireProgramRole(ctx: Context, actor: Actor, programId: number, atLeast: Role): Promise<ManagedProgram> {
	const [program] = await ctx.db
		.select({
			id: programs.id,
			workspaceId: programs.workspaceId,
			name: programs.name,
			currency: programs.currency,
			timeZone: programs.timeZone,
			cookieWindowDays: programs.cookieWindowDays,
			active: programs.active,
			role: members.role,
		})
		.from(programs)
		.leftJoin(members, and(eq(members.workspaceId, programs.workspaceId), eq(members.userId, actor.userId), isNull(members.deactivatedAt)))
		.where(eq(programs.id, programId));
	if (!program) throw notFound('Program');
	const { role } = program;
	if (role === null) throw new Rejection('not_a_member');
	requireRank(role, atLeast);
	return { ...program, role, actor };
}

function requireRank(role: Role, atLeast: Role): void {
	if (RANKS[role] < RANKS[atLeast]) throw new Rejection('forbidden', { message: NEEDED[atLeast] });
}
