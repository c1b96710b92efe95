import { env } from 'cloudflare:workers';
import { beforeAll, expect, test } from 'vitest';
import { tick } from '../support/deliver.ts';
import { aPartner, aShop, type Shop, type TestPartner } from '../support/ledger.ts';
import { api, signUp, unique } from '../support/world.ts';

// Searching links and coupons works as for partners: see find-partners.test.ts.

let shop: Shop;
let partner: TestPartner;
let other: TestPartner;
let tag: string;
beforeAll(async () => {
	shop = await aShop(await signUp());
	tag = unique('x');
	partner = await aPartner(shop, { short_link: `first-${tag}` });
	other = await aPartner(shop, { short_link: `Blog-${tag}` });
	await api(`${shop.path}/links`, { token: shop.owner.token, body: { partner_id: partner.id, short_link: `myblog-${tag}` } });
	for (const code of ['SPRING15', 'OFFSPRING', 'ÉTÉ20'])
		await api(`${shop.path}/coupons`, { token: shop.owner.token, body: { partner_id: partner.id, code } });
});

interface Row {
	readonly id: number;
	readonly code?: string;
	readonly short_link?: string;
}

const list = async (path: string) => (await api<Row[]>(`${shop.path}/${path}`, { token: shop.owner.token })).body;
const linksFound = async (search: string) =>
	(await list(`links?search=${search}`)).data.map(({ short_link: shortLink }) => shortLink?.replace(`-${tag}`, ''));
const codesFound = async (search: string) => (await list(`coupons?search=${encodeURIComponent(search)}`)).data.map(({ code }) => code);

test('a link is found by any part of its short_link, the best match first', async () => {
	expect(await linksFound('blog')).toEqual(['Blog', 'myblog']);
	expect(await linksFound('YBLO')).toEqual(['myblog']);
	expect(await linksFound(`irst-${tag}`)).toEqual(['first']);
	expect(await linksFound('nosuch')).toEqual([]);
	expect(await linksFound(`blog&partner_id=${other.id}`)).toEqual(['Blog']);
});

test('pages of links continue each other', async () => {
	const first = await list('links?search=blog&limit=1');
	const second = await list(`links?search=blog&limit=1&cursor=${first.meta.next_cursor}`);
	expect([...first.data, ...second.data].map(({ short_link: shortLink }) => shortLink)).toEqual([`Blog-${tag}`, `myblog-${tag}`]);
	expect(second.meta).toEqual({ next_cursor: null, previous_cursor: expect.any(String), search_complete: true });
});

test('a coupon is found by any part of its code, and after a change only by the new code', async () => {
	expect(await codesFound('spring')).toEqual(['SPRING15', 'OFFSPRING']);
	expect(await codesFound('ete')).toEqual(['ÉTÉ20']);
	const [coupon] = (await list('coupons?search=offspring')).data;
	await api(`${shop.path}/coupons/${coupon?.id}`, { method: 'PATCH', token: shop.owner.token, body: { code: 'AUTUMN' } });
	expect(await codesFound('offspr')).toEqual([]);
	expect(await codesFound('utum')).toEqual(['AUTUMN']);
	await api(`${shop.path}/coupons/${coupon?.id}`, { method: 'PATCH', token: shop.owner.token, body: { archived: true } });
	expect((await list('coupons?search=utum&archived=false')).data).toEqual([]);
});

test('links and coupons from before the upgrade are found, before and after cron has indexed them', async () => {
	for (const table of ['referral_links', 'coupons'])
		await env.DB.prepare(`UPDATE ${table} SET search_text = NULL WHERE program_id = ?`).bind(shop.id).run();
	expect(await linksFound('YBLO')).toEqual(['myblog']);
	expect(await codesFound('pring')).toEqual(['SPRING15']);
	await tick();
	expect(await linksFound('blog')).toEqual(['Blog', 'myblog']);
	expect(await codesFound('ete')).toEqual(['ÉTÉ20']);
});
