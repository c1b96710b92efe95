import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { limitOf } from '../../testing/limits.ts';
import { app } from '../../src/http/app.ts';
import { unique } from '../support/world.ts';

test.each(['/auth/sign-up', '/auth/sign-in', '/auth/password', '/programs/1/api-token/reveal', '/invitations/x', '/invitations/x/accept'])(
	'guessing at %s is limited per address, before any work is done',
	async (path) => {
		const [guesser, other] = [unique('address'), unique('address')];
		const statuses: number[] = [];
		// Two windows allow six attempts, so seven exceed the limit even across the edge of a window.
		for (let count = 0; count < 7; count += 1) statuses.push((await guess(path, guesser)).status);
		expect(statuses).toContain(429);
		const limited = await guess(path, guesser);
		if (limited.status === 429) {
			expect(limited.headers.get('Retry-After')).toBe('60');
			expect(await limited.json()).toEqual({ error: 'Too many requests. Wait 60 seconds and try again.' });
		}
		expect((await guess(path, other)).status).not.toBe(429);
	},
);

const SIGN_IN_LIMIT = limitOf(3);

/** The body and session may be invalid, because every attempt counts. */
async function guess(path: string, address: string): Promise<Response> {
	const isRead = path === '/invitations/x';
	const request = new Request(`http://service.test/api/v1${path}`, {
		...(isRead ? {} : { method: 'POST', body: '{}' }),
		headers: { 'CF-Connecting-IP': address },
	});
	return app.fetch(request, { ...env, SIGN_IN_LIMIT }, { waitUntil: () => undefined, passThroughOnException: () => undefined, props: {} });
}
