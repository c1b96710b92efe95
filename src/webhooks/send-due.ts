import { type Context, describeFault } from '../context.ts';
import { SECOND_MS } from '../domain/calendar.ts';
import { attempt } from './attempt.ts';
import { claimDeliveries, type ClaimedDelivery } from './claim-deliveries.ts';
import { settleAttempt } from './settle-attempt.ts';
import { wakeSender } from './wake-sender.ts';
import { webhookRequest } from './webhook-request.ts';

/** The platform has six connections of an invocation wait for an answer at a time. */
const SENT_AT_ONCE = 6;
/** What is due within it is waited for by a message; the rest finds cron, which comes every minute. */
const SOON_MS = 60 * SECOND_MS;

/**
 * Sends what is due, as much as one consumer takes, and says so where more is. A consumer that dies on the way has sent what nobody noted:
 * then it is sent again when its lease is over, which a receiver knows by its id.
 */
export async function sendDue(ctx: Context): Promise<void> {
	const { claimed, isMore } = await claimDeliveries(ctx);
	const waiting = [...claimed];
	let isAnyTaken = false;
	let soonest = Number.POSITIVE_INFINITY;
	const lane = async () => {
		for (let next = waiting.shift(); next; next = waiting.shift()) {
			const { isTaken, nextAt } = await sendOne(ctx, next);
			isAnyTaken ||= isTaken;
			soonest = Math.min(soonest, nextAt ?? soonest);
		}
	};
	await Promise.all(Array.from({ length: SENT_AT_ONCE }, lane));
	// Where nothing was taken the others are left to cron: whoever is down is asked by one delivery a minute.
	if (isMore && isAnyTaken) wakeSender(ctx);
	if (soonest <= ctx.now + SOON_MS) wakeSender(ctx, Math.ceil((soonest - ctx.now) / SECOND_MS));
}

interface Sent {
	readonly isTaken: boolean;
	/** When it is sent again. */
	readonly nextAt: number | undefined;
}

/** What cannot even be made, or whose outcome cannot be noted, holds up no other one: it is tried again when its lease is over. */
async function sendOne(ctx: Context, delivery: ClaimedDelivery): Promise<Sent> {
	try {
		const outcome = await attempt(ctx, await webhookRequest(ctx, delivery));
		return { isTaken: outcome.error === undefined, nextAt: await settleAttempt(ctx, delivery, outcome) };
	} catch (error) {
		ctx.log({ level: 'error', event: 'webhook_not_sent', delivery: delivery.id, ...describeFault(error) });
		return { isTaken: false, nextAt: undefined };
	}
}
