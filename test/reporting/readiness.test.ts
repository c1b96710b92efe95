import { expect, test } from 'vitest';
import { tick } from '../support/deliver.ts';
import { aFunnel, aSale } from '../support/funnel.ts';
import { aLeadAlone, clicksAt } from '../support/report.ts';
import { aProgram, api, signUp } from '../support/world.ts';

// Earlier clients poll GET /api/v1/programs/me/readiness and follow gates[blocker].next_action until integration_verified.

interface Readiness {
	readonly program_id: number;
	readonly state: string;
	readonly integration_verified: boolean;
	readonly blocker: string | null;
	readonly next_action: string | null;
	readonly gates: Readonly<Record<string, { readonly status: string; readonly next_action?: string }>>;
	readonly [field: string]: unknown;
}

async function read(of: { readonly apiToken: string }, query = ''): Promise<Readiness> {
	const { status, headers, text } = await api(`/api/v1/programs/me/readiness${query}`, { token: of.apiToken });
	if (status !== 200) throw new Error(text);
	expect(headers.get('Cache-Control')).toBe('no-store');
	const readiness: Readiness = JSON.parse(text);
	// The fields that the clients read.
	expect(readiness.next_action).toBe(readiness.blocker === null ? null : readiness.gates[readiness.blocker]?.next_action);
	expect(Object.values(readiness.gates).every(({ status: gate }) => gate === 'pass')).toBe(readiness.integration_verified);
	return readiness;
}

test('a new program passes one gate after another until all are done', async () => {
	const bare = await aProgram(await signUp(), {});
	const first = await read(bare);
	expect(first).toMatchObject({ program_id: bare.id, state: 'incomplete', integration_verified: false, blocker: 'profile' });
	expect(first.next_action).toBe(
		`No active partner has a referral link. Add a partner, who gets a link immediately: POST /api/v1/programs/${bare.id}/partners`,
	);
	expect(first['counts_24h']).toEqual({ clicks: 0, leads: 0, sales: 0 });
	expect(first.gates['payout']).toEqual({ status: 'pass', mode: 's2s', endpoint: '/api/v1/track/sale' });

	const funnel = await aFunnel();
	await tick();
	const tracked = await read(funnel);
	expect([tracked.blocker, tracked.gates['economics'], tracked.gates['live']?.status]).toEqual(['tracking', { status: 'pass' }, 'fail']);
	await clicksAt(funnel, new Date().toISOString(), 1);
	expect(await read(funnel)).toMatchObject({ blocker: 'live', next_action: expect.stringMatching(/^No lead has arrived yet/) });
	await aSale(funnel, { customer_key: await aLeadAlone(funnel) });
	expect(await read(funnel, '?force_recheck=true')).toMatchObject({
		state: 'integration_verified',
		integration_verified: true,
		blocker: null,
		counts_24h: { clicks: 1, leads: 1, sales: 1 },
		poll: { retry_after_seconds: 5 },
	});
});

async function statusOf(token: string | undefined, query = ''): Promise<number> {
	return (await api(`/api/v1/programs/me/readiness${query}`, token === undefined ? {} : { token })).status;
}

test('the request needs a program key and accepts no other parameter', async () => {
	const funnel = await aFunnel();
	expect(await statusOf(undefined)).toBe(401);
	expect(await statusOf(funnel.owner.token)).toBe(401);
	expect(await statusOf(funnel.apiToken, '?recheck=true')).toBe(400);
	expect(await statusOf(funnel.apiToken, '?force_recheck=yes')).toBe(400);
	// Their status command also sends an id, but the key determines the program.
	expect((await api(`/api/v1/cli/status?program_id=${funnel.id}`, { token: funnel.apiToken })).status).toBe(200);
});
