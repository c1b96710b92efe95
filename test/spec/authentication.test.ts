import { env, exports } from 'cloudflare:workers';
import { beforeAll, describe, expect, test } from 'vitest';
import { trackWith } from '../support/bindings.ts';
import { aClick, aFunnel, aLead, aSale, type Funnel, rows, sharedOwner } from '../support/funnel.ts';
import { api, aProgram, unique } from '../support/world.ts';

// Contract, section 5; decisions 6 and 29.

const SERVER_ROUTES = ['lead', 'sale', 'refund'].flatMap((route) => [`/api/v1/track/${route}`, `/api/tracking/${route}`]);
const MISSING = 'Authorization header is required: Authorization: Bearer <API_KEY>';
const EMPTY = 'The Bearer token is empty: send Authorization: Bearer <API_KEY>';
const UNKNOWN = 'Invalid API key: the token matches no active program';
const SESSION =
	'Invalid API key: this is the token of a session, for people. Send the program key, which the settings of the program show to owners and admins';

let funnel: Funnel;
beforeAll(async () => {
	funnel = await aFunnel();
});

async function post(path: string, authorization: string | undefined, body: unknown): Promise<[number, unknown]> {
	const answer = await api(path, { body, headers: authorization === undefined ? {} : { Authorization: authorization } });
	return [answer.status, answer.body];
}

/** The body is invalid, so the call changes nothing. */
function statusesOf(path: string, ...keys: string[]): Promise<number[]> {
	return Promise.all(keys.map(async (key) => (await post(path, `Bearer ${key}`, { transaction_id: 7 }))[0]));
}

describe.each(SERVER_ROUTES)('%s', (path) => {
	test.each([
		['Basic dXNlcjpwYXNz', MISSING],
		['KEY', MISSING],
		['bearer KEY', MISSING],
		['BEARER KEY', MISSING],
		['Bearer', MISSING],
		['BearerKEY', MISSING],
		['Token Bearer KEY', MISSING],
		['Bearer\tKEY', MISSING],
		['Bearer wrong', UNKNOWN],
		['Bearer KEYx', UNKNOWN],
		['Bearer KEY KEY', UNKNOWN],
		['Bearer "KEY"', UNKNOWN],
		['Bearer Bearer KEY', UNKNOWN],
		[`Bearer ${'x'.repeat(5000)}`, UNKNOWN],
		["Bearer ' OR 1=1 --", UNKNOWN],
	])('%s: 401', async (authorization, error) => {
		const body = { click_id: await aClick(funnel), transaction_id: unique('t'), amount_cents: 100 };
		expect(await post(path, authorization.replaceAll('KEY', funnel.apiToken), body)).toEqual([401, { error }]);
	});

	test('401 says how to authenticate', async () => {
		const { status, headers } = await api(path, { body: {}, headers: { Authorization: 'Bearer wrong' } });
		expect([status, headers.get('WWW-Authenticate')]).toEqual([401, 'Bearer']);
	});

	test('401 takes precedence over errors in the body', async () => {
		const bodies = ['', '{', '[]', 'null', {}, { transaction_id: 4 }, { additional_data: { test_mode: 7 } }, 'x'.repeat(70_000)];
		for (const body of bodies) {
			expect(await post(path, 'Bearer wrong', body)).toEqual([401, { error: UNKNOWN }]);
			expect(await post(path, 'Basic x', body)).toEqual([401, { error: MISSING }]);
		}
	});

	test('a session token is not accepted as a program key', async () => {
		const { token } = await sharedOwner();
		expect(await post(path, `Bearer ${token}`, { customer_key: 'x' })).toEqual([401, { error: SESSION }]);
	});

	test('the key of an inactive program is refused until the program is active again', async () => {
		const owner = await sharedOwner();
		const { id, apiToken } = await aProgram(owner);
		const setActive = (active: boolean) => api(`/api/v1/programs/${id}`, { method: 'PATCH', token: owner.token, body: { active } });
		await setActive(false);
		expect(await post(path, `Bearer ${apiToken}`, { customer_key: 'x' })).toEqual([401, { error: UNKNOWN }]);
		await setActive(true);
		expect((await post(path, `Bearer ${apiToken}`, { customer_key: 'x' }))[0]).not.toBe(401);
	});

	test('after rotation the new key works at once, and the old one until the overlap ends', async () => {
		const owner = await sharedOwner();
		const { id, apiToken } = await aProgram(owner);
		const rotate = async (overlap_hours: number) => {
			const { body } = await api<{ api_token: string }>(`/api/v1/programs/${id}/api-token`, {
				token: owner.token,
				body: { password: owner.password, overlap_hours },
			});
			return body.data.api_token;
		};
		const second = await rotate(1);
		expect(await statusesOf(path, apiToken, second)).toEqual([400, 400]);
		await env.DB.prepare('UPDATE program_keys SET expires_at = ? WHERE program_id = ? AND expires_at IS NOT NULL')
			.bind(Date.now() - 1, id)
			.run();
		expect(await statusesOf(path, apiToken, second)).toEqual([401, 400]);
		const third = await rotate(0);
		expect(await statusesOf(path, apiToken, second, third)).toEqual([401, 401, 400]);
	});

	test('spaces around the key are trimmed', async () => {
		const [status] = await post(path, `Bearer   ${funnel.apiToken}  `, { transaction_id: 7, click_id: 7 });
		expect(status).toBe(400);
	});
});

test.each(SERVER_ROUTES.filter((path) => !path.endsWith('/lead')))('%s without the header: 401', async (path) => {
	expect(await post(path, undefined, { transaction_id: unique('t'), amount_cents: 1 })).toEqual([401, { error: MISSING }]);
	expect(await post(path, undefined, '{')).toEqual([401, { error: MISSING }]);
});

test.each(SERVER_ROUTES)('%s with a token of blanks only: 401 Empty', async (path) => {
	// Clients trim their headers but keep a form feed, which only the service treats as blank.
	expect(await post(path, 'Bearer \f', { customer_key: 'x' })).toEqual([401, { error: EMPTY }]);
});

test('a click needs no key, and a wrong key does not refuse it', async () => {
	const body = { affiliate_url: `https://shop.example/?aff=${funnel.shortLink}` };
	expect((await post('/api/v1/track/click', 'Bearer wrong', body))[0]).toBe(200);
});

test('a lead with a wrong header is never accepted in browser mode', async () => {
	const click_id = await aClick(funnel);
	for (const authorization of ['Bearer wrong', 'Basic x', 'Bearer'])
		expect((await post('/api/v1/track/lead', authorization, { click_id }))[0]).toBe(401);
	// The platform drops an empty header. If it ever passes one on, the service must refuse the call too.
	expect((await trackWith({}, 'lead', { click_id }, { Authorization: '' })).status).toBe(401);
	expect(await rows('SELECT id FROM customers WHERE click_id = ?', click_id)).toEqual([]);
	expect((await post('/api/v1/track/lead', undefined, { click_id }))[0]).toBe(200);
});

test('a key authorizes only its own program', async () => {
	const other = await aFunnel();
	const customer_key = await aLead(funnel);
	const { transactionId } = await aSale(funnel, { customer_key });
	const key = `Bearer ${other.apiToken}`;
	expect((await post('/api/v1/track/lead', key, { customer_key }))[0]).toBe(400);
	expect((await post('/api/v1/track/sale', key, { customer_key, transaction_id: unique('t'), amount_cents: 1 }))[0]).toBe(400);
	expect((await post('/api/v1/track/refund', key, { transaction_id: transactionId }))[0]).toBe(404);
});

test('a key is not a session: the management API refuses it', async () => {
	for (const path of ['/api/v1/me', '/api/v1/programs', `/api/v1/programs/${funnel.id}`])
		expect((await api(path, { token: funnel.apiToken })).status).toBe(401);
});

test('the last use of a key is recorded at most once an hour', async () => {
	const { apiToken, id } = await aProgram(await sharedOwner());
	const lastUse = async () =>
		(await rows<{ last_used_at: number | null }>('SELECT last_used_at FROM program_keys WHERE program_id = ?', id))[0];
	expect(await lastUse()).toEqual({ last_used_at: null });
	await post('/api/v1/track/lead', `Bearer ${apiToken}`, { customer_key: 'a' });
	const first = await lastUse();
	expect(first?.last_used_at).toBeGreaterThan(Date.now() - 10_000);
	await post('/api/v1/track/lead', `Bearer ${apiToken}`, { customer_key: 'b' });
	expect(await lastUse()).toEqual(first);
});

test('only the hash and a sealed copy of a key are stored', async () => {
	const [row] = await rows('SELECT * FROM program_keys WHERE program_id = ?', funnel.id);
	expect(JSON.stringify(row)).not.toContain(funnel.apiToken);
});

test('an unknown key gets 401, even if its call names an existing sale', async () => {
	const response = await exports.default.fetch('http://service.test/api/v1/track/refund', {
		method: 'POST',
		headers: { Authorization: 'Bearer nobody' },
		body: JSON.stringify({ transaction_id: (await aSale(funnel)).transactionId }),
	});
	expect([response.status, await response.json()]).toEqual([401, { error: UNKNOWN }]);
});
