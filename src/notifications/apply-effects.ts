import { type SQL, sql } from 'drizzle-orm';
import { type Context, describeFault } from '../context.ts';
import { runBatch } from '../db/client.ts';
import { type Given, prepare } from '../db/prepare.ts';
import { MINUTE_MS } from '../domain/calendar.ts';
import { addToBreakdown, addToTotals } from '../reporting/add-moves.ts';
import { keyed } from '../reporting/waiting-moves.ts';
import type { OutboxKey } from '../tracking/outbox.ts';
import { notify } from './write-notifications.ts';

/** Rows whose effects are written in one batch: few enough that a sale does not wait long for D1's one writer. */
const ROWS_PER_BATCH = 100;
/** D1 takes 1,000 statements of an invocation: so many rows need some 400 of them, and a batch that fails as many again. */
const ROWS_PER_TICK = 10_000;

/**
 * Gives outbox rows their effect: their moves are added to the daily rows, and who is concerned is told, in one batch with their
 * deletion. A message delivered twice takes effect once, and one that was lost takes it at the next tick. A row that fails does
 * not hold up the others; its fault is thrown when they are done.
 */
export async function applyEffects(ctx: Context, keys: readonly OutboxKey[]): Promise<void> {
	// A delivery may name a row twice.
	const once = [...new Map(keys.map((key) => [key.join(':'), key])).values()];
	const failed: Failed[] = [];
	for (const batch of batchesOf(once)) failed.push(...(await applyTogether(ctx, batch)));
	if (failed[0]) throw failed[0].fault;
}

/**
 * Gives what waits its effect, whether a message named it or not. Rows that fail end the tick, and wait a minute, then two, four,
 * eight ..., so that they neither crowd out the others nor fill the log. Returns how many rows had their effect.
 */
export async function applyWaiting(ctx: Context): Promise<number> {
	let applied = 0;
	for (const keys of batchesOf(await findDue(ctx))) {
		const failed = await applyTogether(ctx, keys);
		applied += keys.length - failed.length;
		if (failed.length === 0) continue;
		await noteFailures(ctx, failed);
		break;
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
async function applyTogether(ctx: Context, keys: readonly OutboxKey[]): Promise<Failed[]> {
	try {
		await write(ctx, keys);
		return [];
	} catch {
		const failed: Failed[] = [];
		// Finds none where only the answer was lost, and throws where D1 is away: then no row need be tried.
		for (const key of await findWaiting(ctx, keys)) await write(ctx, [key]).catch((fault: unknown) => failed.push({ key, fault }));
		return failed;
	}
}

/** One trip, with no read before it: the statements ask for what waits. Deleted last: what is deleted waits no more. */
async function write(ctx: Context, rows: readonly OutboxKey[]): Promise<void> {
	const keys = JSON.stringify(rows);
	await runBatch(ctx.db, [addToTotals(ctx, { keys }), addToBreakdown(ctx, { keys }), notify(ctx, { keys }), forget(ctx, { keys })]);
}

const forget = prepare(({ db }, { keys }: Given<{ keys: string }>) =>
	db.run(sql`DELETE FROM outbox WHERE (program_id, id) IN (SELECT value ->> 0, value ->> 1 FROM json_each(${keys}))`),
);

function findWaiting(ctx: Context, keys: readonly OutboxKey[]): Promise<OutboxKey[]> {
	return keysIn(ctx, keyed(JSON.stringify(keys)));
}

function findDue(ctx: Context): Promise<OutboxKey[]> {
	const isDue = sql`o.created_at + ${MINUTE_MS} * ((1 << min(o.failures, 30)) - 1) <= ${ctx.now}`;
	return keysIn(ctx, sql`outbox o WHERE ${isDue} ORDER BY o.created_at LIMIT ${ROWS_PER_TICK}`);
}

async function keysIn(ctx: Context, rows: SQL): Promise<OutboxKey[]> {
	const keys = await ctx.db.all<{ programId: number; id: string }>(sql`SELECT o.program_id AS programId, o.id FROM ${rows}`);
	return keys.map(({ programId, id }): OutboxKey => [programId, id]);
}

async function noteFailures(ctx: Context, failed: readonly Failed[]): Promise<void> {
	const keys = JSON.stringify(failed.map(({ key }) => key));
	await ctx.db.run(sql`
		UPDATE outbox SET failures = failures + 1 WHERE (program_id, id) IN (SELECT o.program_id, o.id FROM ${keyed(keys)})`);
	ctx.log({ level: 'error', event: 'effects_failed', rows: failed.length, ...describeFault(failed[0]?.fault) });
}
