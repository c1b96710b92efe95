import { applyD1Migrations } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeEach, expect, test, vi } from 'vitest';
import { openContext } from '../../src/context.ts';
import { utcText } from '../../src/domain/time-text.ts';
import { aroundTrips } from '../../testing/d1/each-trip.ts';
import { countingTrips } from '../../testing/d1/metered.ts';
import { atInstant } from '../support/at-instant.ts';
import { anOutage, callWith } from '../support/bindings.ts';
import { tick } from '../support/deliver.ts';
import { rows } from '../support/funnel.ts';
import { signUp } from '../support/world.ts';

// The responses to an uptime monitor.

const MINUTE_MS = 60_000;
const now = Date.now();

// An isolate caches its result for five seconds, so each test begins with an empty cache.
beforeEach(() => openContext(env, { waitUntil: () => undefined }).clock.clear());

const ask = (bindings: Partial<Env> = {}) => callWith(bindings, '/health');
const noteTick = (at: number) =>
	env.DB.prepare("INSERT INTO cron_runs (name, ran_at) VALUES ('tick', ?1) ON CONFLICT DO UPDATE SET ran_at = ?1").bind(at).run();

test('healthy: no session is needed, and no cache stores the answer', async () => {
	await noteTick(now - 5 * MINUTE_MS);
	const { status, body, headers } = await atInstant(now, () => ask());
	expect([status, body]).toEqual([200, { status: 'ok', last_tick_at: new Date(now - 5 * MINUTE_MS).toISOString() }]);
	expect(headers.get('Cache-Control')).toBe('no-store');
});

test('a tick more than five minutes ago means that cron has stopped, and a tick fixes it', async () => {
	await noteTick(now - 5 * MINUTE_MS - 1);
	const at = utcText(now - 5 * MINUTE_MS - 1);
	const error = `Cron last ran on ${at}. Check that the cron trigger of wrangler.toml is deployed. On your own machine, npm run dev runs it`;
	const { status, body, headers } = await atInstant(now, () => ask());
	expect([status, body, headers.get('Retry-After')]).toEqual([503, { error }, '60']);
	await atInstant(now + 5_000, () => tick());
	expect((await atInstant(now + 5_000, () => ask())).status).toBe(200);
});

test('if it has never run, its time starts with the first sign-up', async () => {
	await signUp();
	const [first] = await rows<{ created_at: number }>('SELECT created_at FROM users ORDER BY id LIMIT 1');
	await env.DB.prepare("DELETE FROM cron_runs WHERE name = 'tick'").run();
	const inUse = first?.created_at ?? 0;
	const within = await atInstant(inUse + 5 * MINUTE_MS, () => ask());
	expect([within.status, within.body]).toEqual([200, { status: 'ok', last_tick_at: null }]);
	// After the cached result has expired.
	const after = await atInstant(inUse + 5 * MINUTE_MS + 6_000, () => ask());
	expect([after.status, after.body['error']]).toEqual([503, expect.stringContaining('Cron has never run.')]);
	await noteTick(now);
});

test('a service without a sign-up is healthy', async () => {
	await applyD1Migrations(env.NOBODY_DB, env.MIGRATIONS);
	expect((await atInstant(now, () => ask({ DB: env.NOBODY_DB }))).body).toEqual({ status: 'ok', last_tick_at: null });
});

test('a service without its database is unhealthy, and the log says why', async () => {
	const error = vi.spyOn(console, 'error').mockReturnValue();
	const { status, body } = await atInstant(now, () => ask({ DB: anOutage(env.DB) }));
	expect([status, body]).toEqual([503, { error: expect.stringContaining('The database does not respond.') }]);
	expect(error.mock.calls.join()).toContain('"event":"database_away"');
	vi.restoreAllMocks();
});

test('it waits up to five seconds for the database', async () => {
	vi.spyOn(console, 'error').mockReturnValue();
	vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
	let isAnswered = false;
	const asked = ask({ DB: aroundTrips(env.DB, () => new Promise(() => {})) }).finally(() => (isAnswered = true));
	await vi.advanceTimersByTimeAsync(4_999);
	expect(isAnswered).toBe(false);
	await vi.advanceTimersByTimeAsync(1);
	vi.useRealTimers();
	expect((await asked).status).toBe(503);
	vi.restoreAllMocks();
});

test('a flood costs the database one query in five seconds, of two rows', async () => {
	await noteTick(now);
	const DB = countingTrips(env.DB);
	for (let count = 0; count < 50; count += 1) await atInstant(now + count * 90, () => ask({ DB }));
	expect(DB.trips()).toBe(1);
	await atInstant(now + 5_000, () => ask({ DB }));
	expect(DB.trips()).toBe(2);
});
