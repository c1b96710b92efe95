import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, test } from 'vitest';
import { anOutage, bearer, trackWith } from '../support/bindings.ts';
import { mintClickId } from '../support/clock.ts';
import { aClick, aFunnel, aLead, aPartner, aSale, type Funnel, rows, track } from '../support/funnel.ts';
import { api, type Owner, signUp, unique } from '../support/world.ts';

// Contract, sections 4.2, 4.8 and 7; decisions 5, 6, 7, 18, 30.

let funnel: Funnel;
let sibling: Funnel;
let stranger: Funnel;
beforeAll(async () => {
	funnel = await aFunnel();
	sibling = await aFunnel();
	stranger = await aFunnelOf(await signUp());
});

/** A program of another workspace. */
async function aFunnelOf(owner: Owner): Promise<Funnel> {
	const { body } = await api<{ id: number; api_token: string }>('/api/v1/programs', { token: owner.token, body: { name: unique('P') } });
	return { id: body.data.id, apiToken: body.data.api_token, owner, ...(await aPartner(owner, body.data.id)) };
}

const RECORDED = { success: true, lead_id: expect.any(Number), attributed: true, message: 'Lead recorded' };
const UNATTRIBUTED = { ...RECORDED, attributed: false, message: 'Lead recorded, unattributed: no valid click came with it' };
const NOT_FOUND = { error: 'Customer not found. Provide a valid click_id or customer_key.' };
const ELSEWHERE = { error: 'Customer does not belong to this program' };
const LOCKED = (status: string) => ({ error: `Customer status cannot be updated to lead. Current status: ${status}` });

describe.each(['/api/v1/track/lead', '/api/tracking/lead'])('%s', (path) => {
	const post = async (body: unknown, token?: string) => {
		const answer = await api(path, token === undefined ? { body } : { body, token });
		return [answer.status, answer.body];
	};

	test('in browser mode the click proves the attribution', async () => {
		expect(await post({ click_id: await aClick(funnel) })).toEqual([200, RECORDED]);
		expect(await post({ click_id: await aClick(funnel), customer_key: unique('c'), email: 'a@b.example' })).toEqual([200, RECORDED]);
	});

	test('in server mode a key or a click identifies the customer', async () => {
		expect(await post({ customer_key: unique('c') }, funnel.apiToken)).toEqual([200, UNATTRIBUTED]);
		expect(await post({ click_id: await aClick(funnel) }, funnel.apiToken)).toEqual([200, RECORDED]);
		expect(await post({ click_id: await aClick(funnel), customer_key: unique('c') }, funnel.apiToken)).toEqual([200, RECORDED]);
	});

	test.each([
		[{}],
		[{ click_id: null, customer_key: null }],
		[{ click_id: '', customer_key: '   ' }],
		[{ email: 'a@b.example' }],
		[{ additional_data: { test_mode: true } }],
	])('%j: click_id or customer_key is required', async (body) => {
		const refusal = [400, { error: 'click_id or customer_key is required' }];
		expect(await post(body)).toEqual(refusal);
		expect(await post(body, funnel.apiToken)).toEqual(refusal);
	});

	test.each([['nonsense'], ['cust_1_1'], ['cust_01_1'], ['cust_99999999999999999999_1'], ['😀']])(
		'only the click %j: Customer not found, in both modes',
		async (click_id) => {
			expect(await post({ click_id })).toEqual([400, NOT_FOUND]);
			expect(await post({ click_id }, funnel.apiToken)).toEqual([400, NOT_FOUND]);
		},
	);

	test('a customer key without a program key: there is no program to record it in', async () => {
		expect(await post({ customer_key: await aLead(funnel) })).toEqual([400, NOT_FOUND]);
		expect(await post({ customer_key: unique('c'), click_id: 'cust_1_1' })).toEqual([400, NOT_FOUND]);
	});

	test('a click of another program: Customer does not belong to this program', async () => {
		for (const other of [sibling, stranger]) {
			expect(await post({ click_id: await aClick(other) }, funnel.apiToken)).toEqual([400, ELSEWHERE]);
			expect(await post({ click_id: await aClick(other), customer_key: unique('c') }, funnel.apiToken)).toEqual([400, ELSEWHERE]);
		}
	});

	test('a key attributed in another program of the workspace: Customer does not belong to this program', async () => {
		expect(await post({ customer_key: await aLead(sibling) }, funnel.apiToken)).toEqual([400, ELSEWHERE]);
	});

	test('a key of another workspace is unknown here: the lead is recorded', async () => {
		expect(await post({ customer_key: await aLead(stranger) }, funnel.apiToken)).toEqual([200, UNATTRIBUTED]);
	});

	test('a second lead: the error names the status of the customer', async () => {
		const customer_key = await aLead(funnel);
		expect(await post({ customer_key }, funnel.apiToken)).toEqual([400, LOCKED('lead')]);
		const click_id = await aClick(funnel);
		expect(await post({ click_id })).toEqual([200, RECORDED]);
		expect(await post({ click_id })).toEqual([400, LOCKED('lead')]);
		expect(await post({ click_id }, funnel.apiToken)).toEqual([400, LOCKED('lead')]);
	});

	test('a lead after the purchase: conversion', async () => {
		const customer_key = await aLead(funnel);
		await aSale(funnel, { customer_key });
		expect(await post({ customer_key }, funnel.apiToken)).toEqual([400, LOCKED('conversion')]);
		const click_id = await aClick(funnel);
		await aSale(funnel, { click_id });
		expect(await post({ click_id })).toEqual([400, LOCKED('conversion')]);
	});

	test('in test mode it returns the record and changes nothing', async () => {
		const answer = {
			success: true,
			message: expect.any(String),
			data: { eventId: expect.any(Number), programId: funnel.id, test_mode: true },
		};
		const customer_key = unique('test');
		const additional_data = { test_mode: true };
		expect(await post({ customer_key, additional_data }, funnel.apiToken)).toEqual([200, answer]);
		expect(await post({ customer_key, additional_data }, funnel.apiToken)).toEqual([200, answer]);
		const click_id = await aClick(funnel);
		expect(await post({ click_id, customer_key, additional_data })).toEqual([200, answer]);
		expect(await rows('SELECT id FROM customers WHERE customer_key = ? OR click_id = ?', customer_key, click_id)).toEqual([]);
		expect(
			await rows('SELECT is_test, customer_id, program_id FROM affiliate_lead_events WHERE customer_key = ? ORDER BY id', customer_key),
		).toEqual([1, 2, 3].map(() => ({ is_test: 1, customer_id: null, program_id: funnel.id })));
		expect(await post({ click_id })).toEqual([200, RECORDED]);
	});
});

const NOT_AN_ID =
	'customer_key must be your own id of the customer: this is a missing value that was turned into text, and all such customers would share it';

describe('invalid fields', () => {
	test.each<[body: object, message: string]>([
		[{ click_id: 42 }, 'click_id must be a string'],
		[{ click_id: {} }, 'click_id must be a string'],
		[{ click_id: 'x'.repeat(256) }, 'click_id must be at most 255 characters'],
		[{ click_id: 'cust_1_1\n' }, 'click_id must not contain control characters'],
		[{ customer_key: 42 }, 'customer_key must be a string'],
		[{ customer_key: ['a'] }, 'customer_key must be a string'],
		[{ customer_key: 'x'.repeat(256) }, 'customer_key must be at most 255 characters'],
		[{ customer_key: 'a\u0000b' }, 'customer_key must not contain control characters'],
		[{ customer_key: 'a\nb' }, 'customer_key must not contain control characters'],
		[{ customer_key: 'a\ud800' }, 'customer_key must be well-formed Unicode'],
		[{ customer_key: '\udc00a' }, 'customer_key must be well-formed Unicode'],
		...['undefined', 'null', 'NaN', '[object Object]', ' null '].map((customer_key): [object, string] => [{ customer_key }, NOT_AN_ID]),
		[{ customer_key: 'a', additional_data: 'x' }, 'additional_data must be an object'],
		[{ customer_key: 'a', additional_data: [] }, 'additional_data must be an object'],
		[{ customer_key: 'a', additional_data: { test_mode: 'true' } }, 'additional_data.test_mode must be true or false'],
		[{ customer_key: 'a', additional_data: { test_mode: 1 } }, 'additional_data.test_mode must be true or false'],
	])('%j: %s', async (body, message) => {
		expect(await track('lead', body, funnel.apiToken)).toMatchObject({ status: 400, body: { error: message } });
	});

	test('null and blank count as missing, because a backend forwards an empty cookie', async () => {
		for (const click_id of [null, '', '  ']) {
			const body = { customer_key: unique('c'), click_id, email: click_id, additional_data: null };
			expect(await track('lead', body, funnel.apiToken)).toMatchObject({ status: 200, body: UNATTRIBUTED });
		}
		const nested = { customer_key: unique('c'), additional_data: { test_mode: null } };
		expect(await track('lead', nested, funnel.apiToken)).toMatchObject({ status: 200, body: UNATTRIBUTED });
	});

	test.each([
		42,
		{},
		[],
		true,
		'nobody',
		'a b@c.example',
		`${'a'.repeat(250)}@b.example`,
		'a\ud800@b.example',
		'a\u0000@b.example',
		'@',
		'a@b',
	])('an invalid email never refuses the lead: %j', async (email) => {
		const [key, click_id] = [unique('c'), await aClick(funnel)];
		expect(await track('lead', { customer_key: key, email }, funnel.apiToken)).toMatchObject({ status: 200, body: UNATTRIBUTED });
		expect(await track('lead', { click_id, email })).toMatchObject({ status: 200, body: RECORDED });
		const columns = 'SELECT email, email_hash FROM customers WHERE customer_key = ? OR click_id = ?';
		expect(await rows(columns, key, click_id)).toEqual([
			{ email: null, email_hash: null },
			{ email: null, email_hash: null },
		]);
	});

	test('any other text is a valid key: 255 characters, another script, quotes', async () => {
		for (const text of ['x'.repeat(255), 'ключ', '😀', "' OR 1=1 --", '%_"\\', '__proto__']) {
			const customer_key = text.length === 255 ? unique(text).slice(-255) : unique(text);
			expect((await track('lead', { customer_key }, funnel.apiToken)).status).toBe(200);
			expect(await rows('SELECT status FROM customers WHERE program_id = ? AND customer_key = ?', funnel.id, customer_key)).toEqual([
				{ status: 'lead' },
			]);
		}
	});

	test('unknown fields are ignored', async () => {
		const body = { customer_key: unique('c'), status: 'conversion', program_id: stranger.id, partner_id: 1, is_test: true };
		expect((await track('lead', body, funnel.apiToken)).body).toEqual(UNATTRIBUTED);
	});
});

describe('during an outage', () => {
	test('of the database: 500 Lead tracking failed', async () => {
		const { status, headers, body } = await trackWith(
			{ DB: anOutage(env.DB) },
			'lead',
			{ customer_key: unique('c') },
			bearer(funnel.apiToken),
		);
		expect([status, body]).toEqual([500, { error: 'Lead tracking failed' }]);
		expect(headers.get('X-Request-Id')).toBeTruthy();
	});
});

test('a refused lead records nothing', async () => {
	const before = await rows('SELECT (SELECT max(id) FROM customers) AS c, (SELECT max(id) FROM affiliate_lead_events) AS l');
	const forged = await mintClickId(1, { secret: 'nobody-has-this-secret' });
	await Promise.all([
		track('lead', { customer_key: unique('c') }),
		track('lead', { click_id: forged }),
		track('lead', { click_id: forged }, funnel.apiToken),
		track('lead', { click_id: await aClick(stranger), customer_key: unique('c') }, funnel.apiToken),
		track('lead', { customer_key: unique('c') }, 'wrong-key'),
		track('lead', { click_id: await aClick(funnel) }, undefined, { Origin: 'https://unlisted.example' }),
	]);
	expect(await rows('SELECT (SELECT max(id) FROM customers) AS c, (SELECT max(id) FROM affiliate_lead_events) AS l')).toEqual(before);
});
