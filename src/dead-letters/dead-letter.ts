import { and, eq, isNull, sql } from 'drizzle-orm';
import { OPERATORS_WORKSPACE } from '../accounts/operators.ts';
import type { Context } from '../context.ts';
import { members } from '../db/schema/accounts.ts';
import { deadLetters } from '../db/schema/work.ts';
import { Job } from '../job.ts';

/** A message that a queue gave up on. */
export interface DeadLetter {
	readonly id: number;
	/** Undefined for a message of no known kind or version: it cannot be sent again. */
	readonly job: Job | undefined;
	readonly workspaceId: number | null;
	readonly programId: number | null;
	readonly reason: string;
	/** The message as it came. */
	readonly body: unknown;
	readonly createdAt: number;
	/** Whether it still waits, and if not, why. */
	readonly state: DeadLetterState;
	/** When it stopped waiting; null while it waits. */
	readonly settledAt: number | null;
}

/** `done`: something else has done its work; `dismissed`: an owner decided that nothing is left to do. */
export type DeadLetterState = 'waiting' | 'replayed' | 'done' | 'dismissed';

/** Dead letters, for the caller to choose among. */
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

/** Letters of the workspaces that the user owns; those of none belong to the oldest one, whose owner set the service up. */
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

/** What is set when it stops waiting. */
export function settledAs(ctx: Pick<Context, 'now'>, outcome: Exclude<DeadLetterState, 'waiting'>) {
	return { replayedAt: ctx.now, outcome };
}
