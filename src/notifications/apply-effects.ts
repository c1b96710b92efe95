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

/** Rows whose effects are written in one batch: few enough that a sale does not wait long for D1's one writer. */
const ROWS_PER_BATCH = 100;
/** D1 takes 1,000 statements of an invocation: so many rows, all told to webhooks, need some 400, and a batch that fails as many again. */
const ROWS_PER_TICK = 5_000;

/**
 * Gives outbox rows their effect: their moves are added to the daily rows, and who is concerned is told, in one batch with their
 * deletion. A message delivered twice takes effect once, and one that was lost takes it at the next tick. A row that fails does
 * not hold up the others; its fault is thrown when they are done.
 */
export async function applyEffects(ctx: Context, keys: readonly OutboxKey[]): Promise<void> {
	// A delivery may name a row twice.
	const once = [...new Map(keys.map((key) => [key.join(':'), key])).values()];
	const failed: Failed[] = [];
	for (const batch of batchesOf(once)) failed.push(...(await applyTogether(ctx, await findWaiting(ctx, batch))));
	if (failed[0]) throw failed[0].fault;
}

/**
 * Gives what waits its effect, whether a message named it or not. Rows that fail end the tick, and wait a minute, then two, four,
 * eight ..., so that they neither crowd out the others nor fill the log. Returns how many rows had their effect.
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

/** One batch; where that fails each row that still waits in a batch of its own. */
async function applyTogether(ctx: Context, found: readonly WaitingRow[]): Promise<Failed[]> {
	try {
		await apply(ctx, found);
		return [];
	} catch {
		const failed: Failed[] = [];
		// Finds none where only the answer was lost, and throws where D1 is away: then no row need be tried.
		for (const row of await findWaiting(ctx, found.map(keyOf))) {
			await apply(ctx, [row]).catch((fault: unknown) => failed.push({ key: keyOf(row), fault }));
		}
		return failed;
	}
}

/** Again where a row was applied, or a program's currency changed, since the rows were read. */
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
	const frozen = snapshotDeliveries(
		ctx,
		rows.filter(({ hasWebhooks }) => hasWebhooks),
	);
	const { called } = await write(
		ctx.db,
		[...takeAway(ctx, rows), ...applyDeltas(ctx, rows), ...raiseSums(ctx, rows), ...notify(ctx, rows), ...frozen],
		{
			called: snapshotPostbacks(
				ctx,
				rows.filter((row) => row.hasPostbacks),
			),
		},
	);
	if (frozen.length > 0) wakeSender(ctx, 'webhooks');
	if (called.length > 0) wakeSender(ctx, 'postbacks');
}

/** Deletes the rows, and refuses the batch where one of them is gone already, or counts would stand in another currency by now. */
function takeAway(ctx: Context, rows: readonly WaitingRow[]): Statement[] {
	const programs = new Map(rows.map(({ programId, currency }) => [programId, currency]));
	return [
		forget(ctx, { keys: JSON.stringify(rows.map(keyOf)) }),
		refuseUnless(ctx, { count: rows.length, programs: JSON.stringify([...programs]) }),
	];
}

const forget = prepare(({ db }, { keys }: Placeholders<{ keys: string }>) =>
	db.run(sql`DELETE FROM outbox WHERE (program_id, id) IN (SELECT value ->> 0, value ->> 1 FROM json_each(${keys}))`),
);

/** Inserts what the table refuses. */
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
