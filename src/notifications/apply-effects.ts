import { and, isNull, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { refusedWith, runBatch, type Statement } from '../db/client.ts';
import { outbox } from '../db/schema/work.ts';
import { markDone, type OutboxRow } from '../tracking/outbox.ts';
import { addCommission, addRefund, addSale } from './program-metrics.ts';
import { notifyOfCommission, notifyOfPayout, notifyOfRefund, notifyOfRejection, warnAdvertiser } from './write-notifications.ts';

/**
 * Gives outbox rows their effect, each in one batch with its `done_at`: a message delivered twice takes effect once, and
 * one that was lost takes it when the sweep sends it again. A row that fails does not hold up the others; its fault is
 * thrown when they are done.
 */
export async function applyEffects(ctx: Context, outboxIds: readonly string[]): Promise<void> {
	const faults: unknown[] = [];
	for (const row of await findWaiting(ctx, outboxIds)) {
		try {
			await runBatch(ctx.db, [markDone(ctx, row.id), ...effectsOf(ctx, row)]);
		} catch (error) {
			// Another delivery was faster.
			if (!refusedWith(error, 'outbox: the effect is already there')) faults.push(error);
		}
	}
	if (faults.length > 0) throw faults[0];
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
