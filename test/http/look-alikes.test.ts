import { beforeAll, describe, expect, test } from 'vitest';
import { trackWith } from '../support/bindings.ts';
import { aCoupon } from '../support/coupons.ts';
import { follow } from '../support/follow.ts';
import { aFunnel, type Funnel } from '../support/funnel.ts';
import { api, signUpByRoute, unique } from '../support/world.ts';

// Texts that look alike or spell the same thing differently are either treated as equal or refused.

let funnel: Funnel;
beforeAll(async () => {
	funnel = await aFunnel();
});

describe('an email address', () => {
	test('belongs to one person in any spelling', async () => {
		const { email, password } = await signUpByRoute();
		const wide = email.replace('people.example', 'ｐｅｏｐｌｅ．example.').toUpperCase();
		expect((await api('/api/v1/auth/sign-in', { body: { email: wide, password } })).status).toBe(200);
		const again = await api('/api/v1/auth/sign-up', { body: { email: wide, password, name: 'Second' } });
		expect([again.status, again.body]).toEqual([409, { error: 'email is taken: sign in instead' }]);
	});

	test.each(['\u200B', '\u00AD', '<', '"', '\u202E'])('is refused with %j in it', async (character) => {
		const email = `gra${character}ce-${unique('x')}@people.example`;
		const answer = await api('/api/v1/auth/sign-up', { body: { email, password: 'four plain words here', name: 'Grace' } });
		expect([answer.status, answer.body]).toEqual([400, { error: 'email must be an email address' }]);
	});

	test('belongs to one person, even if two sign up at once with different spellings', async () => {
		const [name, password] = [unique('race'), 'four plain words here'];
		const emails = [`${name}@people.example`, `${name}@ｐｅｏｐｌｅ.example`, `${name}@people.example.`];
		const answers = await Promise.all(emails.map((email) => api('/api/v1/auth/sign-up', { body: { email, password, name: 'Race' } })));
		expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409, 409]);
	});
});

const make = (code: string) =>
	api(`/api/v1/programs/${funnel.id}/coupons`, { token: funnel.owner.token, body: { partner_id: funnel.partnerId, code } });

describe('the code of a coupon', () => {
	test('is one in any spelling, even if two are created at once', async () => {
		const word = unique('save').replaceAll('-', '');
		const wide = Array.from(word.toUpperCase(), (sign) => String.fromCodePoint((sign.codePointAt(0) ?? 0) + 0xfee0)).join('');
		const answers = await Promise.all([make(word), make(wide), make(`${word.slice(0, 2)}\u200B${word.slice(2)}`)]);
		expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409, 409]);
	});

	test('earns even with invisible characters that a customer has copied', async () => {
		const coupon = await aCoupon(funnel);
		const sent = {
			transaction_id: unique('order'),
			amount_cents: 1_000,
			customer_key: unique('buyer'),
			coupon_code: `\u2060${coupon.code}\u200B `,
		};
		const { status, body } = await trackWith({}, 'sale', sent, { Authorization: `Bearer ${funnel.apiToken}` });
		expect([status, body['commission_id'] === null]).toEqual([200, false]);
	});
});

describe('a host with a trailing dot', () => {
	test('belongs to the program too: links of others do not work there', async () => {
		const domain = `${unique('own')}.example`;
		const [own, other] = [await aFunnel({ domain }), await aFunnel({ domain: `${unique('other')}.example` })];
		const bindings = { SIGN_UP: 'invite', DOMAIN_VERIFICATION: 'auto' } as const;
		const at = async ({ shortLink }: Funnel, host: string, headers = {}) =>
			(await follow(`/r/${shortLink}`, headers, { host, bindings })).status;
		expect([await at(own, `${domain}.`), await at(other, `${domain}.`)]).toEqual([302, 404]);
		expect(await at(other, 'service.test', { 'X-Forwarded-Host': `www.${domain}.` })).toBe(404);
	});

	test('is stored without the dot', async () => {
		const domain = `${unique('dot')}.example`;
		const { status, body } = await api<{ domain: string }>(`/api/v1/programs/${funnel.id}`, {
			method: 'PATCH',
			token: funnel.owner.token,
			body: { domain: `${domain}.` },
		});
		expect([status, body.data.domain]).toEqual([200, domain]);
	});

	test('has pages of the same origins', async () => {
		const shop = await aFunnel({ allowed_origins: ['https://shop.example'] });
		const click = { affiliate_url: `https://shop.example/?aff=${shop.shortLink}` };
		for (const [origin, status] of [
			['https://shop.example.', 200],
			['https://shop.example..', 403],
		] as const)
			expect((await trackWith({}, 'click', click, { Origin: origin })).status).toBe(status);
	});
});

test.each([
	['sale', { transaction_id: 'x', amount_cents: 1, customer_key: 'x' }],
	['lead', { customer_key: 'x' }],
	['refund', { transaction_id: 'x' }],
])('a session token in place of the program key gets an error that says so: %s', async (route, sent) => {
	const { status, body } = await trackWith({}, route, sent, { Authorization: `Bearer ses_${'0'.repeat(40)}` });
	expect([status, body]).toEqual([
		401,
		{
			error:
				'Invalid API key: this is the token of a session, for people. Send the program key, which the settings of the program show to owners and admins',
		},
	]);
});
