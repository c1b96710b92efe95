import { and, eq } from 'drizzle-orm';
import { auditEntry } from '../accounts/audit.ts';
import type { Actor } from '../accounts/session.ts';
import type { Context } from '../context.ts';
import { write } from '../db/client.ts';
import { deadLetters } from '../db/schema/work.ts';
import { conflict, notFound } from '../domain/rejection.ts';
import type { Job } from '../job.ts';
import { reopenEvent } from '../inbox/reopen-event.ts';
import { type DeadLetter, isOwnedBy, selectDeadLetters, settledAs, toDeadLetter } from './dead-letter.ts';

/**
 * Sends a message to its queue again, which is safe because every message takes effect only once. Rejects with 404 if the actor does not
 * own it, and with 409 if no queue can process it.
 */
export async function replayDeadLetter(ctx: Context, actor: Actor, id: number): Promise<DeadLetter> {
	const [row] = await selectDeadLetters(ctx).where(and(eq(deadLetters.id, id), isOwnedBy(ctx, actor.userId)));
	if (!row) throw notFound('Dead letter');
	const deadLetter = toDeadLetter(row);
	if (!deadLetter.job)
		throw conflict('This message has an unknown kind or version and cannot be replayed. Dismiss it if nothing is left to do');

	await send(ctx, deadLetter.job);
	await write(ctx.db, [
		ctx.db.update(deadLetters).set(settledAs(ctx, 'replayed')).where(eq(deadLetters.id, id)),
		auditEntry(ctx, actor, {
			workspaceId: deadLetter.workspaceId,
			...(deadLetter.programId === null ? {} : { programId: deadLetter.programId }),
			action: 'dead_letter.replay',
			subjectId: id,
			detail: { kind: deadLetter.job.kind },
		}),
	]);
	return { ...deadLetter, state: 'replayed', settledAt: ctx.now };
}

async function send(ctx: Context, job: Job): Promise<void> {
	switch (job.kind) {
		case 'click':
			await ctx.clicks.send(job);
			return;
		case 'effects':
		case 'run':
			await ctx.effects.send(job);
			return;
		case 'webhooks':
			await ctx.webhooks.send(job);
			return;
		case 'processor_events':
			// A failed event is settled, so its message alone would have no effect.
			for (const id of job.ids) await reopenEvent(ctx, id);
	}
}
