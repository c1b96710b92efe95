import { exports } from 'cloudflare:workers';
import { beforeAll, describe, expect, test } from 'vitest';
import { anOpenShop, changeForm, type OpenShop } from '../support/applications.ts';
import { api, type Owner, signUp } from '../support/world.ts';

const ORIGIN = 'https://tracker.example';

function get(path: string, init: RequestInit = {}): Promise<Response> {
	return exports.default.fetch(new Request(`${ORIGIN}${path}`, init));
}

let owner: Owner;
let shop: OpenShop;
beforeAll(async () => {
	owner = await signUp();
	shop = await anOpenShop(owner, { description: 'Beans & <b>more</b>', terms: 'Be honest.\n\nBe "kind".' });
});

describe('the public page of a program', () => {
	test("answers an applicant's first questions without a script", async () => {
		await api(shop.path, { method: 'PATCH', token: owner.token, body: { payout_minimum_cents: 5_000 } });
		const answer = await get(`/p/${shop.slug}`);
		expect([answer.status, answer.headers.get('Content-Type')]).toEqual([200, expect.stringContaining('text/html')]);
		const html = await answer.text();
		for (const said of ['100% of every sale', 'A sale of $100 earns you $100', 'within 60 days', 'A payout is $50 or more', 'Be honest.'])
			expect(html).toContain(said);
		expect(html).toContain('name="terms" value="1"');
	});

	test('has a title and a description for link previews', async () => {
		const html = await (await get(`/p/${shop.slug}?utm_source=chat`)).text();
		expect(html).toMatch(/<title>[^<]+: partner program<\/title>/);
		expect(html).toMatch(/<meta property="og:title" content="[^"]+: partner program"/);
		expect(html).toMatch(
			/<meta property="og:description" content="Recommend [^"]+ and earn 100% of every sale\. Beans &amp; &lt;b&gt;more&lt;\/b&gt;"/,
		);
		expect(html).toContain(`<link rel="canonical" href="${ORIGIN}/p/${shop.slug}"`);
	});

	test("shows the owner's texts as plain text", async () => {
		const html = await (await get(`/p/${shop.slug}`)).text();
		expect(html).toContain('Beans &amp; &lt;b&gt;more&lt;/b&gt;');
		expect(html).not.toContain('<b>more');
		const { headers } = await get(`/p/${shop.slug}`);
		expect(headers.get('Content-Security-Policy')).toMatch(
			/^default-src 'none'; style-src 'self'; script-src 'self'; .*frame-ancestors 'none'$/,
		);
		expect(html).not.toMatch(/<script(?![^>]*\ssrc=)|<style|\sstyle=|\son\w+=/);
	});

	test('is found at other spellings of its address', async () => {
		const page = await (await get(`/p/${shop.slug}`)).text();
		for (const written of [shop.slug.toUpperCase(), `${shop.slug}/`]) {
			const answer = await get(`/p/${written}`);
			expect([written, answer.status, await answer.text()]).toEqual([written, 200, page]);
		}
	});

	test('loads existing files, which are revalidated each time', async () => {
		const html = await (await get(`/p/${shop.slug}`)).text();
		const files = [...html.matchAll(/(?:href|src)="(\/pages\/[^"]*)"/g)].map(([, address]) => address ?? '');
		expect(files).toEqual(['/pages/program/page.css', '/pages/program/page.js']);
		for (const file of files) {
			const { status, headers } = await get(file);
			expect([file, status, headers.get('Cache-Control')]).toEqual([file, 200, 'no-cache']);
		}
	});

	test('is the same "no such page" if it is closed, unknown, or the program is inactive', async () => {
		const [closed, resting] = [await anOpenShop(owner), await anOpenShop(owner)];
		await changeForm(closed, { applications: 'closed' });
		await api(resting.path, { method: 'PATCH', token: owner.token, body: { active: false } });
		const answers = [];
		for (const slug of [closed.slug, resting.slug, 'nobody-has-this', 'NOT%20A%20SLUG', '%E0%A4%A']) {
			const answer = await get(`/p/${slug}`);
			expect([answer.status, answer.headers.get('Content-Type')]).toEqual([404, expect.stringContaining('text/html')]);
			answers.push(await answer.text());
		}
		expect(new Set(answers).size).toBe(1);
		expect(answers[0]).toContain('Page not found');
	});

	test('sees only from the cookie whether somebody is signed in, and can only be read', async () => {
		expect(await (await get(`/p/${shop.slug}`)).text()).not.toContain('data-signed-in');
		const signedIn = await get(`/p/${shop.slug}`, { headers: { Cookie: '__Host-tracker_session=ses_1' } });
		expect(await signedIn.text()).toContain(' data-signed-in');
		expect((await get(`/p/${shop.slug}`, { method: 'POST' })).status).toBe(405);
	});
});
