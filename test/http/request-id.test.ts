import { beforeAll, expect, test, vi } from 'vitest';
import { callWith, trackWith } from '../support/bindings.ts';
import { aFunnel, type Funnel } from '../support/funnel.ts';

// The id of a request in its response and in the log. test/project/log-lines.test.ts checks that every log line has it.

let funnel: Funnel;
beforeAll(async () => {
	funnel = await aFunnel();
});

const OURS = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;
const idWith = async (headers: Record<string, string>) => (await callWith({}, '/nowhere', { headers })).headers.get('X-Request-Id');

test.each(['230b030023ae2822-SJC', '8f2a4c1d9e0b7a63'])("Cloudflare's own id, %s, is used", async (ray) => {
	expect(await idWith({ 'CF-Ray': ray })).toBe(ray);
});

test.each([
	['CF-Ray', '230b030023ae2822-SJC", "level": "info'],
	['CF-Ray', `${'a'.repeat(1_000)}-SJC`],
	['CF-Ray', 'grace@people.example'],
	['X-Request-Id', '230b030023ae2822-SJC'],
])('an id invented by the caller is not: %s: %s', async (name, value) => {
	expect(await idWith({ [name]: value })).toMatch(OURS);
});

test('each request has a new one', async () => {
	expect(await idWith({})).not.toBe(await idWith({}));
});

test('it is in the line of an event, a refusal and a fault', async () => {
	const written: string[] = [];
	for (const level of ['info', 'warn', 'error'] as const) vi.spyOn(console, level).mockImplementation((line) => written.push(String(line)));
	const headers = (ray: string) => ({ Authorization: `Bearer ${funnel.apiToken}`, 'CF-Ray': ray });
	const page = { affiliate_url: `https://shop.example/?aff=${funnel.shortLink}` };
	await trackWith({ LOG_EVENTS: 'on' }, 'click', page, { 'CF-Ray': '0000000000000001' });
	await trackWith({}, 'click', page, { Origin: 'https://elsewhere.example', 'CF-Ray': '0000000000000002' });
	await trackWith({ SECRETS: 'short' }, 'sale', {}, headers('0000000000000003'));
	vi.restoreAllMocks();
	const told = written.map((line): { event: string; requestId: string } => JSON.parse(line));
	expect(told.map(({ event, requestId }) => [event, requestId])).toEqual([
		['tracked', '0000000000000001'],
		['refused', '0000000000000002'],
		['request_failed', '0000000000000003'],
	]);
});
