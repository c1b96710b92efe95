import { env } from 'cloudflare:workers';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { callWith, trackWith } from '../support/bindings.ts';
import { countingTrips } from '../../testing/d1/metered.ts';
import { follow } from '../support/follow.ts';
import { interrupted } from '../../testing/d1/failing.ts';
import { aFunnel, type Funnel, rows } from '../support/funnel.ts';
import type { Page } from '../support/outside.ts';
import { aMember, api, type Owner, signUp, unique } from '../support/world.ts';

// Decision 40 on a deployed service with open sign-up, and the outside world that it queries (test/support/outside.ts).

const open = { SIGN_UP: 'open', DOMAIN_VERIFICATION: 'auto' };
const UNPROVED = {
	error:
		'The domain of this program is not verified yet. GET /api/v1/programs/<id>/domain explains how to verify it. Until then its links work on other hosts',
};
const UNKNOWN = { error: 'Referral link not found' };

interface Domain {
	readonly domain: string | null;
	readonly verification_required: boolean;
	readonly verified_at: string | null;
	readonly file: { readonly url: string; readonly content: string } | null;
	readonly dns: { readonly name: string; readonly type: 'TXT'; readonly value: string } | null;
}

let victim: Funnel;
let attacker: Funnel;
let shop: string;
beforeAll(async () => {
	shop = `${unique('victim')}.example`;
	[victim, attacker] = await Promise.all([aFunnel({ domain: `www.${shop}` }), aFunnel({ domain: shop })]);
	for (const { shortLink } of [victim, attacker])
		await env.DB.prepare("UPDATE referral_links SET destination_url = 'https://anywhere.example/' WHERE short_link = ?")
			.bind(shortLink)
			.run();
});

const domainOf = async ({ id, owner }: Pick<Funnel, 'id' | 'owner'>) =>
	(await api<Domain>(`/api/v1/programs/${id}/domain`, { token: owner.token })).body.data;
const verify = ({ id, owner }: Pick<Funnel, 'id' | 'owner'>) =>
	api<Domain>(`/api/v1/programs/${id}/domain/verify`, { method: 'POST', token: owner.token });
const putPage = (url: string, page: Page) => fetch(url, { method: 'PUT', body: JSON.stringify(page) });
const resolver = (name: string) => `https://cloudflare-dns.com/dns-query?name=${name}&type=TXT`;

/** A program with a domain, and the place where its proof belongs. */
async function aShop(): Promise<{
	funnel: Funnel;
	domain: string;
	file: { url: string; content: string };
	dns: { name: string; value: string };
}> {
	const domain = `${unique('shop')}.example`;
	const funnel = await aFunnel({ domain });
	const { file, dns } = await domainOf(funnel);
	if (!file || !dns) throw new Error('The domain could not be proved');
	return { funnel, domain, file, dns };
}

const visit = async (funnel: Funnel, host: string, forwardedHost?: string) => {
	const headers: Record<string, string> = forwardedHost === undefined ? {} : { 'X-Forwarded-Host': forwardedHost };
	const { status, body, cookies, clicks } = await follow(`/r/${funnel.shortLink}`, headers, { host, bindings: open });
	return { status, body: status === 302 ? '' : JSON.parse(body), cookies: cookies.length, clicks: clicks.length };
};
const sentOn = (cookies: number) => ({ status: 302, body: '', cookies, clicks: 1 });
const refused = (body: unknown) => ({ status: 404, body, cookies: 0, clicks: 0 });
const cookieSet = async (funnel: Funnel) => {
	const origin = `https://www.${shop}`;
	const click = { affiliate_url: `${origin}/?aff=${funnel.shortLink}`, cookie_domain: shop };
	const { status, body, headers } = await trackWith(open, 'click', click, { Origin: origin });
	return [status, body['cookie_set'] ?? false, headers.getSetCookie().length];
};

describe('with open sign-up', () => {
	test("a domain serves no redirects and cookies until it is verified, and then only its program's", async () => {
		expect([await visit(victim, 'service.test'), await visit(attacker, 'service.test')]).toEqual([sentOn(0), sentOn(0)]);
		for (const funnel of [attacker, victim]) {
			expect(await visit(funnel, shop)).toEqual(refused(UNPROVED));
			expect(await visit(funnel, `go.${shop}`)).toEqual(refused(UNPROVED));
			expect(await visit(funnel, 'service.test', shop)).toEqual(refused(UNPROVED));
			expect(await cookieSet(funnel)).toEqual([200, false, 0]);
		}
		expect(await visit(await aFunnel({ domain: `${unique('x')}.example` }), 'service.test', shop)).toMatchObject({ status: 404 });

		const { file } = await domainOf(victim);
		await putPage(file?.url ?? '', { body: file?.content ?? '' });
		expect((await verify(victim)).status).toBe(200);
		expect((await verify(attacker)).status).toBe(409);

		expect([await visit(victim, shop), await visit(victim, 'service.test', `www.${shop}`)]).toEqual([sentOn(2), sentOn(2)]);
		expect(await cookieSet(victim)).toEqual([200, true, 2]);
		expect(await visit(attacker, shop)).toEqual(refused(UNPROVED));
		expect(await visit(await aFunnel(), `go.${shop}`)).toMatchObject({ status: 404 });
		expect(await cookieSet(attacker)).toEqual([200, false, 0]);
		expect([await visit(victim, 'service.test'), await visit(attacker, 'service.test')]).toEqual([sentOn(0), sentOn(0)]);
	});

	test('a foreign host takes one trip with its link, and none while both are cached', async () => {
		const { shortLink } = await aFunnel({ domain: `${unique('t')}.example` });
		await env.DB.prepare("UPDATE referral_links SET destination_url = 'https://anywhere.example/' WHERE short_link = ?")
			.bind(shortLink)
			.run();
		const host = `${unique('host')}.example`;
		for (const trips of [1, 0, 0]) {
			const DB = countingTrips(env.DB);
			expect([(await follow(`/r/${shortLink}`, {}, { host, bindings: { ...open, DB } })).status, DB.trips()]).toEqual([302, trips]);
		}
	});
});

describe('with sign-up by invitation, or locally', () => {
	test.each([
		{ SIGN_UP: 'invite', DOMAIN_VERIFICATION: 'auto' },
		{ SIGN_UP: 'open', DOMAIN_VERIFICATION: 'off' },
	])("a domain needs no verification, and still serves only its own program's links: %j", async (bindings) => {
		const domain = `${unique('own')}.example`;
		const [own, other] = await Promise.all([aFunnel({ domain }), aFunnel({ domain: `${unique('other')}.example` })]);
		const at = async (funnel: Funnel, host: string) => (await follow(`/r/${funnel.shortLink}`, {}, { host, bindings })).status;
		expect([await at(own, domain), await at(other, domain), await at(other, 'service.test')]).toEqual([302, 404, 302]);
		const elsewhere = await follow(`/r/${other.shortLink}`, { 'X-Forwarded-Host': `www.${domain}` }, { bindings });
		expect([elsewhere.status, JSON.parse(elsewhere.body), elsewhere.clicks]).toEqual([404, UNKNOWN, []]);
	});

	test('a domain needs verification if the operator requires it', async () => {
		const domain = `${unique('own')}.example`;
		const { shortLink } = await aFunnel({ domain });
		const bindings = { SIGN_UP: 'invite', DOMAIN_VERIFICATION: 'on' };
		expect((await follow(`/r/${shortLink}`, {}, { host: domain, bindings })).status).toBe(404);
	});
});

afterEach(() => vi.restoreAllMocks());

describe('a domain is verified', () => {
	test('by a line of its file', async () => {
		const { funnel, domain, file } = await aShop();
		expect(file.url).toBe(`https://${domain}/.well-known/affiliate-tracker.txt`);
		await putPage(file.url, { body: `# for the affiliate program\r\n${file.content}\r\n` });
		const { status, body } = await verify(funnel);
		expect([status, body.data]).toEqual([200, { ...(await domainOf(funnel)), verified_at: expect.stringMatching(/Z$/) }]);
		expect((await api(`/api/v1/programs/${funnel.id}`, { token: funnel.owner.token })).body.data).toMatchObject({
			domain_verified_at: body.data.verified_at,
		});
	});

	test('by a TXT record, queried over HTTPS', async () => {
		const { funnel, dns } = await aShop();
		await putPage(resolver(dns.name), {
			body: JSON.stringify({ Status: 0, Answer: [{ name: dns.name, type: 16, data: `"${dns.value}"` }] }),
		});
		expect((await verify(funnel)).status).toBe(200);
	});

	test('by the file on www. if the domain redirects to it', async () => {
		const { funnel, domain, file } = await aShop();
		const www = file.url.replace(domain, `www.${domain}`);
		await putPage(www, { body: file.content });
		expect((await verify(funnel)).status).toBe(409);
		await putPage(file.url, { status: 301, headers: { Location: www } });
		expect((await verify(funnel)).status).toBe(200);
	});

	test.each<[what: string, page: (content: string, domain: string) => Page]>([
		['nothing', () => ({ status: 404 })],
		['the line with a status of its own', (body) => ({ status: 403, body })],
		['the line inside of another', (content) => ({ body: `x${content}` })],
		['the proof of another program', (content) => ({ body: content.replace(/.$/, (digit) => (digit === '0' ? '1' : '0')) })],
		['more than anybody needs', (content) => ({ body: `${'x\n'.repeat(20_000)}${content}` })],
		[
			'a redirect to another host',
			() => ({ status: 302, headers: { Location: 'https://elsewhere.example/.well-known/affiliate-tracker.txt' } }),
		],
		['a redirect into a private network', () => ({ status: 302, headers: { Location: 'http://169.254.169.254/latest/meta-data/' } })],
		[
			'a redirect in a circle',
			(_content, domain) => ({ status: 302, headers: { Location: `https://${domain}/.well-known/affiliate-tracker.txt` } }),
		],
		['nothing in time', (body) => ({ body, delayMs: 2_000 })],
	])('by nothing else: %s', async (what, page) => {
		// The real limit is five seconds, too long for a test.
		if (what === 'nothing in time') vi.spyOn(AbortSignal, 'timeout').mockReturnValue(AbortSignal.timeout(500));
		const { funnel, domain, file, dns } = await aShop();
		await putPage('https://elsewhere.example/.well-known/affiliate-tracker.txt', { body: file.content });
		await putPage('http://169.254.169.254/latest/meta-data/', { body: file.content });
		await putPage(file.url, page(file.content, domain));
		const { status, body } = await verify(funnel);
		const error = `Neither ${file.url} nor a TXT record of ${dns.name} contains the line ${file.content}. DNS changes can take a while`;
		expect([status, body]).toEqual([409, { error }]);
		const asked: string[] = await (await fetch('https://outside.example/', { method: 'REPORT' })).json();
		expect(asked.filter((url) => url.includes('169.254') || url.includes('elsewhere'))).toEqual([]);
		expect(asked.filter((url) => url === file.url).length).toBeLessThanOrEqual(3);
		expect(await domainOf(funnel)).toMatchObject({ verified_at: null });
	});

	test.each(['127.0.0.1', 'localhost', 'db.internal', 'metadata'])('never if it is not public: %s', async (domain) => {
		const funnel = await aFunnel({ domain });
		const { status, body } = await verify(funnel);
		expect([status, body]).toEqual([409, { error: 'The domain is not public, so it cannot be verified' }]);
		expect(await domainOf(funnel)).toMatchObject({ domain, file: null, dns: null });
	});

	test('again after it changes', async () => {
		const { funnel, domain, file } = await aShop();
		await putPage(file.url, { body: file.content });
		await verify(funnel);
		const change = (body: object) => api(`/api/v1/programs/${funnel.id}`, { method: 'PATCH', token: funnel.owner.token, body });
		await change({ name: 'Another name', domain });
		expect((await domainOf(funnel)).verified_at).not.toBeNull();
		await change({ domain: `${unique('moved')}.example` });
		expect((await domainOf(funnel)).verified_at).toBeNull();
		await change({ domain });
		expect((await domainOf(funnel)).verified_at).toBeNull();
		await change({ domain: null });
		const { status, body } = await verify(funnel);
		expect([status, body]).toEqual([409, { error: 'The program has no domain: set one with PATCH /api/v1/programs/<id>' }]);
	});

	test("not with the previous domain's proof if it changes during the check", async () => {
		const { funnel, file } = await aShop();
		await putPage(file.url, { body: file.content });
		const moved = `${unique('moved')}.example`;
		const DB = interrupted(env.DB, () =>
			api(`/api/v1/programs/${funnel.id}`, { method: 'PATCH', token: funnel.owner.token, body: { domain: moved } }),
		);
		const answer = await callWith({ DB }, `/api/v1/programs/${funnel.id}/domain/verify`, { token: funnel.owner.token, body: {} });
		expect([answer.status, answer.body]).toEqual([409, { error: 'The domain has changed: verify the new one' }]);
		expect(await domainOf(funnel)).toMatchObject({ domain: moved, verified_at: null });
	});

	test('by owners and admins, and success and failure are audited', async () => {
		const { funnel, domain, file } = await aShop();
		const as = (person: Owner) => verify({ ...funnel, owner: person });
		expect((await as(await signUp())).status).toBe(403);
		expect((await as(await aMember(funnel.owner, 'member'))).status).toBe(403);
		await verify(funnel);
		await putPage(file.url, { body: file.content });
		expect((await as(await aMember(funnel.owner, 'admin'))).status).toBe(200);
		const entries = await rows(
			"SELECT action, detail FROM audit_entries WHERE program_id = ? AND action LIKE 'domain.%' ORDER BY id",
			funnel.id,
		);
		const detail = JSON.stringify({ domain });
		expect(entries).toEqual([
			{ action: 'domain.refuse', detail },
			{ action: 'domain.verify', detail },
		]);
	});

	test.each(['SIGN_IN_LIMIT', 'ACCOUNT_LIMIT'])('a few times a minute, and the limit applies before any request: %s', async (name) => {
		const { funnel, file } = await aShop();
		const bindings = { [name]: { limit: ({ key }: RateLimitOptions) => Promise.resolve({ success: !key.startsWith('domain ') }) } };
		const { status } = await callWith(bindings, `/api/v1/programs/${funnel.id}/domain/verify`, { token: funnel.owner.token, body: {} });
		const asked: string[] = await (await fetch('https://outside.example/', { method: 'REPORT' })).json();
		expect([status, asked.includes(file.url)]).toEqual([429, false]);
	});
});
