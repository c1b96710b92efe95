import { exports } from 'cloudflare:workers';
import { expect, test } from 'vitest';

test('an unknown path answers 404 with an error', async () => {
	const response = await exports.default.fetch('http://service.test/nowhere');
	expect(response.status).toBe(404);
	expect(await response.json()).toEqual({ error: 'No such path: /nowhere' });
});

test('a known path refuses another method with 405, and lists its methods', async () => {
	const response = await exports.default.fetch('http://service.test/api/v1/track/click', { method: 'DELETE' });
	expect(response.status).toBe(405);
	expect(response.headers.get('Allow')).toBe('POST');
	expect(await response.json()).toEqual({ error: 'Method DELETE is not allowed here. Use POST.' });
});

test("readiness belongs to a key: there is none under a program's id", async () => {
	const response = await exports.default.fetch('http://service.test/api/v1/programs/17/readiness');
	expect([response.status, await response.json()]).toEqual([404, { error: 'No such path: /api/v1/programs/17/readiness' }]);
});
