import { sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import type { Statement } from '../db/client.ts';

/** One dead letter per processor event, whichever messages named it. */
export function deadLetterIdOf(processorEventId: number): string {
	return `processor_event:${processorEventId}`;
}

/** Skips settled events. A replayed dead letter goes back to waiting. */
export function keepEventDeadLetters(ctx: Context, ids: readonly number[], reason: string): Statement {
	return ctx.db.run(sql`
		INSERT INTO dead_letters (message_id, workspace_id, program_id, body, reason, created_at)
		SELECT 'processor_event:' || e.id, p.workspace_id, p.id,
			json_object('version', 1, 'kind', 'processor_events', 'ids', json_array(e.id)), ${reason}, ${ctx.now}
		FROM json_each(${JSON.stringify(ids)}) AS named
		JOIN processor_events e ON e.id = named.value AND (e.settled_at IS NULL OR e.state = 'failed')
		JOIN programs p ON p.id = e.program_id
		WHERE true
		ON CONFLICT (message_id) DO UPDATE SET reason = excluded.reason, created_at = excluded.created_at, replayed_at = NULL, outcome = NULL
		WHERE replayed_at IS NOT NULL`);
}

/** Raises the revision, so that a consumer about to settle the event reads again and finds its dead letter. */
export function noteDeadLetters(ctx: Context, ids: readonly number[]): Statement {
	return ctx.db.run(sql`
		UPDATE processor_events SET revision = revision + 1
		WHERE id IN (SELECT value FROM json_each(${JSON.stringify(ids)})) AND settled_at IS NULL`);
}
