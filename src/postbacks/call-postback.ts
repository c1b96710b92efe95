import type { Context } from '../context.ts';
import { MINUTE_MS, SECOND_MS } from '../domain/calendar.ts';
import { type Attempt, attempt } from '../webhooks/attempt.ts';
import { addressOf, type DueDelivery } from './delivery.ts';

/** Called, or off by now, or put off. */
export type Outcome = Attempt | 'off' | { readonly until: number };

/** For how long a call waits for the row of its click, which is on its way, so that it has the sub_id; and how often that is looked for. */
const CLICK_WAIT_MS = 10 * MINUTE_MS;
const CLICK_LOOK_MS = 10 * SECOND_MS;

/** Calls an address once, where it is to be called by now. */
export async function callPostback(ctx: Context, delivery: DueDelivery): Promise<Outcome> {
	if (delivery.isOff) return 'off';
	if (delivery.waitsForClick && ctx.now < delivery.createdAt + CLICK_WAIT_MS) return { until: ctx.now + CLICK_LOOK_MS };
	const headers = { 'User-Agent': 'affiliate-tracker-postbacks/1', Accept: '*/*' };
	return attempt(ctx, { url: await addressOf(ctx, delivery), method: 'GET', headers });
}
