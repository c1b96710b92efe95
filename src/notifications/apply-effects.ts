import type { Context } from '../context.ts';
import { runBatch } from '../db/client.ts';
import { outbox } from '../db/schema/work.ts';
import { isWaiting, markDone } from '../tracking/outbox.ts';
import { addToMetrics } from './program-metrics.ts';
import { notify } from './write-notifications.ts';

/** Rows whose effects are written in one batch: few enough that a sale does not wait long for D1's one writer. */
const ROWS_PER_BATCH = 100;

/**
 * Gives outbox rows their effect, each in one batch with its `done_at`: a message delivered twice takes effect once, and
 * one that was lost takes it when the sweep sends it again. A row that fails does not hold up the others; its fault is
 * thrown when they are done.
 */
export async function applyEffects(ctx: Context, outboxIds: readonly string[]): Promise<void> {
	const faults: unknown[] = [];
	for (let start = 0; start < outboxIds.length; start += ROWS_PER_BATCH) {
		faults.push(...(await applyTogether(ctx, outboxIds.slice(start, start + ROWS_PER_BATCH))));
	}
	if (faults.length > 0) throw faults[0];
}

/** One batch; where that fails each row that still waits in a batch of its own. Returns the faults. */
async function applyTogether(ctx: Context, ids: readonly string[]): Promise<unknown[]> {
	try {
		await write(ctx, ids);
		return [];
	} catch {
		const faults: unknown[] = [];
		// Finds none where only the answer was lost, and throws where D1 is away: then no row need be tried.
		for (const { id } of await findWaiting(ctx, ids)) {
			try {
				await write(ctx, [id]);
			} catch (fault) {
				faults.push(fault);
			}
		}
		return faults;
	}
}

/** One trip, with no read before it: the statements ask for what waits. Marked last: what is marked waits no more. */
async function write(ctx: Context, ids: readonly string[]): Promise<void> {
	const outboxIds = JSON.stringify(ids);
	await runBatch(ctx.db, [addToMetrics(ctx, { outboxIds }), notify(ctx, { outboxIds }), markDone(ctx, { outboxIds })]);
}

function findWaiting(ctx: Context, ids: readonly string[]): Promise<{ id: string }[]> {
	return ctx.db
		.select({ id: outbox.id })
		.from(outbox)
		.where(isWaiting(JSON.stringify(ids)));
}
