import { env } from 'cloudflare:workers';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { foldedText } from '../../../src/domain/search-text.ts';
import { placesOf } from '../../support/everywhere.ts';
import { tick } from '../../support/deliver.ts';
import { rows } from '../../support/funnel.ts';
import { aPartner, aShop, type Shop, type TestPartner } from '../../support/ledger.ts';
import { api, type Owner, signUp, unique } from '../../support/world.ts';

interface FoundMeta {
	readonly next_cursor: string | null;
	readonly search_complete?: boolean;
}

let owner: Owner;
let shop: Shop;
beforeAll(async () => {
	owner = await signUp();
	shop = await aShop(owner);
});

async function find(search: string, { query = '', of = shop }: { readonly query?: string; readonly of?: Shop } = {}) {
	const path = `${of.path}/partners?search=${encodeURIComponent(search)}${query}`;
	const { status, text, body } = await api<TestPartner[]>(path, { token: of.owner.token });
	if (status !== 200) throw new Error(text);
	const meta: FoundMeta = body.meta;
	return { names: body.data.map(({ name }) => name), meta };
}

const namesFound = async (search: string, options?: Parameters<typeof find>[1]) => (await find(search, options)).names;

const change = (partner: TestPartner, body: object) =>
	api(`${shop.path}/partners/${partner.id}`, { method: 'PATCH', token: owner.token, body });

const partsOf = ({ id }: Pick<TestPartner, 'id'>) =>
	rows(`SELECT part, program_id FROM partner_parts WHERE partner_id = ${id} ORDER BY program_id, part`);

test('prefix matches of the whole text come first, then prefix matches of a word, then the rest', async () => {
	const of = await aShop(owner);
	for (const name of ['Tamara Bell', 'Jo Marx', 'Marta Vik', 'Mara Olm', 'Ada Zuse'])
		await aPartner(of, { name, email: `${unique(name.split(' ')[1] ?? '')}@partners.example` });
	expect(await namesFound('MAR', { of })).toEqual(['Mara Olm', 'Marta Vik', 'Jo Marx', 'Tamara Bell']);
	expect(await namesFound('mar', { of, query: '&sort=name' })).toEqual(['Jo Marx', 'Mara Olm', 'Marta Vik', 'Tamara Bell']);
	expect(await namesFound('mar', { of, query: '&sort=oldest' })).toEqual(['Tamara Bell', 'Jo Marx', 'Marta Vik', 'Mara Olm']);
	expect(await namesFound('ara', { of })).toEqual(['Mara Olm', 'Tamara Bell']);
});

test('one or two characters are found anywhere, and first where they begin a word', async () => {
	const of = await aShop(owner);
	for (const name of ['Ox Qu', 'Uwe Ox', 'Foxi']) await aPartner(of, { name, email: `${unique('zz')}@zz.zz` });
	expect(await namesFound('ox', { of })).toEqual(['Ox Qu', 'Uwe Ox', 'Foxi']);
	expect(await namesFound('u', { of })).toEqual(['Uwe Ox', 'Ox Qu']);
	expect(await namesFound('xi', { of })).toEqual(['Foxi']);
});

test.each([
	['Zoë Ångström', ['ZOE', 'zo', 'angstr', 'Ström']],
	['Łukasz Żak', ['lukasz', 'ŁUK', 'kasz', 'zak']],
	['🎉 Party People 🎉', ['🎉', 'arty', '🎉 p']],
	['שלום עולם', ['לום', 'עולם']],
	['محمد علي', ['حمد', 'علي']],
	['王小明', ['王小明', '王', '小', '明', '小明']],
	['東京珈琲店', ['珈琲', '琲店', '店']],
	["Conan O'Brien", ["o'b", 'brien', "n o'"]],
])('%s is found by %j', async (name, searches) => {
	await aPartner(shop, { name });
	for (const search of searches) expect(await namesFound(search)).toContain(name);
});

test('any characters of a name find the partner', async () => {
	const of = await aShop(owner);
	const word = fc.string({ unit: fc.constantFrom(...Array.from('abcdeéÉßłΣאבا 王🎉.-_@\u0301')), minLength: 1, maxLength: 20 });
	const name = word.filter((text) => text.trim() === text && foldedText(text) !== '');
	await fc.assert(
		fc.asyncProperty(name, fc.nat(), fc.nat(), async (called, from, length) => {
			await aPartner(of, { name: called });
			const characters = Array.from(called);
			const start = from % characters.length;
			const search = characters.slice(start, start + 1 + (length % (characters.length - start))).join('');
			fc.pre(foldedText(search).trim() !== '');
			expect(await namesFound(search, { of, query: '&limit=200' })).toContain(called);
		}),
		{ numRuns: 25 },
	);
});

test('pages follow the order of the search', async () => {
	const of = await aShop(owner);
	for (let count = 0; count < 5; count += 1) await aPartner(of, { name: `Pager ${count}` });
	const first = await find('pager', { of, query: '&limit=2' });
	const second = await find('pager', { of, query: `&limit=2&cursor=${first.meta.next_cursor}` });
	const third = await find('pager', { of, query: `&limit=2&cursor=${second.meta.next_cursor}` });
	expect([first, second, third].map(({ names }) => names)).toEqual([['Pager 4', 'Pager 3'], ['Pager 2', 'Pager 1'], ['Pager 0']]);
	expect(third.meta).toEqual({ next_cursor: null, previous_cursor: expect.any(String), search_complete: true });
	expect(await namesFound('pager', { of, query: '&cursor=999999999' })).toEqual([]);
});

test('filters apply, and other programs are excluded', async () => {
	const [of, other] = [await aShop(owner), await aShop(owner)];
	const away = await aPartner(of, { name: 'Nomad Away' });
	await aPartner(of, { name: 'Nomad Here' });
	await aPartner(other, { name: 'Nomad There' });
	await api(`${of.path}/partners/${away.id}`, { method: 'PATCH', token: owner.token, body: { status: 'suspended' } });
	expect(await namesFound('nomad', { of })).toEqual(['Nomad Here', 'Nomad Away']);
	expect(await namesFound('nomad', { of, query: '&status=active' })).toEqual(['Nomad Here']);
});

test('a renamed partner is found only by the new name, in every program', async () => {
	const other = await aShop(owner);
	const partner = await aPartner(shop, { name: 'Formerly Known' });
	await aPartner(other, { name: 'Somebody', email: partner.email });
	expect(await namesFound('formerly', { of: other })).toEqual(['Formerly Known']);
	await change(partner, { name: 'Newly Called' });
	for (const of of [shop, other]) {
		expect(await namesFound('formerly', { of })).toEqual([]);
		expect(await namesFound('newly', { of })).toEqual(['Newly Called']);
		expect(await namesFound(partner.email, { of })).toEqual(['Newly Called']);
	}
});

test('an erased partner leaves no fragment in any table', async () => {
	const [one, another] = [await aPartner(shop, { name: 'Հասմիկ Ձյունիկ' }), await aPartner(shop, { name: 'Somebody Else' })];
	const others = await partsOf(another);
	const fragments = ['հաս', 'սմի', 'մի', 'ձյո', 'նիկ'].map(foldedText);
	for (const fragment of fragments) expect(await placesOf(fragment)).not.toEqual([]);
	await api(`${shop.path}/partners/${one.id}`, { method: 'DELETE', token: owner.token });
	await api(`${shop.path}/partners/${one.id}/erase`, { method: 'POST', token: owner.token });
	for (const fragment of fragments) expect(await placesOf(fragment)).toEqual([]);
	expect(new Set((await partsOf(one)).map(({ part }) => String(part).replaceAll(/[\n\t]/g, '')))).toEqual(
		new Set(['era', 'ras', 'ase', 'sed', 'ed ', 'd ', ' p', 'par', 'art', 'rtn', 'tne', 'ner', 'er', 'r']),
	);
	expect(await partsOf(another)).toEqual(others);
});

describe('a partner without search text', () => {
	const FORGET = "UPDATE partners SET search_text = NULL WHERE name = 'José Latecomer'";

	test('is found before the backfill, and through the index after a tick', async () => {
		const of = await aShop(owner);
		const partner = await aPartner(of, { name: 'José Latecomer' });
		const parts = await partsOf(partner);
		await env.DB.prepare(FORGET).run();
		expect(await partsOf(partner)).toEqual([]);
		expect(await namesFound('LATECOM', { of })).toEqual(['José Latecomer']);
		expect(await namesFound('osé', { of })).toEqual(['José Latecomer']);
		// A tick fills in a few hundred texts, and other tests may have left more.
		for (let ticks = 0; ticks < 50 && (await partsOf(partner)).length === 0; ticks += 1) await tick();
		expect(await partsOf(partner)).toEqual(parts);
		expect(await namesFound('jose l', { of })).toEqual(['José Latecomer']);
	});

	test('leaves nothing of the old name if it was changed outside the service', async () => {
		const partner = await aPartner(shop, { name: 'Onceupon Atime' });
		await env.DB.prepare('UPDATE partners SET name = ? WHERE id = ?').bind('Nowadays Only', partner.id).run();
		expect(await partsOf(partner)).toEqual([]);
		expect(await namesFound('onceupon')).toEqual([]);
		expect(await namesFound('nowadays')).toEqual(['Nowadays Only']);
	});
});
