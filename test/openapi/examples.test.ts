import { applyD1Migrations } from 'cloudflare:test';
import { env, exports } from 'cloudflare:workers';
import { beforeAll, expect, test } from 'vitest';
import document from '../../public/api/openapi.json?raw';
import { sendExamples, type Sent, statusOf } from '../../testing/openapi/send-examples.ts';
import { openService } from '../../testing/service/service.ts';
import { prepareWorld } from '../../testing/openapi/world.ts';
import { OPERATIONS } from '../../src/openapi/operations.ts';
import { conformance } from '../support/conformance.ts';

// Sends every example of the document to the Worker, with the data it describes, and checks the documented response.

const EXAMPLES = OPERATIONS.flatMap(({ id, examples }) => examples.map((example) => [id, example.name] as const));
const sent = new Map<string, Sent>();

beforeAll(async () => {
	await applyD1Migrations(env.EXAMPLES_DB, env.MIGRATIONS);
	const world = await prepareWorld(openService({ ...env, DB: env.EXAMPLES_DB }));
	for await (const one of sendExamples(world)) sent.set(`${one.operationId} ${one.example.name}`, one);
});

test.each(EXAMPLES)('%s: %s', (id, name) => {
	const one = sent.get(`${id} ${name}`);
	if (!one) throw new Error('It was not sent');
	expect(one.status, one.text).toBe(statusOf(one));
	const { path, method } = one.operation;
	const answer = { method, path, status: one.status, headers: one.response.headers, text: one.text };
	expect(conformance.complaintsAbout(answer)).toEqual([]);
	if (one.status >= 300 || one.sent === undefined) return;
	const operation = conformance.operationOf(method, path);
	expect(operation && conformance.requestComplaints(operation, one.sent)).toEqual([]);
});

test.each(['click', 'lead', 'sale', 'refund'])('a %s documents test_mode null as the service accepts it', (route) => {
	const operation = conformance.operationOf('POST', `/api/v1/track/${route}`);
	const body = {
		affiliate_url: 'https://shop.example/?aff=pat',
		transaction_id: 'order-1',
		amount_cents: 100,
		customer_key: 'user-1',
		additional_data: { test_mode: null },
	};
	expect(operation && conformance.requestComplaints(operation, body)).toEqual([]);
});

test('the served document equals the committed one, for pages of any origin', async () => {
	const response = await exports.default.fetch('http://service.test/api/openapi.json');
	expect(response.status).toBe(200);
	expect(response.headers.get('Access-Control-Allow-Origin')).toBe('*');
	const text = await response.text();
	expect(text).toBe(document);
	const answer = { method: 'GET', path: '/api/openapi.json', status: 200, headers: response.headers, text };
	expect(conformance.complaintsAbout(answer)).toEqual([]);
});

test.each(['POST', 'PUT', 'DELETE'])('%s /api/openapi.json is refused with the usual error shape', async (method) => {
	const response = await exports.default.fetch('http://service.test/api/openapi.json', { method });
	expect(response.status).toBe(405);
	expect(await response.json()).toEqual({ error: `Method ${method} is not allowed here. Use GET.` });
});
