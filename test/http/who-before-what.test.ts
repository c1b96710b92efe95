import { beforeAll, expect, test } from 'vitest';
import type { Funnel } from '../support/funnel.ts';
import { aTarget, statusOf } from '../support/hostile.ts';
import { named, ROUTES, WRITES } from '../support/hostile-calls.ts';
import { aMember, signUp } from '../support/world.ts';

// Decision 37: authorization errors (401, 403) come before errors in the request (400).

let target: Funnel;
let stranger: Funnel;
let member: Funnel;
beforeAll(async () => {
	target = await aTarget();
	stranger = { ...target, owner: await signUp() };
	member = { ...target, owner: await aMember(target.owner, 'member') };
});

const OF_A_PROGRAM = ROUTES.filter(({ path }) => path.startsWith('/api/v1/programs/:id') && !path.endsWith('/readiness'));

test.each(named(OF_A_PROGRAM))('%s', async (_name, route) => {
	const wrong = [{ query: '?nothing=1' }, ...(WRITES.includes(route) ? [{ body: '{' }, { body: '{"nothing":1}' }] : [])];
	for (const call of wrong) {
		expect(await statusOf(target, route, { ...call, as: 'nobody' })).toBe(401);
		expect(await statusOf(stranger, route, call)).toBe(403);
		expect(await statusOf(target, route, call)).toBe(400);
		if (route.method !== 'GET') expect(await statusOf(member, route, call)).toBe(403);
	}
});
