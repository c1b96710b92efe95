import { describe, expect, test } from 'vitest';
import { rows } from '../support/funnel.ts';
import { api, signUp } from '../support/world.ts';

const choose = ({ token }: { readonly token: string }, body: object) =>
	api('/api/v1/me/mail-preferences', { method: 'PATCH', token, body });

describe('preferences', () => {
	test('are all on by default, and a missing field stays as it is', async () => {
		const person = await signUp();
		const { body } = await api<{ kinds: Record<string, boolean> }>('/api/v1/me/mail-preferences', { token: person.token });
		expect(body.data).toMatchObject({ mail_on: false, notifications: true, kinds: { commission_created: true, manual_review: true } });
		await Promise.all([choose(person, { kinds: { payout_made: false } }), choose(person, { kinds: { commission_created: false } })]);
		const { body: chosen } = await choose(person, { kinds: { payout_made: true } });
		expect(chosen.data).toEqual({ ...body.data, kinds: { ...body.data.kinds, commission_created: false } });
		const noted = await rows(
			"SELECT action, detail FROM audit_entries WHERE user_id = ? AND action LIKE 'mail%' ORDER BY id DESC LIMIT 1",
			person.userId,
		);
		expect(noted).toEqual([{ action: 'mail_preferences.change', detail: '{"kinds":{"payout_made":true}}' }]);
	});

	test.each([
		[{}, 'Send notifications or kinds'],
		[{ kinds: { birthdays: true } }, 'Unknown field: birthdays'],
		[{ kinds: { payout_made: 'no' } }, 'kinds.payout_made must be true or false'],
		[{ notifications: null }, 'notifications must be true or false'],
	])('are refused: %j', async (body, error) => {
		expect(await choose(await signUp(), body)).toMatchObject({ status: 400, body: { error } });
	});

	test('need a session', async () => {
		expect((await api('/api/v1/me/mail-preferences')).status).toBe(401);
		expect((await api('/api/v1/me/mail-preferences', { method: 'PATCH', body: { notifications: false } })).status).toBe(401);
	});
});
