import { sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { deadLetters } from '../db/schema/work.ts';
import { Job } from '../job.ts';

/** Keeps a message that no retry could settle, with the program that it concerns. A redelivery is kept once. */
export async function keepDeadLetter(ctx: Context, messageId: string, body: unknown, reason: string): Promise<void> {
	const { data: job } = Job.safeParse(body);
	const programId =
		job === undefined
			? null
			: job.kind === 'click'
				? sql`(SELECT id FROM programs WHERE id = ${job.programId})`
				: sql`(SELECT program_id FROM outbox WHERE id = ${job.outboxIds[0]})`;
	await ctx.db
		.insert(deadLetters)
		.values({
			messageId,
			programId,
			workspaceId: programId && sql`(SELECT workspace_id FROM programs WHERE id = ${programId})`,
			body: JSON.stringify(body ?? null, spelledOut),
			reason,
			createdAt: ctx.now,
		})
		.onConflictDoNothing();
	ctx.log({ level: 'error', event: 'dead_letter_kept', messageId, kind: job?.kind ?? 'unknown' });
}

/** A queue carries integers that JSON does not: as text they can be kept at all. */
function spelledOut(_key: string, value: unknown): unknown {
	return typeof value === 'bigint' ? String(value) : value;
}
