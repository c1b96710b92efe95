import { sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { type Statement, write } from '../db/client.ts';
import { FIRST_REST_MS, GONE, hasFailedTooLong, nextAttemptAt } from '../domain/webhooks/webhook-schedule.ts';
import type { Attempt } from './attempt.ts';
import { leaseOf } from './claim-due.ts';
import type { ClaimedDelivery, DeliveryChannel } from './delivery-channel.ts';

/**
 * Records nothing if somebody has requested another attempt. Returns when to send to the receiver again: at once, if it has
 * recovered.
 */
export async function settleAttempt<Delivery extends ClaimedDelivery>(
	ctx: Context,
	channel: DeliveryChannel<Delivery>,
	delivery: Delivery,
	outcome: Attempt,
): Promise<number> {
	const { receiverId, failures } = delivery;
	const { receivers } = channel;
	if (outcome.error === undefined) {
		await write(ctx.db, [
			channel.noted(ctx, delivery, outcome, 'delivered'),
			ctx.db.run(sql`
				UPDATE ${receivers} SET failures = 0, failing_since = NULL, rests_until = NULL WHERE id = ${receiverId} AND failures > 0`),
		]);
		return failures > 0 ? ctx.now : Number.POSITIVE_INFINITY;
	}
	const isGone = outcome.status === GONE;
	const nextAt = isGone ? undefined : nextAttemptAt(delivery.tries + 1, ctx.now, Math.random(), outcome.retryAfterMs);
	const { failing } = await write(
		ctx.db,
		[channel.noted(ctx, delivery, outcome, nextAt ?? 'failed'), ...(isGone ? disabled(ctx, channel, receiverId, 'gone') : [])],
		{
			failing: ctx.db.all<{ failures: number; failingSince: number }>(sql`
				UPDATE ${receivers} SET failures = failures + 1, failing_since = coalesce(failing_since, ${ctx.now}),
					rests_until = max(coalesce(rests_until, 0), ${ctx.now + FIRST_REST_MS})
				WHERE id = ${receiverId} RETURNING failures, failing_since AS failingSince`),
		},
	);
	const isTooLong = failing.some((receiver) => hasFailedTooLong(receiver.failures, receiver.failingSince, ctx.now));
	if (isTooLong && !isGone) await write(ctx.db, disabled(ctx, channel, receiverId, 'failing'));
	// Other deliveries to the receiver wait until its first rest is over.
	return Math.min(nextAt ?? Number.POSITIVE_INFINITY, failures === 0 ? ctx.now + FIRST_REST_MS : Number.POSITIVE_INFINITY);
}

/** Notifies the owners once. */
function disabled<Delivery extends ClaimedDelivery>(
	ctx: Context,
	channel: DeliveryChannel<Delivery>,
	receiverId: number,
	why: 'gone' | 'failing',
): Statement[] {
	ctx.log({ level: 'warn', event: 'receiver_disabled', channel: channel.name, receiver: receiverId, why });
	return [
		ctx.db.run(sql`
			UPDATE ${channel.receivers} SET disabled_at = ${ctx.now}, disabled_for = ${why}
			WHERE id = ${receiverId} AND disabled_at IS NULL AND deleted_at IS NULL`),
		channel.notifyOfDisabling(ctx, receiverId),
	];
}

/** Does not count as an attempt. Returns the new due time. */
export async function putOff<Delivery extends ClaimedDelivery>(
	ctx: Context,
	{ deliveries }: DeliveryChannel<Delivery>,
	{ id }: Delivery,
	until: number,
): Promise<number> {
	await ctx.db.run(sql`
		UPDATE ${deliveries} SET next_attempt_at = ${until} WHERE id = ${id} AND state = 'pending' AND next_attempt_at = ${leaseOf(ctx)}`);
	return until;
}
