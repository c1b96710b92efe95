import { and, eq, isNull, lte, sql, type SQL } from 'drizzle-orm';
import { type Context, describeFault } from '../context.ts';
import type { Statement } from '../db/client.ts';
import { outbox } from '../db/schema/work.ts';

export type OutboxKind = (typeof outbox.$inferSelect)['kind'];
export type OutboxRow = Pick<typeof outbox.$inferSelect, 'id' | 'programId' | 'kind' | 'subjectId'>;

/** The id of an operation's outbox row: known before the write, so that it can be sent without reading it back. */
export function outboxId(opId: string, kind: OutboxKind): string {
	return `${opId}:${kind}`;
}

/** A row for work that follows the batch it stands in. `subjectId` is a value or a subquery for a row of that batch. */
export function insertOutbox(ctx: Context, opId: string, kind: OutboxKind, programId: number, subjectId: number | SQL): Statement {
	return ctx.db.insert(outbox).values({
		id: outboxId(opId, kind),
		programId,
		kind,
		subjectId: typeof subjectId === 'number' ? subjectId : sql`${subjectId}`,
		createdAt: ctx.now,
	});
}

/** Sends committed rows on their way without holding the answer. What is lost here, the cron sweep sends again. */
export function sendEffects(ctx: Context, outboxIds: readonly string[]): void {
	if (outboxIds.length > 0) ctx.defer(trySend(ctx, outboxIds));
}

async function trySend(ctx: Context, outboxIds: readonly string[]): Promise<void> {
	try {
		await ctx.effects.send({ version: 1, kind: 'effects', outboxIds: [...outboxIds] });
	} catch (error) {
		ctx.log({ level: 'warn', event: 'effects_not_sent', rows: outboxIds.length, ...describeFault(error) });
	}
}

/** Sends again what was committed before `before` (ms) and has no effect yet. Returns how many rows. */
export async function sweepOutbox(ctx: Context, before: number, limit: number): Promise<number> {
	const waiting = await ctx.db
		.select({ id: outbox.id })
		.from(outbox)
		.where(and(isNull(outbox.doneAt), lte(outbox.createdAt, before)))
		.orderBy(outbox.createdAt)
		.limit(limit);
	for (let start = 0; start < waiting.length; start += 50) {
		await ctx.effects.send({ version: 1, kind: 'effects', outboxIds: waiting.slice(start, start + 50).map((row) => row.id) });
	}
	return waiting.length;
}

/** Marks a row done in the batch that writes its effect. A row that is done already aborts the batch (trigger). */
export function markDone(ctx: Context, id: string): Statement {
	return ctx.db.update(outbox).set({ doneAt: ctx.now }).where(eq(outbox.id, id));
}
