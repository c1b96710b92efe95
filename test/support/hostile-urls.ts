import { expect, inject } from 'vitest';
import { Random } from '../../testing/random.ts';
import { type Hostile, isForAnybody, type Route, ROUTES } from './hostile-calls.ts';

// No honest client sends these.

export const IDS = `0 -1 1000000000 9007199254740991 9007199254740993 99999999999999999999 01 1.5 1e3 abc null __proto__ %00 %20 %0A %FF
	%ED%A0%80 %E0%A4%A % %F0%9F%98%80 1'-- 1%2F2 ..%2F.. ; ${'x'.repeat(5_000)}`.split(/\s+/);

export const QUERIES =
	`? ?? ?&&&= ?= ?limit ?limit= ?limit=0 ?limit=-1 ?limit=201 ?limit=1e2 ?limit=1.5 ?limit=99999999999 ?limit=% ?limit=%00
	?limit=%ED%A0%80 ?limit=1&limit=x ?limit[]=1 ?cursor= ?cursor=0 ?cursor=-1 ?cursor=x ?cursor=9007199254740993
	?cursor=9007199254740991 ?cursor=${'9'.repeat(3_000)} ?__proto__=1 ?constructor=1 ?toString=1 ?status=nope ?status= ?status=%00
	?partner_id=0 ?partner_id=x ?partner_id=999999999999999 ?partner_id=1e3 ?from=x ?from= ?from=2026-02-30 ?from=0000-01-01
	?from=9999-12-31 ?from=2026-01-01T00:00 ?to=-1 ?to=%00 ?from=9999-12-31T23:59:59.999Z ?to=0000-01-01T00:00:00Z
	?from=0000-01-01T00:00:00%2B14:00 ?${'a=1&'.repeat(2_000)} ?${'x'.repeat(7_000)}`.split(/\s+/);

export const WITH_IDS = ROUTES.filter(({ path }) => path.includes(':'));

/** Excludes public reads: files, pages (test/http/docs.test.ts) and redirects. */
export const READS = ROUTES.filter(({ method, path }) => method === 'GET' && path.startsWith('/api/') && !/\.\w+$/.test(path));

const random = new Random(inject('seed'));

/** Picked with the seed; all of them if thorough. */
export function someOf<Item>(all: readonly Item[], count: number): readonly Item[] {
	return inject('thorough') ? all : Array.from({ length: count }, () => random.pick(all));
}

type Ask = (call: Hostile) => Promise<number>;

/** An invalid id is refused for every caller. */
export async function expectNoSuchId(ask: Ask, { method }: Route, id: string): Promise<void> {
	const call = ['POST', 'PUT', 'PATCH'].includes(method) ? { id, body: '{}' } : { id };
	expect(await ask(call), id).toBeGreaterThanOrEqual(400);
	expect(await ask({ ...call, as: 'nobody' }), id).toBeGreaterThanOrEqual(400);
}

/** Every query gets a response, and callers without access do not learn what is wrong with it. */
export async function expectHonestQuery(ask: Ask, route: Route, query: string): Promise<void> {
	await ask({ query });
	const asNobody = await ask({ query, as: 'nobody' });
	if (isForAnybody(route)) expect(asNobody, query).toBeGreaterThanOrEqual(400);
	else expect(asNobody, query).toBe(401);
}
