import { beforeAll, describe, expect, test } from 'vitest';
import { aPartner, aShop, type Shop } from '../support/ledger.ts';
import { aSignedInPartner, type SignedInPartner } from '../support/portal.ts';
import { aMember, api, type Owner, signUp } from '../support/world.ts';
import {
	aBroughtLead,
	answersAt,
	aPostback,
	aReceiver,
	callsOf,
	EVERYTHING,
	logOf,
	QUERY,
	setPostback,
	type TestPostback,
} from './support.ts';

let owner: Owner;
let shop: Shop;
beforeAll(async () => {
	owner = await signUp();
	shop = await aShop(owner);
});

const ask = <Data = TestPostback>(partner: SignedInPartner, path = '', method = 'GET') =>
	api<Data>(`${partner.own}/postback${path}`, { method, token: partner.token, ...(method === 'POST' && { body: {} }) });
const ofPartner = ({ id }: { readonly id: number }, path = '') => `${shop.path}/partners/${id}/postback${path}`;

test('a partner creates, reads, changes and deletes a postback', async () => {
	const partner = await aSignedInPartner(shop);
	expect(await ask(partner)).toMatchObject({ status: 404, body: { error: 'Postback not found' } });
	const url = `${aReceiver()}${QUERY}`;
	expect(await aPostback(partner, url, ['sale', 'lead', 'sale'])).toEqual({
		url,
		events: ['lead', 'sale'],
		enabled: true,
		disabled_at: null,
		disabled_for: null,
		failures: 0,
		failing_since: null,
		created_at: expect.stringMatching(/Z$/),
	});
	await aPostback(partner, url, ['reversed']);
	expect((await ask(partner)).body.data).toMatchObject({ url, events: ['reversed'] });
	expect((await ask(partner, '', 'DELETE')).body.data).toBeNull();
	for (const path of ['', '/deliveries']) expect((await ask(partner, path)).status).toBe(404);
	expect((await ask(partner, '', 'DELETE')).status).toBe(404);
	expect(await aPostback(partner, url)).toMatchObject({ events: EVERYTHING });
});

test.each([
	[
		'https://network.example/?x={payout}',
		'url has the unknown placeholder {payout}: there are {click_id}, {amount}, {currency}, {event}, {sub_id}',
	],
	['https://network.example/?x={amount', 'url has a { or } that does not belong to a placeholder'],
	['https://{sub_id}.network.example/', 'url may have placeholders only after the host'],
	['https://network.example/#{sub_id}', 'url must not have a #: what follows it is never sent'],
	['nowhere', 'url must be an https address of at most 2000 characters'],
])('the address %s is refused', async (url, error) => {
	const partner = await aSignedInPartner(shop);
	expect(await setPostback(partner, { url, events: ['lead'] })).toMatchObject({ status: 400, body: { error } });
});

test('two concurrent requests create one', async () => {
	const partner = await aSignedInPartner(shop);
	const url = aReceiver();
	await answersAt(url, { status: 200 });
	const answers = await Promise.all(Array.from({ length: 5 }, () => setPostback(partner, { url, events: ['lead'] })));
	expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
	await aBroughtLead(shop, partner);
	expect(await callsOf(url)).toHaveLength(1);
});

test('a test is sent at once and appears in the log', async () => {
	const partner = await aSignedInPartner(shop);
	const url = aReceiver();
	await answersAt(url, { status: 200, body: 'fine' });
	await aPostback(partner, `${url}?s={sub_id}&a={amount}&c={currency}&e={event}&k={click_id}`, ['sale']);
	expect(await ask(partner, '/test', 'POST')).toMatchObject({
		status: 201,
		body: { data: { event: 'sale', test: true, status: 'pending' } },
	});
	await expect.poll(() => logOf(partner)).toMatchObject([{ test: true, status: 'delivered', last_status: 200, last_response: 'fine' }]);
	expect(await callsOf(url)).toEqual([`${url}?s=test&a=19.80&c=USD&e=sale&k=`]);
});

describe('members of the program', () => {
	test('see a postback and its calls but not the answers; admins switch it off and on', async () => {
		const partner = await aSignedInPartner(shop);
		const url = aReceiver();
		await answersAt(url, { status: 200, body: 'secret of the network' });
		await aPostback(partner, url, ['lead']);
		await aBroughtLead(shop, partner);
		const member = await aMember(owner, 'member');
		expect((await api(ofPartner(partner), { token: member.token })).body.data).toMatchObject({ url, enabled: true });
		const log = await api(ofPartner(partner, '/deliveries'), { token: member.token });
		expect(log.body.data).toMatchObject([{ event: 'lead', status: 'delivered' }]);
		expect(log.text).not.toContain('secret of the network');
		const off = { method: 'PATCH', body: { enabled: false } };
		expect((await api(ofPartner(partner), { token: member.token, ...off })).status).toBe(403);
		expect((await api(ofPartner(partner), { token: owner.token, ...off })).body.data).toMatchObject({
			enabled: false,
			disabled_for: 'program',
		});
		await aBroughtLead(shop, partner);
		expect(await callsOf(url)).toHaveLength(1);
		const refused = { status: 409, body: { error: 'The program has disabled your postback. Contact the program' } };
		expect(await setPostback(partner, { url, events: ['lead'] })).toMatchObject(refused);
		expect(await ask(partner, '', 'DELETE')).toMatchObject(refused);
		expect((await ask(partner, '/test', 'POST')).status).toBe(409);
		await api(ofPartner(partner), { token: owner.token, method: 'PATCH', body: { enabled: true } });
		await aBroughtLead(shop, partner);
		expect(await callsOf(url)).toHaveLength(2);
	});

	test('find no postback of a partner without one or of another program', async () => {
		const partner = await aPartner(shop);
		const other = await aShop(owner);
		const elsewhere = await aSignedInPartner(other);
		await aPostback(elsewhere, aReceiver());
		for (const of of [partner, elsewhere])
			expect(await api(ofPartner(of), { token: owner.token })).toMatchObject({ status: 404, body: { error: 'Postback not found' } });
	});

	test('can switch off all postbacks', async () => {
		const closed = await aShop(owner);
		const partner = await aSignedInPartner(closed);
		const url = aReceiver();
		await answersAt(url, { status: 200 });
		await aPostback(partner, url, ['lead']);
		await api(closed.path, { method: 'PATCH', token: owner.token, body: { partner_postbacks: false } });
		await aBroughtLead(closed, partner);
		expect(await callsOf(url)).toEqual([]);
		expect(await setPostback(partner, { url, events: ['lead'] })).toMatchObject({
			status: 409,
			body: { error: 'The program does not allow postbacks' },
		});
	});
});

test('no longer see the postback of an erased partner', async () => {
	const partner = await aSignedInPartner(shop);
	const url = aReceiver();
	await aPostback(partner, url, ['lead']);
	await api(`${shop.path}/partners/${partner.id}`, { method: 'DELETE', token: owner.token });
	const erased = await api(`${shop.path}/partners/${partner.id}/erase`, { method: 'POST', token: owner.token });
	expect(erased.status).toBe(200);
	expect((await api(ofPartner(partner), { token: owner.token })).status).toBe(404);
});
