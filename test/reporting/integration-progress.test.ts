import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { openContext } from '../../src/context.ts';
import { countingTrips } from '../../testing/d1/metered.ts';
import { readIntegrationProgress } from '../../src/reporting/integration-progress.ts';
import { trackWith } from '../support/bindings.ts';
import { aClick, aFunnel, aLead, aSale, type Funnel, rows, track } from '../support/funnel.ts';
import { aMember, api, aProgram, type Owner, signUp, unique } from '../support/world.ts';

interface Watched {
	readonly complete: boolean;
	readonly since: string;
	readonly short_link: string | null;
	readonly address: string | null;
	readonly refused_origins: readonly string[];
	readonly steps: readonly {
		readonly step: string;
		readonly state: string;
		readonly reason: string | null;
		readonly event: Record<string, unknown> | null;
	}[];
}

const watch = async (of: { readonly id: number; readonly owner: Pick<Owner, 'token'> }, query = '') =>
	(await api<Watched>(`/api/v1/programs/${of.id}/test-chain${query}`, { token: of.owner.token })).body.data;
const statesOf = ({ steps }: Watched) => steps.map(({ state }) => state);
const clicked = (of: Funnel) =>
	vi.waitFor(async () => expect((await watch(of)).steps[0]?.event).not.toBeNull(), { timeout: 300_000, interval: 100 });

describe('progress', () => {
	test('shows a new program what is missing, its first link and its address', async () => {
		const owner = await signUp();
		const program = { ...(await aProgram(owner)), owner };
		expect(await watch(program)).toMatchObject({ complete: false, short_link: null, address: null, refused_origins: [] });
		expect((await watch(program)).steps[0]?.reason).toMatch(/^No active partner has a link/);
		const funnel = await aFunnel({ domain: 'shop.example' });
		const { short_link, address, steps } = await watch(funnel);
		expect([short_link, address]).toEqual([funnel.shortLink, `https://shop.example/?aff=${funnel.shortLink}`]);
		expect(steps.map(({ step, state, event }) => [step, state, event])).toEqual([
			['click', 'waiting', null],
			['lead', 'waiting', null],
			['sale', 'waiting', null],
			['refund', 'waiting', null],
		]);
	});

	test('shows each step as done after its event', async () => {
		const funnel = await aFunnel();
		const customerKey = await aLead(funnel);
		await clicked(funnel);
		expect(statesOf(await watch(funnel))).toEqual(['done', 'done', 'waiting', 'waiting']);
		const { transactionId } = await aSale(funnel, { customer_key: customerKey });
		expect(statesOf(await watch(funnel))).toEqual(['done', 'done', 'done', 'waiting']);
		await track('refund', { transaction_id: transactionId }, funnel.apiToken);
		const done = await watch(funnel);
		expect([done.complete, statesOf(done)]).toEqual([true, ['done', 'done', 'done', 'done']]);
		expect(done.steps.map(({ reason }) => reason)).toEqual([null, null, null, null]);
		expect(done.steps.map(({ event }) => [event?.['type'], event?.['is_test']])).toEqual(
			['click', 'lead', 'sale', 'refund'].map((type) => [type, false]),
		);
		expect(done.steps[2]?.event).toMatchObject({ transaction_id: transactionId, customer_key: customerKey, amount_cents: 10_000 });
	});

	test('counts test events too', async () => {
		const funnel = await aFunnel();
		await api('/api/v1/cli/test-event', { token: funnel.apiToken, body: { type: 'chain' } });
		await clicked(funnel);
		expect(await watch(funnel)).toMatchObject({ complete: true });
		const alone = await aFunnel();
		await api('/api/v1/cli/test-event', { token: alone.apiToken, body: { type: 'lead' } });
		expect(statesOf(await watch(alone))).toEqual(['waiting', 'uncredited', 'waiting', 'waiting']);
	});

	test('marks events without a partner', async () => {
		const funnel = await aFunnel();
		const customer_key = unique('customer');
		await track('lead', { customer_key }, funnel.apiToken);
		await track('sale', { customer_key, transaction_id: unique('t'), amount_cents: 100 }, funnel.apiToken);
		const { steps } = await watch(funnel);
		expect(steps[1]).toMatchObject({ state: 'uncredited', reason: expect.stringContaining('Send the click_id from the cookie') });
	});

	test('names a refused origin until it is listed, and shows the error of a refused call', async () => {
		const funnel = await aFunnel();
		await trackWith(
			{},
			'click',
			{ affiliate_url: `https://shop.example/?aff=${funnel.shortLink}` },
			{ Origin: 'https://staging.shop.example' },
		);
		const refused = await watch(funnel);
		expect([refused.refused_origins, refused.steps[0]]).toEqual([
			['https://staging.shop.example'],
			{ step: 'click', state: 'refused', reason: expect.stringContaining('https://staging.shop.example'), event: null },
		]);
		const body = { allowed_origins: ['https://*.shop.example'] };
		await api(`/api/v1/programs/${funnel.id}`, { token: funnel.owner.token, method: 'PATCH', body });
		expect((await watch(funnel)).refused_origins).toEqual([]);

		await track('sale', { transaction_id: unique('t'), customer_key: unique('nobody') }, funnel.apiToken);
		await vi.waitFor(async () => expect((await watch(funnel)).steps[2]?.state).toBe('refused'), { timeout: 300_000, interval: 50 });
		expect((await watch(funnel)).steps[2]?.reason).toMatch(/^The last sale was refused: amount_cents is required/);
	});

	test('ignores events before `since`', async () => {
		const funnel = await aFunnel();
		await aLead(funnel);
		const later = await watch(funnel, `?since=${new Date(Date.now() + 1_000).toISOString()}`);
		expect(statesOf(later)).toEqual(['waiting', 'waiting', 'waiting', 'waiting']);
		const [click, lead, sale] = later.steps.map(({ reason }) => reason);
		expect(lead).toMatch(/^The last lead arrived on .* UTC, before this test\. Sign up/);
		expect(sale).toMatch(/^No sale has arrived\. /);
		await clicked(funnel);
		const afterClick = await watch(funnel, `?since=${new Date(Date.now() + 1_000).toISOString()}`);
		expect([click, afterClick.steps[0]?.event]).toEqual([expect.any(String), null]);
		expect(afterClick.steps[0]?.reason).toMatch(
			/^The last click arrived on .* UTC, before this test\. Open .*headless browsers are not counted$/,
		);
		await env.DB.prepare('UPDATE affiliate_click_events SET is_bot = 1 WHERE program_id = ?').bind(funnel.id).run();
		const { status, body } = await api(`/api/v1/programs/${funnel.id}/test-chain?since=soon`, { token: funnel.owner.token });
		expect([status, body.error]).toEqual([400, 'since must be an ISO 8601 date (2026-01-31) or time (2026-01-31T12:00:00Z)']);
	});

	test('marks clicks of crawlers', async () => {
		const funnel = await aFunnel();
		await aClick(funnel);
		await clicked(funnel);
		await env.DB.prepare('UPDATE affiliate_click_events SET is_bot = 1 WHERE program_id = ?').bind(funnel.id).run();
		expect((await watch(funnel)).steps[0]).toMatchObject({
			state: 'waiting',
			reason: expect.stringMatching(/^Only clicks from crawlers and headless browsers/),
			event: null,
		});
	});

	test('takes one trip for any events', async () => {
		const funnel = await aFunnel();
		await aSale(funnel);
		const DB = countingTrips(env.DB);
		const ctx = openContext({ ...env, DB }, { waitUntil: () => undefined });
		await readIntegrationProgress(ctx, { id: funnel.id, timeZone: 'UTC', active: true, archivedAt: null }, undefined);
		expect(DB.trips()).toBe(1);
	});
});

describe('a test chain without the program key', () => {
	interface Run {
		readonly ok: boolean;
		readonly attributed: boolean;
		readonly steps: readonly unknown[];
	}
	let funnel: Funnel;
	beforeAll(async () => {
		funnel = await aFunnel();
	});
	const run = (of: { readonly id: number }, by: Owner, body?: unknown) =>
		api<Run>(`/api/v1/programs/${of.id}/test-chain`, { token: by.token, method: 'POST', ...(body === undefined ? {} : { body }) });

	test('runs for an admin, is audited, and does not count as use of the key', async () => {
		const admin = await aMember(funnel.owner, 'admin');
		const { status, body } = await run(funnel, admin);
		expect([status, body.data.ok, body.data.attributed, body.data.steps.length]).toEqual([200, true, true, 4]);
		expect((await run(funnel, admin, { type: 'click' })).body.data.steps).toHaveLength(1);
		const audited = "SELECT user_id, detail FROM audit_entries WHERE program_id = ? AND action = 'program.try' ORDER BY id";
		expect(await rows(audited, funnel.id)).toEqual([
			{ user_id: admin.userId, detail: '{"chain":"chain"}' },
			{ user_id: admin.userId, detail: '{"chain":"click"}' },
		]);
		expect(await rows('SELECT last_used_at FROM program_keys WHERE program_id = ?', funnel.id)).toEqual([{ last_used_at: null }]);
	});

	test('is refused to members, and in an inactive program', async () => {
		expect((await run(funnel, await aMember(funnel.owner, 'member'))).status).toBe(403);
		expect((await run(funnel, await signUp())).status).toBe(403);
		const asleep = await aFunnel();
		await api(`/api/v1/programs/${asleep.id}`, { token: asleep.owner.token, method: 'PATCH', body: { active: false } });
		const { status, body } = await run(asleep, asleep.owner);
		expect([status, body]).toEqual([409, { error: 'The program is not active, so nothing is recorded: set active to true first' }]);
	});

	test.each([
		[{ type: 'everything' }, 'type must be one of chain, click, lead, sale, refund'],
		[{ event_type: 'click' }, 'Unknown field: event_type'],
	])('%j: %s', async (body, error) => {
		const refused = await run(funnel, funnel.owner, body);
		expect([refused.status, refused.body]).toEqual([400, { error }]);
	});
});

test('members see the same status as the key, with the readiness gates', async () => {
	const funnel = await aFunnel();
	const member = await aMember(funnel.owner, 'member');
	const { status, body } = await api<Record<string, unknown>>(`/api/v1/programs/${funnel.id}/status`, { token: member.token });
	const byKey: Record<string, unknown> = JSON.parse((await api('/api/v1/cli/status', { token: funnel.apiToken })).text);
	const readiness: Record<string, unknown> = JSON.parse((await api('/api/v1/programs/me/readiness', { token: funnel.apiToken })).text);
	const { success: _always, ...told } = byKey;
	const { state, integration_verified, blocker, next_action, gates } = readiness;
	expect([status, body.data]).toEqual([200, { ...told, state, integration_verified, blocker, next_action, gates }]);
	expect((await api(`/api/v1/programs/${funnel.id}/status`, { token: (await signUp()).token })).status).toBe(403);
});
