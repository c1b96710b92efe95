import { and, eq, sql } from 'drizzle-orm';
import { type Context, describeFault } from '../context.ts';
import { read, type Statement, write } from '../db/client.ts';
import { postbackDeliveries, postbacks } from '../db/schema/postbacks.ts';
import { GONE, hasFailedTooLong, LEASE_MS, nextAttemptAt } from '../domain/webhook-schedule.ts';
import { callPostback, type Outcome } from './call-postback.ts';
import { type DueDelivery, selectDue } from './delivery.ts';

/** Calls at once: as many connections as a Worker has. */
const AT_ONCE = 6;

/**
 * Calls the postbacks that are due, some at once. Each is taken before, so that of two who do this at one time one calls it, and who is
 * lost in between leaves it to a later one. Returns how many were taken: what a receiver does is no fault.
 */
export async function sendPostbacks(ctx: Context): Promise<number> {
	const taken = await ctx.db.all<{ id: number }>(sql`
		UPDATE postback_deliveries SET next_attempt_at = ${ctx.now + LEASE_MS}, last_attempt_at = ${ctx.now}, attempts = attempts + 1
		WHERE id IN (
			SELECT id FROM postback_deliveries WHERE state = 'pending' AND next_attempt_at <= ${ctx.now} ORDER BY next_attempt_at LIMIT ${AT_ONCE})
		RETURNING id`);
	if (taken.length === 0) return 0;
	const ids = JSON.stringify(taken.map(({ id }) => id));
	const { due } = await read(ctx.db, { due: selectDue(ctx, ids) });
	const settled = await Promise.all(due.map(async (delivery) => settle(ctx, delivery, await callPostback(ctx, delivery))));
	await write(ctx.db, settled.flat());
	return taken.length;
}

/** The same until hardly any is due, at most so many: for cron. */
export async function sendDuePostbacks(ctx: Context, most: number): Promise<number> {
	for (let sent = 0; ;) {
		const taken = await sendPostbacks(ctx);
		sent += taken;
		if (taken < AT_ONCE || sent >= most) return sent;
	}
}

/** Without holding the answer; what is lost here, cron finds. */
export function sendSoon(ctx: Context): void {
	ctx.defer(sendPostbacks(ctx).catch((error: unknown) => ctx.log({ level: 'warn', event: 'postbacks_not_sent', ...describeFault(error) })));
}

/** Only what is still held: it was taken as often as was read. */
function settle(ctx: Context, delivery: DueDelivery, outcome: Outcome): Statement[] {
	const isHeld = and(eq(postbackDeliveries.id, delivery.id), eq(postbackDeliveries.attempts, delivery.attempts));
	const update = (set: Partial<typeof postbackDeliveries.$inferInsert>) => ctx.db.update(postbackDeliveries).set(set).where(isHeld);
	if (outcome === 'off') return [update({ state: 'failed', nextAttemptAt: null, lastError: 'disabled' })];
	if ('until' in outcome) return [update({ nextAttemptAt: outcome.until, attempts: delivery.attempts - 1 })];
	const { status, response, error, retryAfterMs } = outcome;
	const told = { lastStatus: status, lastResponse: response, lastError: error ?? null };
	if (error === undefined) return [update({ state: 'delivered', nextAttemptAt: null, ...told }), ...recovered(ctx, delivery)];
	const isFinal = status === GONE || error === 'address';
	const next = isFinal ? undefined : nextAttemptAt(delivery.attempts, ctx.now, Math.random(), retryAfterMs);
	return [
		update({ state: next === undefined ? 'failed' : 'pending', nextAttemptAt: next ?? null, ...told }),
		failed(ctx, delivery, status),
	];
}

function recovered(ctx: Context, { postbackId, failures }: DueDelivery): Statement[] {
	if (failures === 0) return [];
	return [ctx.db.update(postbacks).set({ failures: 0, failingSince: null }).where(eq(postbacks.id, postbackId))];
}

function failed(ctx: Context, { postbackId, failures, failingSince }: DueDelivery, status: number | null): Statement {
	const isTooLong = hasFailedTooLong(failures + 1, failingSince ?? ctx.now, ctx.now);
	const disabledFor = status === GONE ? 'gone' : isTooLong ? 'failing' : undefined;
	return ctx.db
		.update(postbacks)
		.set({
			failures: sql`${postbacks.failures} + 1`,
			failingSince: sql`coalesce(${postbacks.failingSince}, ${ctx.now})`,
			...(disabledFor && {
				disabledAt: sql`coalesce(${postbacks.disabledAt}, ${ctx.now})`,
				disabledFor: sql`coalesce(${postbacks.disabledFor}, ${disabledFor})`,
			}),
		})
		.where(eq(postbacks.id, postbackId));
}
