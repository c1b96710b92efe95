import { and, eq, gt, isNull, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { type Statement, write } from '../db/client.ts';
import { webhookDeliveries, webhookEndpoints } from '../db/schema/webhooks.ts';
import { GONE, hasFailedTooLong, nextAttemptAt } from '../domain/webhook-schedule.ts';
import type { Attempt } from './attempt.ts';
import type { ClaimedDelivery } from './claim-deliveries.ts';

/** Notes what became of an attempt, unless somebody has asked for another one meanwhile. Returns when it is sent again, if it is. */
export async function settleAttempt(ctx: Context, delivery: ClaimedDelivery, outcome: Attempt): Promise<number | undefined> {
	const { endpointId } = delivery;
	if (outcome.error === undefined) {
		await write(ctx.db, [
			noted(ctx, delivery, outcome, 'delivered'),
			ctx.db
				.update(webhookEndpoints)
				.set({ failures: 0, failingSince: null })
				.where(and(eq(webhookEndpoints.id, endpointId), gt(webhookEndpoints.failures, 0))),
		]);
		return undefined;
	}
	const nextAt = nextAttemptAt(delivery.tries + 1, ctx.now, Math.random(), outcome.retryAfterMs);
	const { failing } = await write(ctx.db, [noted(ctx, delivery, outcome, nextAt ?? 'failed')], {
		failing: ctx.db
			.update(webhookEndpoints)
			.set({ failures: sql`${webhookEndpoints.failures} + 1`, failingSince: sql`coalesce(${webhookEndpoints.failingSince}, ${ctx.now})` })
			.where(eq(webhookEndpoints.id, endpointId))
			.returning({ failures: webhookEndpoints.failures, failingSince: webhookEndpoints.failingSince }),
	});
	const isTooLong = failing.some(({ failures, failingSince }) => hasFailedTooLong(failures, failingSince ?? ctx.now, ctx.now));
	if (outcome.status === GONE) await disable(ctx, endpointId, 'gone');
	else if (isTooLong) await disable(ctx, endpointId, 'failing');
	return nextAt;
}

function noted(ctx: Context, delivery: ClaimedDelivery, outcome: Attempt, next: 'delivered' | 'failed' | number): Statement {
	const isAgain = typeof next === 'number';
	return ctx.db
		.update(webhookDeliveries)
		.set({
			state: isAgain ? 'pending' : next,
			attempts: sql`${webhookDeliveries.attempts} + 1`,
			tries: sql`${webhookDeliveries.tries} + 1`,
			nextAttemptAt: isAgain ? next : null,
			settledAt: isAgain ? null : ctx.now,
			lastAttemptAt: ctx.now,
			lastStatus: outcome.status,
			lastResponse: outcome.response,
			lastError: outcome.error ?? null,
			lastDurationMs: outcome.durationMs,
		})
		.where(
			and(
				eq(webhookDeliveries.id, delivery.id),
				eq(webhookDeliveries.state, 'pending'),
				eq(webhookDeliveries.nextAttemptAt, delivery.leasedUntil),
			),
		);
}

/** It is told nothing more, and owners and admins are told so, once. */
async function disable(ctx: Context, endpointId: number, why: 'gone' | 'failing'): Promise<void> {
	await write(ctx.db, [
		ctx.db
			.update(webhookEndpoints)
			.set({ disabledAt: ctx.now, disabledFor: why })
			.where(and(eq(webhookEndpoints.id, endpointId), isNull(webhookEndpoints.disabledAt), isNull(webhookEndpoints.deletedAt))),
		ctx.db.run(sql`
			INSERT INTO notifications (user_id, program_id, kind, detail, outbox_id, created_at)
			SELECT m.user_id, p.id, 'webhook_disabled', json_object('webhook_id', e.id, 'currency', p.currency, 'status', e.disabled_for),
				${crypto.randomUUID()}, ${ctx.now}
			FROM webhook_endpoints e
			JOIN programs p ON p.id = e.program_id
			JOIN members m ON m.workspace_id = p.workspace_id AND m.deactivated_at IS NULL AND m.role IN ('owner', 'admin')
			WHERE e.id = ${endpointId} AND changes() > 0`),
	]);
	ctx.log({ level: 'warn', event: 'webhook_disabled', webhook: endpointId, why });
}
