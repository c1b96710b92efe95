import { beforeAll, describe, expect, test } from 'vitest';
import { aFunnel, type Funnel, track } from '../support/funnel.ts';
import { unique } from '../support/world.ts';

// The click response itself sets the cookies if the page requests it and shares a domain with the service.

const domain = `${unique('shop')}.example`;
const shop = `https://www.${domain}`;

let funnel: Funnel;
beforeAll(async () => {
	funnel = await aFunnel({ allowed_origins: [shop, `http://${domain}`, 'https://elsewhere.example'], cookie_window_days: 30 });
});

const click = (fields: object, origin: string | null = shop) =>
	track('click', { affiliate_url: `${shop}/?aff=${funnel.shortLink}`, ...fields }, undefined, origin === null ? {} : { Origin: origin });
const credentials = ({ headers }: { headers: Headers }) => headers.get('Access-Control-Allow-Credentials');

describe('a page that requests cookies', () => {
	test.each([
		[`www.${domain}`, shop, '; Secure'],
		[domain, shop, '; Secure'],
		[domain, `http://${domain}`, ''],
	])('of %s, from %s, gets them', async (cookie_domain, origin, secure) => {
		const answer = await click({ cookie_domain }, origin);
		const attributes = `Path=/; Domain=${cookie_domain}; Max-Age=2592000; SameSite=Lax${secure}`;
		expect(answer.headers.getSetCookie()).toEqual([
			`tracker_click_id=${String(answer.body['click_id'])}; ${attributes}`,
			`tracker_aff=${funnel.shortLink}; ${attributes}`,
		]);
		expect([answer.body['cookie_set'], credentials(answer), answer.headers.get('Access-Control-Allow-Origin')]).toEqual([
			true,
			'true',
			origin,
		]);
	});

	test('gets them for an existing click too', async () => {
		const existing_click_id = (await click({})).body['click_id'];
		const answer = await click({ existing_click_id, cookie_domain: domain });
		expect(answer.headers.getSetCookie()[0]).toContain(`tracker_click_id=${String(existing_click_id)};`);
	});

	test.each([
		['outside its own', 'elsewhere.example', shop],
		['with the same ending', domain.slice(1), shop],
		['below its own', `a.www.${domain}`, shop],
		['with attributes', `${domain}; HttpOnly`, shop],
		['with a line break', `${domain}\r\nSet-Cookie: x=y`, shop],
		['with a leading dot', `.${domain}`, shop],
		['that is not a text', 7, shop],
		['without a page as the caller', domain, null],
	])('does not get them for a domain %s', async (_what, cookie_domain, origin) => {
		const answer = await click({ cookie_domain }, origin);
		expect([answer.status, answer.headers.getSetCookie(), credentials(answer)]).toEqual([200, [], null]);
		expect(answer.body).not.toHaveProperty('cookie_set');
	});

	test('that is not listed gets nothing, and cannot read the reason', async () => {
		const answer = await click({ cookie_domain: 'evil.example' }, 'https://evil.example');
		expect([answer.status, answer.headers.getSetCookie(), answer.headers.get('Access-Control-Allow-Origin')]).toEqual([403, [], null]);
	});

	test('can read the error although its request has credentials', async () => {
		const answer = await click({ cookie_domain: domain, affiliate_url: `${shop}/?aff=nobody-has-this` });
		expect([answer.status, answer.headers.getSetCookie(), credentials(answer)]).toEqual([400, [], 'true']);
	});
});

test('that does not request them gets none, and cannot send credentials', async () => {
	const answer = await click({});
	expect([answer.headers.getSetCookie(), credentials(answer)]).toEqual([[], null]);
	expect(answer.body).toEqual({ success: true, click_id: expect.any(String), cookie_window_days: 30, partner_code: expect.any(String) });
});
