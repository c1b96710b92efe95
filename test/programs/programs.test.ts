import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, test } from 'vitest';
import { sha256Hex } from '../../src/secrets.ts';
import { aMember, aProgram, api, type Owner, signUp } from '../support/world.ts';

interface Program {
	readonly id: number;
	readonly api_token: string;
	readonly allowed_origins: string[];
}

let owner: Owner;
let stranger: Owner;
let member: Owner;
beforeAll(async () => {
	[owner, stranger] = await Promise.all([signUp(), signUp()]);
	member = await aMember(owner, 'member');
});

describe('a new program', () => {
	test('has defaults and a key', async () => {
		const { status, body } = await api<Program>('/api/v1/programs', { token: owner.token, body: { name: 'Shop' } });
		expect(status).toBe(201);
		expect(body).toEqual({
			success: true,
			data: {
				id: expect.any(Number),
				workspace_id: owner.workspaceId,
				name: 'Shop',
				domain: null,
				domain_verified_at: null,
				currency: 'USD',
				cookie_window_days: 60,
				click_retention_days: null,
				allowed_origins: [],
				time_zone: 'UTC',
				active: true,
				server_leads_only: false,
				keep_emails: false,
				payout_minimum_cents: 0,
				renewals_follow_checkout: false,
				coupon_wins: false,
				rules_by_line: true,
				partner_postbacks: true,
				created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
				archived_at: null,
				api_token: expect.stringMatching(/^prg_[0-9a-f]{40}$/),
				api_token_prefix: body.data.api_token.slice(0, 12),
				api_token_last_used_at: null,
			},
		});
	});

	test('accepts every setting', async () => {
		const { status, body } = await api<Program>('/api/v1/programs', {
			token: owner.token,
			body: {
				workspace_id: owner.workspaceId,
				name: ' Laden ',
				domain: 'WWW.Shop.Example',
				currency: 'eur',
				cookie_window_days: 3650,
				click_retention_days: 3657,
				allowed_origins: ['https://*.Shop.example/', 'http://localhost:3000', 'https://shop.example:443', 'https://shop.example'],
				time_zone: 'Europe/Berlin',
				server_leads_only: true,
				keep_emails: true,
				renewals_follow_checkout: true,
				coupon_wins: true,
				rules_by_line: false,
				partner_postbacks: false,
				commission: { type: 'percent', percent: 20 },
			},
		});
		expect(status).toBe(201);
		expect(body.data).toMatchObject({
			name: 'Laden',
			domain: 'www.shop.example',
			currency: 'EUR',
			cookie_window_days: 3650,
			click_retention_days: 3657,
			allowed_origins: ['http://localhost:3000', 'https://*.shop.example', 'https://shop.example', 'https://www.shop.example'],
			time_zone: 'Europe/Berlin',
			server_leads_only: true,
			keep_emails: true,
			renewals_follow_checkout: true,
		});
		const rules = await api(`/api/v1/programs/${body.data.id}/commission-rules`, { token: owner.token });
		expect(rules.body.data).toMatchObject([
			{ type: 'percent', percent: 20, product_id: null, partner_id: null, recurring_months: null, hold_days: 0 },
		]);
	});

	test.each([
		['Müller.example', 'xn--mller-kva.example'],
		['localhost', 'localhost'],
		['a-b.shop.example', 'a-b.shop.example'],
	])('lists its domain %s by default', async (domain, host) => {
		const { body } = await api<Program>('/api/v1/programs', { token: owner.token, body: { name: 'P', domain } });
		expect(body.data).toMatchObject({ domain: host, allowed_origins: [`https://${host}`, `https://www.${host}`].toSorted() });
	});

	test('stores its key as a hash and under AES-GCM, and audits no part of it', async () => {
		const program = await aProgram(owner);
		const key = await env.DB.prepare('SELECT * FROM program_keys WHERE program_id = ?').bind(program.id).first();
		expect(key).toMatchObject({ token_hash: await sha256Hex(program.apiToken), prefix: program.apiToken.slice(0, 12), expires_at: null });
		expect(JSON.stringify(key)).not.toContain(program.apiToken);
		const entry = await env.DB.prepare('SELECT * FROM audit_entries WHERE program_id = ?').bind(program.id).first();
		expect(entry).toMatchObject({
			action: 'program.create',
			subject_id: program.id,
			workspace_id: owner.workspaceId,
			user_id: owner.userId,
		});
		expect(JSON.stringify(entry)).not.toContain('prg_');
	});

	test.each([
		[{}, 'name must be a string'],
		[{ name: 'x'.repeat(121) }, 'name must be at most 120 characters'],
		[{ name: 'P', domain: 'https://shop.example' }, 'domain must be a domain, such as "shop.example"'],
		[{ name: 'P', domain: 'shop.example:8080' }, 'domain must be a domain, such as "shop.example"'],
		[{ name: 'P', domain: '12345' }, 'domain must be a domain, such as "shop.example"'],
		[{ name: 'P', domain: 'a..example' }, 'domain must be a domain, such as "shop.example"'],
		[{ name: 'P', domain: '*.shop.example' }, 'domain must be a domain, such as "shop.example"'],
		[{ name: 'P', domain: '-shop.example' }, 'domain must be a domain, such as "shop.example"'],
		[{ name: 'P', domain: '' }, 'domain must be a domain, such as "shop.example"'],
		[{ name: 'P', currency: 'XYZ' }, 'currency must be a currency code, such as "USD"'],
		[{ name: 'P', currency: 1 }, 'currency must be a currency code, such as "USD"'],
		[{ name: 'P', cookie_window_days: 0 }, 'cookie_window_days must be an integer from 1 to 3650'],
		[{ name: 'P', cookie_window_days: 3651 }, 'cookie_window_days must be an integer from 1 to 3650'],
		[{ name: 'P', cookie_window_days: 1.5 }, 'cookie_window_days must be an integer from 1 to 3650'],
		[{ name: 'P', cookie_window_days: '60' }, 'cookie_window_days must be an integer from 1 to 3650'],
		[{ name: 'P', click_retention_days: 3661 }, 'click_retention_days must be an integer from 1 to 3660'],
		[{ name: 'P', click_retention_days: 66 }, tooShort(67, 60)],
		[{ name: 'P', cookie_window_days: 90, click_retention_days: 96 }, tooShort(97, 90)],
		[{ name: 'P', allowed_origins: 'https://a.example' }, 'allowed_origins must be a list of origins'],
		[
			{ name: 'P', allowed_origins: ['https://a.example', 'a.example'] },
			'allowed_origins.1 must be an origin, such as "https://shop.example", "https://*.shop.example" or "http://localhost:*"',
		],
		[
			{ name: 'P', allowed_origins: Array.from({ length: 101 }, (_, n) => `https://s${n}.example`) },
			'allowed_origins must list at most 100 origins',
		],
		[{ name: 'P', time_zone: 'Mars/Base' }, 'time_zone must be the IANA name of a time zone, such as "Europe/Berlin"'],
		[{ name: 'P', time_zone: '+01:00' }, 'time_zone must be the IANA name of a time zone, such as "Europe/Berlin"'],
		[{ name: 'P', keep_emails: 'yes' }, 'keep_emails must be true or false'],
		[{ name: 'P', workspace_id: '1' }, 'workspace_id must be an integer'],
		[{ name: 'P', commission: null }, 'commission must be an object'],
		[{ name: 'P', commission: {} }, 'type must be "percent" or "flat"'],
		[
			{ name: 'P', commission: { type: 'percent', percent: 101 } },
			'commission.percent must be a number from 0 to 100 with at most two decimals',
		],
		[{ name: 'P', commission: { type: 'percent', percent: 10, partner_id: 1 } }, 'Unknown field: partner_id'],
		[{ name: 'P', window: 3 }, 'Unknown field: window'],
	])('is refused: %j', async (sent, error) => {
		const { status, body } = await api('/api/v1/programs', { token: owner.token, body: sent });
		expect([status, body]).toEqual([400, { error }]);
	});

	test('needs an owner or admin of its workspace', async () => {
		expect((await create('ses_nobody', {})).status).toBe(401);
		const foreign = await create(stranger.token, { workspace_id: owner.workspaceId });
		expect([foreign.status, foreign.body]).toEqual([403, { error: 'You are not an active member of this workspace' }]);
		expect((await create(owner.token, { workspace_id: 999_999_999 })).status).toBe(403);
		const low = await create(member.token, { workspace_id: owner.workspaceId });
		expect([low.status, low.body]).toEqual([403, { error: 'Only an owner or admin of the workspace may do this' }]);
	});
});

describe('programs are read', () => {
	test('by any member, without the key', async () => {
		const program = await aProgram(owner);
		const { status, body } = await api(`/api/v1/programs/${program.id}`, { token: member.token });
		expect(status).toBe(200);
		expect(body.data).toMatchObject({ id: program.id, api_token_prefix: program.apiToken.slice(0, 12), api_token_last_used_at: null });
		expect(JSON.stringify(body)).not.toContain(program.apiToken);
	});

	test('by nobody else', async () => {
		const program = await aProgram(owner);
		const read = (token?: string) => api(`/api/v1/programs/${program.id}`, token === undefined ? {} : { token });
		expect((await read()).status).toBe(401);
		expect((await read(program.apiToken)).status).toBe(401);
		expect((await read(stranger.token)).status).toBe(403);
		const leaver = await aMember(owner, 'admin');
		expect((await read(leaver.token)).status).toBe(200);
		await env.DB.prepare('UPDATE members SET deactivated_at = 1 WHERE user_id = ? AND workspace_id = ?')
			.bind(leaver.userId, owner.workspaceId)
			.run();
		expect((await read(leaver.token)).status).toBe(403);
	});

	test.each([
		['999999999', 404, 'Program not found'],
		['abc', 400, 'id in the path must be a positive integer'],
		['-1', 400, 'id in the path must be a positive integer'],
		['1.5', 400, 'id in the path must be a positive integer'],
		['9007199254740993', 400, 'id in the path must be a positive integer'],
		['%00', 400, 'id in the path must be a positive integer'],
	])('/programs/%s answers %d', async (id, expected, error) => {
		const { status, body } = await api(`/api/v1/programs/${id}`, { token: owner.token });
		expect([status, body]).toEqual([expected, { error }]);
	});

	test('in pages, newest first, from all the workspaces', async () => {
		const person = await signUp();
		const elsewhere = await aMember(owner, 'member');
		const made = [];
		for (let count = 0; count < 3; count += 1) made.push((await aProgram(person)).id);
		const first = await api<Program[]>('/api/v1/programs?limit=2', { token: person.token });
		expect(first.body.data.map(({ id }) => id)).toEqual([made[2], made[1]]);
		expect(first.body.meta).toEqual({ next_cursor: String(made[1]), previous_cursor: null });
		const rest = await api<Program[]>(`/api/v1/programs?limit=2&cursor=${first.body.meta.next_cursor}`, { token: person.token });
		expect(rest.body.data.map(({ id }) => id)).toEqual([made[0]]);
		expect(rest.body.meta).toMatchObject({ next_cursor: null });

		const theirs = await aProgram(elsewhere);
		const both = await api<Program[]>('/api/v1/programs?limit=200', { token: elsewhere.token });
		expect(both.body.data[0]?.id).toBe(theirs.id);
		expect(both.body.data.length).toBeGreaterThan(1);
	});

	test.each([
		['limit=0', 'limit must be an integer from 1 to 200'],
		['limit=201', 'limit must be an integer from 1 to 200'],
		['limit=ten', 'limit must be an integer from 1 to 200'],
		['cursor=abc', 'cursor must be a next_cursor or previous_cursor of this list'],
		['limt=5&page=2', 'Unknown query parameter: limt, page'],
		['limt&page=', 'Unknown query parameter: limt, page'],
	])('a list with %s is refused', async (search, error) => {
		const { status, body } = await api(`/api/v1/programs?${search}`, { token: owner.token });
		expect([status, body]).toEqual([400, { error }]);
	});
});

function create(token: string, body: object) {
	return api('/api/v1/programs', { token, body: { name: 'P', ...body } });
}

function tooShort(least: number, window: number): string {
	return `click_retention_days must be at least ${least}, a week longer than the attribution window of ${window} days, because late leads still need their clicks`;
}
