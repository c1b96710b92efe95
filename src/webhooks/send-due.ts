import { type Context, describeFault } from '../context.ts';
import { SECOND_MS } from '../domain/calendar.ts';
import { attempt } from './attempt.ts';
import { claimDue } from './claim-due.ts';
import type { ClaimedDelivery, DeliveryChannel } from './delivery-channel.ts';
import { putOff, settleAttempt } from './settle-attempt.ts';
import { wakeSender } from './wake-sender.ts';

/** The platform's limit per invocation. */
const SENT_AT_ONCE = 6;
/** A delayed message covers this time. Cron finds later deliveries every minute. */
const SOON_MS = 60 * SECOND_MS;

/**
 * Sends the deliveries that one consumer claims, and wakes another consumer for the rest. If a consumer dies, deliveries that it has not
 * recorded are sent again after the lease; receivers recognise them by id.
 */
export async function sendDue<Delivery extends ClaimedDelivery>(ctx: Context, channel: DeliveryChannel<Delivery>): Promise<void> {
	const { ids, isMore } = await claimDue(ctx, channel);
	if (isMore) wakeSender(ctx, channel.name);
	if (ids.length === 0) return;
	const waiting = [...(await channel.find(ctx, JSON.stringify(ids)))];
	let soonest = Number.POSITIVE_INFINITY;
	const lane = async () => {
		for (let next = waiting.shift(); next; next = waiting.shift()) soonest = Math.min(soonest, await sendOne(ctx, channel, next));
	};
	await Promise.all(Array.from({ length: SENT_AT_ONCE }, lane));
	if (soonest <= ctx.now + SOON_MS) wakeSender(ctx, channel.name, Math.max(0, Math.ceil((soonest - ctx.now) / SECOND_MS)));
}

/**
 * Returns when the receiver's next delivery is due, if known. A failure here does not stop the others; this delivery is retried after its
 * lease.
 */
async function sendOne<Delivery extends ClaimedDelivery>(
	ctx: Context,
	channel: DeliveryChannel<Delivery>,
	delivery: Delivery,
): Promise<number> {
	try {
		const request = await channel.requestOf(ctx, delivery);
		if ('until' in request) return await putOff(ctx, channel, delivery, request.until);
		return await settleAttempt(ctx, channel, delivery, await attempt(ctx, request));
	} catch (error) {
		ctx.log({ level: 'error', event: 'delivery_not_sent', channel: channel.name, delivery: delivery.id, ...describeFault(error) });
		return Number.POSITIVE_INFINITY;
	}
}
