import { and, eq, gt, isNull } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { readTogether } from '../db/client.ts';
import { members, sessions, users } from '../db/schema/accounts.ts';
import { programs } from '../db/schema/programs.ts';
import { notFound, Rejection } from '../domain/rejection.ts';

/** A program that a signed-in member may read reports of. */
export interface ReportedProgram {
	readonly id: number;
	readonly workspaceId: number;
	readonly name: string;
	readonly currency: string;
	readonly timeZone: string;
	readonly createdAt: number;
}

/**
 * The program, for any active member of its workspace, and whose session it is: one trip (contract, section 5, rule 5).
 * Rejects with 401 without a session, 404 without a program, 403 for those who are no members.
 */
export async function requireProgramSession(ctx: Context, tokenHash: string, programId: number): Promise<ReportedProgram> {
	return requireReader(await readTogether(ctx.db, readsOfSession(ctx, tokenHash, programId)));
}

/** What requireReader asks, for a trip that reads more than that. */
export function readsOfSession(ctx: Context, tokenHash: string, programId: number) {
	return {
		actor: selectActorId(ctx, tokenHash),
		program: ctx.db
			.select({
				id: programs.id,
				workspaceId: programs.workspaceId,
				name: programs.name,
				currency: programs.currency,
				timeZone: programs.timeZone,
				createdAt: programs.createdAt,
			})
			.from(programs)
			.where(eq(programs.id, programId)),
		membership: selectMembership(ctx, tokenHash, programId),
	};
}

/** The program that was asked for. Rejects like requireProgramSession. */
export function requireReader(found: {
	readonly actor: readonly unknown[];
	readonly program: readonly ReportedProgram[];
	readonly membership: readonly unknown[];
}): ReportedProgram {
	if (found.actor.length === 0) throw new Rejection('session_unknown');
	const [program] = found.program;
	if (!program) throw notFound('Program');
	if (found.membership.length === 0) throw new Rejection('not_a_member');
	return program;
}

/** The program's id where the session's user is an active member of its workspace. */
export function selectMembership(ctx: Context, tokenHash: string, programId: number) {
	return ctx.db
		.select({ programId: programs.id })
		.from(programs)
		.innerJoin(members, and(eq(members.workspaceId, programs.workspaceId), isNull(members.deactivatedAt)))
		.where(and(eq(programs.id, programId), eq(members.userId, selectActorId(ctx, tokenHash))));
}

function selectActorId(ctx: Context, tokenHash: string) {
	return ctx.db
		.select({ id: users.id })
		.from(sessions)
		.innerJoin(users, eq(users.id, sessions.userId))
		.where(and(eq(sessions.tokenHash, tokenHash), gt(sessions.expiresAt, ctx.now), isNull(users.deactivatedAt)));
}
