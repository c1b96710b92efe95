import { and, eq, gt, isNull } from 'drizzle-orm';
import type { Context } from '../context.ts';
import type { StatementContext, Param } from '../db/prepare.ts';
import { members, sessions, users } from '../db/schema/accounts.ts';
import { programs } from '../db/schema/programs.ts';
import { notFound, Rejection } from '../domain/rejection.ts';

export type ReportedProgram = NonNullable<Awaited<ReturnType<typeof selectReader>>[number]['program']>;

/**
 * Finds the program for any active member of its workspace. One round trip (contract, section 5, rule 5). Rejects with 401, with 404, and
 * with 403 for non-members.
 */
export async function requireProgramSession(ctx: Context, tokenHash: string, programId: number): Promise<ReportedProgram> {
	return requireReader(await selectReader(ctx, tokenHash, programId));
}

/** The statement for requireReader, for a shared round trip. */
export function selectReader(ctx: StatementContext, tokenHash: Param<string>, programId: Param<number>) {
	return ctx.db
		.select({
			program: {
				id: programs.id,
				workspaceId: programs.workspaceId,
				name: programs.name,
				currency: programs.currency,
				timeZone: programs.timeZone,
				createdAt: programs.createdAt,
			},
			role: members.role,
		})
		.from(sessions)
		.innerJoin(users, eq(users.id, sessions.userId))
		.leftJoin(programs, eq(programs.id, programId))
		.leftJoin(members, isMember)
		.where(isSession(ctx, tokenHash));
}

/** Rejects like requireProgramSession. */
export function requireReader([reader]: Awaited<ReturnType<typeof selectReader>>): ReportedProgram {
	if (!reader) throw new Rejection('session_unknown');
	if (!reader.program) throw notFound('Program');
	if (reader.role === null) throw new Rejection('not_a_member');
	return reader.program;
}

/** Empty for non-members, so that nothing is read for them. */
export function readableProgram(ctx: StatementContext, tokenHash: Param<string>, programId: Param<number>) {
	return ctx.db
		.select({ id: programs.id, currency: programs.currency })
		.from(sessions)
		.innerJoin(users, eq(users.id, sessions.userId))
		.innerJoin(programs, eq(programs.id, programId))
		.innerJoin(members, isMember)
		.where(isSession(ctx, tokenHash));
}

const isMember = and(eq(members.workspaceId, programs.workspaceId), eq(members.userId, users.id), isNull(members.deactivatedAt));

function isSession(ctx: StatementContext, tokenHash: Param<string>) {
	return and(eq(sessions.tokenHash, tokenHash), gt(sessions.expiresAt, ctx.now), isNull(users.deactivatedAt));
}
