import { type Context, describeFault } from '../context.ts';
import { SECOND_MS } from '../domain/calendar.ts';
import { attempt } from './attempt.ts';
import { claimDue } from './claim-due.ts';
import type { ClaimedDelivery, DeliveryChannel } from './delivery-channel.ts';
import { putOff, settleAttempt } from './settle-attempt.ts';
import { wakeSender } from './wake-sender.ts';

/** The platform has six connections of an invocation wait for an answer at a time. */
const SENT_AT_ONCE = 6;
/** What is due within it is waited for by a message; the rest finds cron, which comes every minute. */
const SOON_MS = 60 * SECOND_MS;

/**
 * Sends what is due, as much as one consumer takes, and has others take the rest meanwhile. A consumer that dies on the way has sent what
 * nobody noted: then it is sent again when its lease is over, which a receiver of webhooks knows by its id.
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
 * Returns when there is something to send to its receiver, as far as is known. What cannot even be made, or whose outcome cannot be
 * noted, holds up no other one: it is tried again when its lease is over.
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
