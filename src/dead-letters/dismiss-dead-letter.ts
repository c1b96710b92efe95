import { and, eq, isNull } from 'drizzle-orm';
import { auditEntry } from '../accounts/audit.ts';
import type { Actor } from '../accounts/session.ts';
import type { Context } from '../context.ts';
import { write } from '../db/client.ts';
import { deadLetters } from '../db/schema/work.ts';
import { conflict, notFound } from '../domain/rejection.ts';
import { type DeadLetter, isOwnedBy, selectDeadLetters, settledAs, toDeadLetter } from './dead-letter.ts';

/** Dismisses a message that no queue can process. Rejects with 404 if the actor does not own it, and with 409 if it can be replayed. */
export async function dismissDeadLetter(ctx: Context, actor: Actor, id: number): Promise<DeadLetter> {
	const [row] = await selectDeadLetters(ctx).where(and(eq(deadLetters.id, id), isOwnedBy(ctx, actor.userId)));
	if (!row) throw notFound('Dead letter');
	const deadLetter = toDeadLetter(row);
	if (deadLetter.job) throw conflict('This message can be processed. Replay it instead of dismissing it');

	const { changed } = await write(
		ctx.db,
		[
			ctx.db
				.update(deadLetters)
				.set(settledAs(ctx, 'dismissed'))
				.where(and(eq(deadLetters.id, id), isNull(deadLetters.replayedAt))),
			auditEntry(ctx, actor, { workspaceId: deadLetter.workspaceId, action: 'dead_letter.dismiss', subjectId: id }),
		],
		{ changed: selectDeadLetters(ctx).where(eq(deadLetters.id, id)) },
	);
	const [dismissed] = changed;
	if (!dismissed) throw notFound('Dead letter');
	return toDeadLetter(dismissed);
}
