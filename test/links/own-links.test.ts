import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, test } from 'vitest';
import { openContext } from '../../src/context.ts';
import { addOwnLink } from '../../src/links/add-own-link.ts';
import { findPartnerMembership } from '../../src/accounts/partner-membership.ts';
import { sha256Hex } from '../../src/secrets.ts';
import { interrupted } from '../../testing/d1/failing.ts';
import { rows } from '../support/funnel.ts';
import { aShop, type Shop, statusesOf, type TestPartner } from '../support/ledger.ts';
import { aSignedInPartner, type SignedInPartner } from '../support/portal.ts';
import { api, type Owner, signUp } from '../support/world.ts';

let owner: Owner;
let shop: Shop;
let partner: SignedInPartner;
beforeAll(async () => {
	owner = await signUp();
	shop = await aShop(owner);
	await api(shop.path, { method: 'PATCH', token: owner.token, body: { domain: 'shop.example' } });
	partner = await aSignedInPartner(shop);
});

type OwnLink = TestPartner['links'][number] & { readonly url: string; readonly page_url: string };
const PAGE = 'https://shop.example/prices?plan=pro';

function add(by: SignedInPartner, body: unknown = { destination_url: PAGE }) {
	return api<OwnLink>(`${by.own}/links`, { token: by.token, body });
}

function change(by: SignedInPartner, linkId: number | undefined, body: unknown) {
	return api<OwnLink>(`${by.own}/links/${linkId}`, { method: 'PATCH', token: by.token, body });
}

function archive(by: SignedInPartner, linkId: number | undefined) {
	return api<OwnLink>(`${by.own}/links/${linkId}`, { method: 'DELETE', token: by.token });
}

test('a deep link leads to its page, counts clicks, and is listed', async () => {
	const { status, body } = await add(partner);
	expect(status).toBe(201);
	const { id, short_link: shortLink } = body.data;
	expect(body.data).toMatchObject({
		destination_url: PAGE,
		archived: false,
		url: `http://service.test/r/${shortLink}`,
		page_url: `https://shop.example/prices?plan=pro&aff=${shortLink}`,
	});
	const clicked = await api('/api/v1/track/click', { body: { affiliate_url: body.data.page_url } });
	expect(clicked.status).toBe(200);
	const first = await api<OwnLink[]>(`${partner.own}/links?limit=1`, { token: partner.token });
	expect(first.body.data.map((link) => link.id)).toEqual([id]);
	const rest = await api<OwnLink[]>(`${partner.own}/links?cursor=${first.body.meta.next_cursor}`, { token: partner.token });
	expect(rest.body.data.map((link) => link.id)).toEqual([partner.links[0]?.id]);
	const [entry] = await rows<{ user_id: number; detail: string }>(
		"SELECT * FROM audit_entries WHERE action = 'link.add' AND subject_id = ?",
		id,
	);
	expect([entry?.user_id, JSON.parse(entry?.detail ?? '')]).toEqual([
		partner.person.userId,
		{ partner_id: partner.id, short_link: shortLink, destination_url: PAGE },
	]);
});

describe("a link leads only to the program's own domain", () => {
	test.each([
		'https://elsewhere.example/',
		'https://shop.example@elsewhere.example/',
		'https://me:secret@shop.example/',
		'https://notshop.example',
	])('not to %s', async (destination) => {
		const refused = { status: 400, body: { error: 'destination_url must be a page on shop.example' } };
		expect(await add(partner, { destination_url: destination })).toMatchObject(refused);
		expect(await change(partner, partner.links[0]?.id, { destination_url: destination })).toMatchObject(refused);
	});

	test('and nowhere if the program has no domain', async () => {
		const stranded = await aSignedInPartner(await aShop(owner));
		expect(await add(stranded)).toMatchObject({
			status: 409,
			body: { error: 'The program has no domain yet. Ask the program to set one' },
		});
	});

	test.each([{}, { destination_url: null }, { destination_url: 'javascript:alert(1)' }, { destination_url: PAGE, short_link: 'mine' }])(
		'%j is refused',
		async (body) => {
			expect((await add(partner, body)).status).toBe(400);
		},
	);
});

test('a partner changes the destination of a link, and resets it to the front page', async () => {
	const { body } = await add(partner);
	const there = await change(partner, body.data.id, { destination_url: 'https://www.shop.example/summer' });
	expect(there).toMatchObject({ status: 200, body: { data: { destination_url: 'https://www.shop.example/summer' } } });
	const back = await change(partner, body.data.id, { destination_url: null });
	expect(back.body.data).toMatchObject({ destination_url: null, page_url: `https://shop.example/?aff=${body.data.short_link}` });
});

test('only the program can restore a link that its partner has archived', async () => {
	const { body } = await add(partner);
	expect(await archive(partner, body.data.id)).toMatchObject({ status: 200, body: { data: { archived: true } } });
	expect(await archive(partner, body.data.id)).toMatchObject({ status: 200 });
	expect(await change(partner, body.data.id, { destination_url: PAGE })).toMatchObject({ status: 409 });
	expect(await change(partner, body.data.id, { archived: false })).toMatchObject({ status: 400 });
	const entries = await rows("SELECT id FROM audit_entries WHERE action = 'link.change' AND subject_id = ?", body.data.id);
	expect(entries).toHaveLength(1);
});

test('links of other partners are not found', async () => {
	const other = await aSignedInPartner(shop);
	const [link] = other.links;
	const before = await rows('SELECT * FROM referral_links WHERE id = ?', link?.id);
	for (const answer of [await change(partner, link?.id, { destination_url: PAGE }), await archive(partner, link?.id)]) {
		expect(answer).toMatchObject({ status: 404, body: { error: 'Link not found' } });
	}
	expect(await rows('SELECT * FROM referral_links WHERE id = ?', link?.id)).toEqual(before);
});

test('a partner has at most a hundred links, even with concurrent requests', async () => {
	const many = await aSignedInPartner(shop);
	await env.DB.prepare(
		`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 97)
		INSERT INTO referral_links (program_id, partner_program_id, short_link, created_at) SELECT ?1, ?2, ?3 || '-' || i, 1 FROM n`,
	)
		.bind(shop.id, many.partner_program_id, `m${many.id}`)
		.run();
	const answers = await Promise.all([1, 2, 3, 4, 5].map(() => add(many)));
	expect(statusesOf(answers)).toEqual([201, 201, 409, 409, 409]);
	expect(answers.find(({ status }) => status === 409)?.body.error).toBe(
		'You have 100 links, including archived ones, which is the maximum',
	);
});

test('a partner who is suspended during the request creates no link', async () => {
	const unlucky = await aSignedInPartner(shop);
	const suspend = () => api(`${shop.path}/partners/${unlucky.id}`, { method: 'PATCH', token: owner.token, body: { status: 'suspended' } });
	const ctx = openContext({ ...env, DB: interrupted(env.DB, suspend) }, { waitUntil: () => undefined });
	const membership = await findPartnerMembership(ctx, await sha256Hex(unlucky.token), null, unlucky.partner_program_id);
	if (!membership) throw new Error('There is no membership');
	await expect(addOwnLink(ctx, membership, PAGE)).rejects.toThrow('Your membership has changed: reload and try again');
	expect(await rows('SELECT id FROM referral_links WHERE partner_program_id = ?', unlucky.partner_program_id)).toHaveLength(1);
});
