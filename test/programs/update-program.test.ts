import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, test } from 'vitest';
import { aMember, aProgram, api, type Owner, signUp, unique } from '../support/world.ts';

let owner: Owner;
let stranger: Owner;
let member: Owner;
beforeAll(async () => {
	[owner, stranger] = await Promise.all([signUp(), signUp()]);
	member = await aMember(owner, 'member');
});

describe('a program is changed', () => {
	test('field by field', async () => {
		const program = await aProgram(owner, { domain: 'a.example', keep_emails: true });
		const path = `/api/v1/programs/${program.id}`;
		const change = {
			name: 'New name',
			domain: 'b.example',
			currency: 'JPY',
			cookie_window_days: 7,
			allowed_origins: ['https://c.example'],
			time_zone: 'Asia/Tokyo',
			active: false,
			server_leads_only: true,
			keep_emails: false,
			renewals_follow_checkout: true,
		};
		for (const [field, value] of Object.entries(change)) {
			const { status, body } = await api(path, { method: 'PATCH', token: owner.token, body: { [field]: value } });
			expect([status, body.data]).toEqual([200, expect.objectContaining({ [field]: value })]);
		}
		expect((await api(path, { token: owner.token })).body.data).toMatchObject(change);
		expect((await api(path, { method: 'PATCH', token: owner.token, body: { domain: null } })).body.data).toMatchObject({ domain: null });
		const { results } = await env.DB.prepare(
			"SELECT detail FROM audit_entries WHERE program_id = ? AND action = 'program.update' ORDER BY id LIMIT 1",
		)
			.bind(program.id)
			.all();
		expect(results).toEqual([{ detail: '{"name":"New name"}' }]);
	});

	test('by an admin, but not by a member or stranger', async () => {
		const program = await aProgram(owner);
		const admin = await aMember(owner, 'admin');
		const rename = (token: string) => api(`/api/v1/programs/${program.id}`, { method: 'PATCH', token, body: { name: unique('Name') } });
		expect((await rename(admin.token)).status).toBe(200);
		expect((await rename(member.token)).status).toBe(403);
		expect((await rename(stranger.token)).status).toBe(403);
	});

	test.each([
		[{}, 'Send at least one field to change'],
		[{ api_token: 'prg_mine' }, 'Unknown field: api_token'],
		[{ workspace_id: 2 }, 'Unknown field: workspace_id'],
		[{ active: 1 }, 'active must be true or false'],
		[{ name: null }, 'name must be a string'],
		[[], 'Request body must be a JSON object'],
		['nonsense', 'Request body must be valid JSON'],
	])('refuses %j', async (sent, error) => {
		const program = await aProgram(owner);
		const { status, body } = await api(`/api/v1/programs/${program.id}`, { method: 'PATCH', token: owner.token, body: sent });
		expect([status, body]).toEqual([400, { error }]);
	});

	test('but not its time zone after the first event, nor its currency after the first sale', async () => {
		const program = await aProgram(owner);
		const lead = await api('/api/v1/track/lead', { token: program.apiToken, body: { customer_key: 'c1' } });
		expect(lead.status).toBe(200);
		const change = (body: object) => api(`/api/v1/programs/${program.id}`, { method: 'PATCH', token: owner.token, body });
		const zone = await change({ time_zone: 'Asia/Tokyo', name: 'Renamed' });
		expect([zone.status, zone.body]).toEqual([
			409,
			{ error: 'time_zone cannot change because the program has events whose days depend on it.' },
		]);
		expect((await api(`/api/v1/programs/${program.id}`, { token: owner.token })).body.data).not.toMatchObject({ name: 'Renamed' });
		expect((await change({ time_zone: 'UTC' })).status).toBe(200);
		expect((await change({ currency: 'EUR' })).status).toBe(200);
		await sellOnce(program.id);
		const currency = await change({ currency: 'USD' });
		expect([currency.status, currency.body]).toEqual([
			409,
			{ error: 'currency cannot change because the program has sales. Create another program for another currency.' },
		]);
	});

	test('and a deactivated one refuses calls with its key', async () => {
		const program = await aProgram(owner);
		const lead = () => api('/api/v1/track/lead', { token: program.apiToken, body: { customer_key: unique('key') } });
		expect((await lead()).status).toBe(200);
		await api(`/api/v1/programs/${program.id}`, { method: 'PATCH', token: owner.token, body: { active: false } });
		expect((await lead()).status).toBe(401);
	});
});

async function sellOnce(programId: number): Promise<void> {
	const partner = await api<{ links: { short_link: string }[] }>(`/api/v1/programs/${programId}/partners`, {
		token: owner.token,
		body: { name: 'Pat', email: `${unique('pat')}@people.example` },
	});
	const link = partner.body.data.links[0]?.short_link;
	const click = await api('/api/v1/track/click', { body: { affiliate_url: `https://a.example/?aff=${link}` } });
	const clickId: unknown = JSON.parse(click.text).click_id;
	const { apiToken } = await rotated(programId);
	await api('/api/v1/track/lead', { token: apiToken, body: { customer_key: 'buyer', click_id: clickId } });
	const sale = await api('/api/v1/track/sale', {
		token: apiToken,
		body: { transaction_id: unique('txn'), amount_cents: 1000, customer_key: 'buyer' },
	});
	if (sale.status !== 200) throw new Error(`The sale answered ${sale.status}: ${sale.text}`);
}

async function rotated(programId: number): Promise<{ apiToken: string }> {
	const { token, password } = owner;
	const { body } = await api<{ api_token: string }>(`/api/v1/programs/${programId}/api-token`, { token, body: { password } });
	return { apiToken: body.data.api_token };
}
