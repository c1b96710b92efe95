import { sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { type Statement, write } from '../db/client.ts';
import { type EffectsJob, Job, rowsOf } from '../job.ts';
import { keepEventDeadLetters, noteDeadLetters } from './keep-event-dead-letters.ts';

/** Stores a message that failed every retry. A redelivery is stored once, and a replayed message that fails again goes back to waiting. */
export async function keepDeadLetter(ctx: Context, messageId: string, body: unknown, reason: string): Promise<void> {
	const { data: job } = Job.safeParse(body);
	await write(ctx.db, keep(ctx, { messageId, body, reason }, job));
	ctx.log({ level: 'error', event: 'dead_letter_kept', messageId, kind: job?.kind ?? 'unknown' });
}

interface FailedMessage {
	readonly messageId: string;
	readonly body: unknown;
	readonly reason: string;
}

function keep(ctx: Context, message: FailedMessage, job: Job | undefined): Statement[] {
	const { reason } = message;
	switch (job?.kind) {
		case 'effects':
			return [keepEffects(ctx, job, reason)];
		case 'processor_events':
			return [keepEventDeadLetters(ctx, job.ids, reason), noteDeadLetters(ctx, job.ids)];
		case 'webhooks':
		case 'run':
			// Cron finds due deliveries and stopped runs.
			return [];
		case 'click':
		case undefined:
			return [keepWhole(ctx, message, job)];
	}
}

/** One dead letter per outbox row that is still waiting. */
function keepEffects(ctx: Context, job: EffectsJob, reason: string): Statement {
	return ctx.db.run(sql`
		INSERT INTO dead_letters (message_id, workspace_id, program_id, body, reason, created_at)
		SELECT 'outbox:' || o.id, p.workspace_id, p.id,
			json_object('version', 2, 'kind', 'effects', 'rows', json_array(json_array(o.program_id, o.id))), ${reason}, ${ctx.now}
		FROM json_each(${JSON.stringify(rowsOf(job))}) AS named
		JOIN outbox o ON o.program_id = named.value ->> 0 AND o.id = named.value ->> 1
		JOIN programs p ON p.id = o.program_id
		WHERE true
		ON CONFLICT (message_id) DO UPDATE SET created_at = excluded.created_at, replayed_at = NULL, outcome = NULL WHERE replayed_at IS NOT NULL`);
}

function keepWhole(ctx: Context, { messageId, body, reason }: FailedMessage, job: Job | undefined): Statement {
	const programId = job?.kind === 'click' ? job.programId : null;
	return ctx.db.run(sql`
		INSERT INTO dead_letters (message_id, workspace_id, program_id, body, reason, created_at)
		SELECT ${messageId}, p.workspace_id, p.id, ${JSON.stringify(body ?? null, spelledOut)}, ${reason}, ${ctx.now}
		FROM (SELECT 1) LEFT JOIN programs p ON p.id = ${programId}
		WHERE true
		ON CONFLICT (message_id) DO NOTHING`);
}

/** Queue messages may hold bigints, which JSON cannot store. */
function spelledOut(_key: string, value: unknown): unknown {
	return typeof value === 'bigint' ? String(value) : value;
}
