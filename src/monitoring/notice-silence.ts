import { type Context, describeFault } from '../context.ts';
import { write } from '../db/client.ts';
import { isClockSilent } from '../domain/monitoring/clock.ts';
import { MINUTE_MS } from '../domain/calendar.ts';
import { cacheGet, cacheSet } from '../isolate-cache.ts';
import { isSendingAlerts } from './alert-message.ts';
import { readClock } from './read-clock.ts';
import { sendAlerts } from './send-alerts.ts';
import { begin } from './write-alerts.ts';

/** Per isolate. */
const APART_MS = MINUTE_MS;
const KEY = 'looked at';

/** A stopped cron cannot report itself, so queue consumers check it and send the alert. Never throws, so that the caller can go on. */
export async function noticeSilence(ctx: Context): Promise<void> {
	if (!isSendingAlerts(ctx) || cacheGet(ctx.clock, KEY, ctx.now)) return;
	try {
		const clock = await readClock(ctx);
		cacheSet(ctx.clock, KEY, clock, ctx.now + APART_MS);
		if (!isClockSilent(clock, ctx.now)) return;
		await write(ctx.db, begin(ctx, { kind: 'cron_silent', key: 'cron_silent', facts: { since: clock.lastTickAt } }));
		await sendAlerts(ctx);
	} catch (error) {
		ctx.log({ level: 'error', event: 'silence_not_told', ...describeFault(error) });
	}
}
