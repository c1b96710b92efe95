import { env, exports } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { openContext } from '../../src/context.ts';
import { unsubscribeTokenOf } from '../../src/notifications/mail-preferences.ts';
import { openSecrets } from '../../src/secrets.ts';
import { callWith } from '../support/bindings.ts';
import { rows } from '../support/funnel.ts';
import { api, type Owner, signUp } from '../support/world.ts';

const context = () => openContext(env, { waitUntil: () => undefined });
const tokenFor = ({ userId }: Owner) => unsubscribeTokenOf(context(), userId);

function open(token: string, init: RequestInit = {}) {
	return exports.default.fetch(`http://service.test/unsubscribe/${token}`, init);
}

/** RFC 8058, as if from another site and without a session. */
const oneClick = (token: string) =>
	open(token, {
		method: 'POST',
		body: 'List-Unsubscribe=One-Click',
		headers: { 'Content-Type': 'application/x-www-form-urlencoded', Origin: 'https://mail.example', 'CF-Connecting-IP': '192.0.2.9' },
	});

async function wants({ token }: Owner): Promise<boolean> {
	return (await api<{ notifications: boolean }>('/api/v1/me/mail-preferences', { token })).body.data.notifications;
}

describe('the unsubscribe link', () => {
	test('changes nothing if a mail program opens it', async () => {
		const person = await signUp();
		const page = await open(await tokenFor(person));
		expect([page.status, page.headers.get('Content-Security-Policy')]).toEqual([200, expect.stringContaining("default-src 'none'")]);
		expect(await page.text()).toContain('<form method="post"><button ');
		expect(await wants(person)).toBe(true);
	});

	test('stops emails with one POST, without a session; it can be repeated and is audited', async () => {
		const person = await signUp();
		const token = await tokenFor(person);
		expect([(await oneClick(token)).status, await wants(person)]).toEqual([200, false]);
		expect((await oneClick(token)).status).toBe(200);
		expect(
			await rows(
				"SELECT user_id, workspace_id, address FROM audit_entries WHERE action = 'mail_preferences.unsubscribe' AND subject_id = ?",
				person.userId,
			),
		).toEqual([{ user_id: null, workspace_id: null, address: '192.0.2.9' }]);
	});

	test('keeps the selected kinds and can be undone', async () => {
		const person = await signUp();
		const path = '/api/v1/me/mail-preferences';
		await api(path, { method: 'PATCH', token: person.token, body: { kinds: { payout_made: false } } });
		await oneClick(await tokenFor(person));
		const { body } = await api(path, { method: 'PATCH', token: person.token, body: { notifications: true } });
		expect(body.data).toMatchObject({ notifications: true, kinds: { payout_made: false, commission_reversed: true } });
	});

	test('works if its secret was replaced later', async () => {
		const person = await signUp();
		const [, earlier = ''] = env.SECRETS.split(',');
		const [proof] = await openSecrets(earlier).unsubscribeProofs(person.userId);
		expect([(await oneClick(`${person.userId}-${proof}`)).status, await wants(person)]).toEqual([200, false]);
	});

	test('belongs to one person and needs its signature', async () => {
		const [person, other] = [await signUp(), await signUp()];
		const [, proof] = (await tokenFor(person)).split('-');
		for (const token of [
			`${other.userId}-${proof}`,
			`${person.userId}-${'0'.repeat(32)}`,
			`${person.userId}-`,
			'1',
			'x',
			`-1-${proof}`,
			`0${person.userId}-${proof}`,
		]) {
			expect((await oneClick(token)).status).toBe(404);
			expect((await open(token)).status).toBe(404);
		}
		expect([await wants(person), await wants(other)]).toEqual([true, true]);
	});

	test('is rate-limited by network', async () => {
		const BROWSER_LIMIT = { limit: () => Promise.resolve({ success: false }) };
		expect((await callWith({ BROWSER_LIMIT }, `/unsubscribe/${await tokenFor(await signUp())}`, { method: 'POST' })).status).toBe(429);
	});
});
