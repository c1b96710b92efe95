import { type Context, Hono } from 'hono';
import { describeFault } from '../context.ts';
import { cronAdvice, isClockSilent } from '../domain/monitoring/clock.ts';
import { isoOf } from '../domain/instant.ts';
import { noticeSilence } from '../monitoring/notice-silence.ts';
import { readClock } from '../monitoring/read-clock.ts';
import type { AppEnv } from './app-env.ts';

export const DATABASE_AWAY =
	'The database does not respond. Check the logs of the Worker, the binding DB in wrangler.toml, and whether Cloudflare reports an incident.';

/** Retry-After in seconds, if the database does not answer or cron has stopped. */
const NEXT_LOOK_SECONDS = 5;
const NEXT_TICK_SECONDS = 60;

/** GET /health, for monitoring: 503 if the database or cron is down. The response contains nothing secret. */
export const health = new Hono<AppEnv>().get('/', async (c) => {
	const { ctx } = c.var;
	c.header('Cache-Control', 'no-store');
	try {
		const clock = await readClock(ctx);
		ctx.defer(noticeSilence(ctx));
		if (isClockSilent(clock, ctx.now)) return unwell(c, cronAdvice(clock.lastTickAt), NEXT_TICK_SECONDS);
		return c.json({ status: 'ok', last_tick_at: isoOf(clock.lastTickAt) });
	} catch (error) {
		ctx.log({ level: 'error', event: 'database_away', ...describeFault(error) });
		return unwell(c, DATABASE_AWAY, NEXT_LOOK_SECONDS);
	}
});

function unwell(c: Context<AppEnv>, error: string, retryAfterSeconds: number) {
	c.header('Retry-After', String(retryAfterSeconds));
	return c.json({ error }, 503);
}
