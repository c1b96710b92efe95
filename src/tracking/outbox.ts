import { and, inArray, isNull, lte, sql, type SQL } from 'drizzle-orm';
import { type Context, describeFault } from '../context.ts';
import type { Statement } from '../db/client.ts';
import { type Given, type Operand, prepare } from '../db/prepare.ts';
import { outbox } from '../db/schema/work.ts';
import { MINUTE_MS } from '../domain/calendar.ts';

const ROWS_PER_MESSAGE = 50;

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

/** The rows of the sale that the operation has recorded, and of its commission where it made one: for the end of its batch. Tells of what they are. */
export const insertSaleOutbox = prepare(({ db, now }, { opId }: Given<{ opId: string }>) =>
	db.all<Pick<OutboxRow, 'kind' | 'subjectId'>>(sql`
		INSERT INTO outbox (id, program_id, kind, subject_id, created_at)
		SELECT ${opId} || ':sale_recorded', program_id, 'sale_recorded', id, ${now} FROM affiliate_sale_events WHERE op_id = ${opId}
		UNION ALL SELECT ${opId} || ':commission_created', c.program_id, 'commission_created', c.id, ${now}
		FROM affiliate_sale_events s JOIN commissions c ON c.sale_id = s.id WHERE s.op_id = ${opId}
		RETURNING kind, subject_id AS subjectId`),
);

/** The row of the refund that the operation has recorded. */
export const insertRefundOutbox = prepare(({ db, now }, { opId }: Given<{ opId: string }>) =>
	db.run(sql`
		INSERT INTO outbox (id, program_id, kind, subject_id, created_at)
		SELECT ${opId} || ':sale_refunded', program_id, 'sale_refunded', id, ${now} FROM refund_events WHERE op_id = ${opId}`),
);

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

/**
 * Sends again what has no effect yet: a minute after its commit, then after two, four, eight ..., so that rows which fail
 * for good neither crowd out the others nor flood the dead letters. Returns how many rows.
 */
export async function sweepOutbox(ctx: Context, limit: number): Promise<number> {
	const due = ctx.db
		.select({ id: outbox.id })
		.from(outbox)
		.where(and(isNull(outbox.doneAt), lte(sql`${outbox.createdAt} + ${MINUTE_MS} * (1 << min(${outbox.sends}, 30))`, ctx.now)))
		.orderBy(outbox.createdAt)
		.limit(limit);
	const rows = await ctx.db
		.update(outbox)
		.set({ sends: sql`${outbox.sends} + 1` })
		.where(inArray(outbox.id, due))
		.returning({ id: outbox.id });
	for (let start = 0; start < rows.length; start += ROWS_PER_MESSAGE) {
		const outboxIds = rows.slice(start, start + ROWS_PER_MESSAGE).map((row) => row.id);
		await ctx.effects.send({ version: 1, kind: 'effects', outboxIds });
	}
	return rows.length;
}

/** Which rows of a list (JSON) have no effect yet. */
export function isWaiting(outboxIds: Operand<string>): SQL | undefined {
	return and(sql`${outbox.id} IN (SELECT value FROM json_each(${outboxIds}))`, isNull(outbox.doneAt));
}

/**
 * Marks what waits of a list (JSON) as done: the last statement of the batch that writes the effects, which ask for what waits
 * too. A row that is done already is passed over; the trigger stands behind that.
 */
export const markDone = prepare(({ db, now }, { outboxIds }: Given<{ outboxIds: string }>) =>
	db.update(outbox).set({ doneAt: now }).where(isWaiting(outboxIds)),
);
