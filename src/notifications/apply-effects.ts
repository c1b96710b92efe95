import { sql } from 'drizzle-orm';
import { raiseSums } from '../commission-sums/raise-sums.ts';
import { type Context, describeFault } from '../context.ts';
import { retryOnConflict, refusedWith, type Statement, write } from '../db/client.ts';
import { type Placeholders, prepare } from '../db/prepare.ts';
import { applyDeltas } from '../reporting/apply-deltas.ts';
import type { OutboxKey } from '../outbox/outbox.ts';
import { snapshotPostbacks } from '../postbacks/snapshot-postbacks.ts';
import { snapshotDeliveries } from '../webhooks/snapshot-deliveries.ts';
import { wakeSender } from '../webhooks/wake-sender.ts';
import { findDue, findWaiting, type WaitingRow } from './waiting-rows.ts';
import { notify } from './write-notifications.ts';

/** Sales wait for D1's single writer, so batches stay small. */
const ROWS_PER_BATCH = 100;
/** D1 allows 1,000 statements per invocation. This many rows with webhooks need about 400, and twice that if every batch fails. */
const ROWS_PER_TICK = 5_000;

/**
 * Applies deltas, notifies people and deletes the outbox rows in one batch, so that a redelivered message takes effect once. Cron covers a
 * lost message. A failing row does not stop the others; its fault is thrown at the end.
 */
export async function applyEffects(ctx: Context, keys: readonly OutboxKey[]): Promise<void> {
	// A delivery may name a row twice.
	const once = [...new Map(keys.map((key) => [key.join(':'), key])).values()];
	const failed: Failed[] = [];
	for (const batch of batchesOf(once)) failed.push(...(await applyTogether(ctx, await findWaiting(ctx, batch))));
	if (failed[0]) throw failed[0].fault;
}

/**
 * Applies all waiting rows. A failing row ends the tick and is retried after one minute, then two, four and so on, so that it neither
 * blocks others nor fills the log. Returns how many were applied.
 */
export async function applyWaiting(ctx: Context): Promise<number> {
	let applied = 0;
	while (applied < ROWS_PER_TICK) {
		const due = await findDue(ctx, ROWS_PER_BATCH);
		const failed = await applyTogether(ctx, due);
		applied += due.length - failed.length;
		if (failed.length > 0) await noteFailures(ctx, failed);
		if (failed.length > 0 || due.length < ROWS_PER_BATCH) break;
	}
	return applied;
}

interface Failed {
	readonly key: OutboxKey;
	readonly fault: unknown;
}

function batchesOf(keys: readonly OutboxKey[]): OutboxKey[][] {
	return Array.from({ length: Math.ceil(keys.length / ROWS_PER_BATCH) }, (_, index) =>
		keys.slice(index * ROWS_PER_BATCH, (index + 1) * ROWS_PER_BATCH),
	);
}

/** If a batch fails, applies each remaining row alone. */
async function applyTogether(ctx: Context, found: readonly WaitingRow[]): Promise<Failed[]> {
	try {
		await apply(ctx, found);
		return [];
	} catch {
		const failed: Failed[] = [];
		// Empty if only the response was lost. Throws if D1 is unavailable, when single tries are pointless.
		for (const row of await findWaiting(ctx, found.map(keyOf))) {
			await apply(ctx, [row]).catch((fault: unknown) => failed.push({ key: keyOf(row), fault }));
		}
		return failed;
	}
}

/** Reads again if a row was applied or a program's currency changed since the read. */
async function apply(ctx: Context, found: readonly WaitingRow[]): Promise<void> {
	await retryOnConflict(
		async (attempt) => {
			const rows = attempt === 1 ? found : await findWaiting(ctx, found.map(keyOf));
			if (rows.length > 0) await writeEffects(ctx, rows);
		},
		(error) => refusedWith(error, 'NOT NULL constraint failed: outbox.program_id'),
	);
}

async function writeEffects(ctx: Context, rows: readonly WaitingRow[]): Promise<void> {
	const snapshots = snapshotDeliveries(
		ctx,
		rows.filter(({ hasWebhooks }) => hasWebhooks),
	);
	const { called } = await write(
		ctx.db,
		[...takeAway(ctx, rows), ...applyDeltas(ctx, rows), ...raiseSums(ctx, rows), ...notify(ctx, rows), ...snapshots],
		{
			called: snapshotPostbacks(
				ctx,
				rows.filter((row) => row.hasPostbacks),
			),
		},
	);
	if (snapshots.length > 0) wakeSender(ctx, 'webhooks');
	if (called.length > 0) wakeSender(ctx, 'postbacks');
}

/** Fails the batch if a row is gone or a program's currency has changed. */
function takeAway(ctx: Context, rows: readonly WaitingRow[]): Statement[] {
	const programs = new Map(rows.map(({ programId, currency }) => [programId, currency]));
	return [
		deleteRows(ctx, { keys: JSON.stringify(rows.map(keyOf)) }),
		refuseUnless(ctx, { count: rows.length, programs: JSON.stringify([...programs]) }),
	];
}

const deleteRows = prepare(({ db }, { keys }: Placeholders<{ keys: string }>) =>
	db.run(sql`DELETE FROM outbox WHERE (program_id, id) IN (SELECT value ->> 0, value ->> 1 FROM json_each(${keys}))`),
);

/** Inserts a row that violates a constraint. */
const refuseUnless = prepare(({ db }, { count, programs }: Placeholders<{ count: number; programs: string }>) =>
	db.run(sql`
		INSERT INTO outbox (program_id, id, kind, subject_id, created_at)
		SELECT NULL, '', '', 0, 0 WHERE changes() <> ${count} OR EXISTS (
			SELECT 1 FROM json_each(${programs}) AS known JOIN programs p ON p.id = known.value ->> 0 WHERE p.currency <> known.value ->> 1
		)`),
);

function keyOf({ programId, id }: WaitingRow): OutboxKey {
	return [programId, id];
}

async function noteFailures(ctx: Context, failed: readonly Failed[]): Promise<void> {
	const keys = JSON.stringify(failed.map(({ key }) => key));
	await ctx.db.run(sql`
		UPDATE outbox SET failures = failures + 1 WHERE (program_id, id) IN (SELECT value ->> 0, value ->> 1 FROM json_each(${keys}))`);
	ctx.log({ level: 'error', event: 'effects_failed', rows: failed.length, ...describeFault(failed[0]?.fault) });
}
