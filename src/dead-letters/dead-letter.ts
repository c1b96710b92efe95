import { and, eq, isNull, sql } from 'drizzle-orm';
import { OPERATORS_WORKSPACE } from '../accounts/operators.ts';
import type { Context } from '../context.ts';
import { members } from '../db/schema/accounts.ts';
import { deadLetters } from '../db/schema/work.ts';
import { Job } from '../job.ts';

/** A message that failed every retry of its queue. */
export interface DeadLetter {
	readonly id: number;
	/** Undefined for an unknown kind or version, which cannot be replayed. */
	readonly job: Job | undefined;
	readonly workspaceId: number | null;
	readonly programId: number | null;
	readonly reason: string;
	readonly body: unknown;
	readonly createdAt: number;
	readonly state: DeadLetterState;
	/** Null while the message is waiting. */
	readonly settledAt: number | null;
}

/** `done`: another job or delivery did the work. `dismissed`: an owner closed it. */
export type DeadLetterState = 'waiting' | 'replayed' | 'done' | 'dismissed';

export function selectDeadLetters(ctx: Context) {
	return ctx.db
		.select({
			id: deadLetters.id,
			workspaceId: deadLetters.workspaceId,
			programId: deadLetters.programId,
			reason: deadLetters.reason,
			body: deadLetters.body,
			createdAt: deadLetters.createdAt,
			settledAt: deadLetters.replayedAt,
			outcome: deadLetters.outcome,
		})
		.from(deadLetters);
}

/** The user's own workspaces. Dead letters without one belong to the oldest workspace, whose owner set up the service. */
export function isOwnedBy(ctx: Context, userId: number) {
	const owned = ctx.db
		.select({ id: members.workspaceId })
		.from(members)
		.where(and(eq(members.userId, userId), eq(members.role, 'owner'), isNull(members.deactivatedAt)));
	return sql`coalesce(${deadLetters.workspaceId}, ${OPERATORS_WORKSPACE}) IN ${owned}`;
}

export function toDeadLetter({ outcome, ...row }: Awaited<ReturnType<typeof selectDeadLetters>>[number]): DeadLetter {
	const body: unknown = JSON.parse(row.body);
	return { ...row, body, job: Job.safeParse(body).data, state: row.settledAt === null ? 'waiting' : (outcome ?? 'replayed') };
}

export function settledAs(ctx: Pick<Context, 'now'>, outcome: Exclude<DeadLetterState, 'waiting'>) {
	return { replayedAt: ctx.now, outcome };
}
