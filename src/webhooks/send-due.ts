import { type Context, describeFault } from '../context.ts';
import { SECOND_MS } from '../domain/calendar.ts';
import { attempt } from './attempt.ts';
import { claimDue } from './claim-due.ts';
import type { ClaimedDelivery, Outlet } from './outlet.ts';
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
export async function sendDue<Delivery extends ClaimedDelivery>(ctx: Context, outlet: Outlet<Delivery>): Promise<void> {
	const { ids, isMore } = await claimDue(ctx, outlet);
	if (isMore) wakeSender(ctx, outlet.name);
	if (ids.length === 0) return;
	const waiting = [...(await outlet.find(ctx, JSON.stringify(ids)))];
	let soonest = Number.POSITIVE_INFINITY;
	const lane = async () => {
		for (let next = waiting.shift(); next; next = waiting.shift()) soonest = Math.min(soonest, await sendOne(ctx, outlet, next));
	};
	await Promise.all(Array.from({ length: SENT_AT_ONCE }, lane));
	if (soonest <= ctx.now + SOON_MS) wakeSender(ctx, outlet.name, Math.max(0, Math.ceil((soonest - ctx.now) / SECOND_MS)));
}

/**
 * Returns when there is something to send to its receiver, as far as is known. What cannot even be made, or whose outcome cannot be
 * noted, holds up no other one: it is tried again when its lease is over.
 */
async function sendOne<Delivery extends ClaimedDelivery>(ctx: Context, outlet: Outlet<Delivery>, delivery: Delivery): Promise<number> {
	try {
		const request = await outlet.requestOf(ctx, delivery);
		if ('until' in request) return await putOff(ctx, outlet, delivery, request.until);
		return await settleAttempt(ctx, outlet, delivery, await attempt(ctx, request));
	} catch (error) {
		ctx.log({ level: 'error', event: 'delivery_not_sent', outlet: outlet.name, delivery: delivery.id, ...describeFault(error) });
		return Number.POSITIVE_INFINITY;
	}
}
