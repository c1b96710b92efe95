import { and, isNull, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { refusedWith, runBatch, type Statement } from '../db/client.ts';
import { outbox } from '../db/schema/work.ts';
import { markDone, type OutboxRow } from '../tracking/outbox.ts';
import { addCommission, addRefund, addSale } from './program-metrics.ts';
import { notifyOfCommission, notifyOfPayout, notifyOfRefund, notifyOfRejection, warnAdvertiser } from './write-notifications.ts';

/** Rows whose effects are written in one batch: few enough that a sale does not wait long for D1's one writer. */
const ROWS_PER_BATCH = 20;

/**
 * Gives outbox rows their effect, each in one batch with its `done_at`: a message delivered twice takes effect once, and
 * one that was lost takes it when the sweep sends it again. A row that fails does not hold up the others; its fault is
 * thrown when they are done.
 */
export async function applyEffects(ctx: Context, outboxIds: readonly string[]): Promise<void> {
	const waiting = await findWaiting(ctx, outboxIds);
	const faults: unknown[] = [];
	for (let start = 0; start < waiting.length; start += ROWS_PER_BATCH) {
		faults.push(...(await applyTogether(ctx, waiting.slice(start, start + ROWS_PER_BATCH))));
	}
	if (faults.length > 0) throw faults[0];
}

/** One batch; where that fails each row in a batch of its own. Returns the faults. */
async function applyTogether(ctx: Context, rows: readonly OutboxRow[]): Promise<unknown[]> {
	try {
		await runBatch(
			ctx.db,
			rows.flatMap((row) => [markDone(ctx, row.id), ...effectsOf(ctx, row)]),
		);
		return [];
	} catch (error) {
		// Another delivery was faster.
		if (rows.length === 1) return refusedWith(error, 'outbox: the effect is already there') ? [] : [error];
		const faults: unknown[] = [];
		for (const row of rows) faults.push(...(await applyTogether(ctx, [row])));
		return faults;
	}
}

function findWaiting(ctx: Context, outboxIds: readonly string[]): Promise<OutboxRow[]> {
	return ctx.db
		.select({ id: outbox.id, programId: outbox.programId, kind: outbox.kind, subjectId: outbox.subjectId })
		.from(outbox)
		.where(and(sql`${outbox.id} IN (SELECT value FROM json_each(${JSON.stringify(outboxIds)}))`, isNull(outbox.doneAt)));
}

function effectsOf(ctx: Context, row: OutboxRow): Statement[] {
	switch (row.kind) {
		case 'sale_recorded':
			return [addSale(ctx, row)];
		case 'commission_created':
			return [addCommission(ctx, row), notifyOfCommission(ctx, row)];
		case 'sale_refunded':
			return [addRefund(ctx, row), notifyOfRefund(ctx, row), warnAdvertiser(ctx, row)];
		case 'commission_rejected':
			return [notifyOfRejection(ctx, row)];
		case 'payout_made':
			return [notifyOfPayout(ctx, row)];
	}
}
