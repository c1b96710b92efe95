import { env } from 'cloudflare:workers';
import { beforeAll, expect, test } from 'vitest';
import {
	aPartner,
	anEarnedCommission,
	aShop,
	balancesOf,
	joinWorkspace,
	type Shop,
	statusesOf,
	type TestPartner,
} from '../support/ledger.ts';
import { api, type Owner, signUp, unique } from '../support/world.ts';

let owner: Owner;
let shop: Shop;

beforeAll(async () => {
	owner = await signUp();
	shop = await aShop(owner);
});

async function click(shortLink: string | undefined) {
	const { status, body } = await api('/api/v1/track/click', { body: { affiliate_url: `https://shop.example/?aff=${shortLink}` } });
	return { status, error: body.error };
}

test('a new partner is active, has a link that accepts clicks and has no balance', async () => {
	const { status, body } = await api<TestPartner>(`${shop.path}/partners`, {
		token: owner.token,
		body: { name: ' Pat ', email: 'Pat@Partners.Example ' },
	});
	expect(status).toBe(201);
	expect(body.data).toEqual({
		id: expect.any(Number),
		partner_program_id: expect.any(Number),
		name: 'Pat',
		email: 'pat@partners.example',
		accepted: false,
		status: 'active',
		status_reason: null,
		group: null,
		payout_details: null,
		payout_details_asked_at: null,
		balances: {},
		links: [
			{
				id: expect.any(Number),
				short_link: expect.stringMatching(/^[a-km-np-z2-9]{8}$/),
				destination_url: null,
				archived: false,
				created_at: expect.stringMatching(/Z$/),
			},
		],
		created_at: expect.stringMatching(/Z$/),
		invitation_url: expect.stringMatching(/^http:\/\/service\.test\/api\/v1\/invitations\/inv_[0-9a-f]{40}$/),
		mailed: false,
	});
	expect(await click(body.data.links[0]?.short_link)).toMatchObject({ status: 200 });
	const { invitation_url: _, mailed: __, ...added } = body.data;
	expect((await api(`${shop.path}/partners/${body.data.id}`, { token: owner.token })).body.data).toEqual(added);
});

test('a partner known to the workspace joins another program as the same partner', async () => {
	const partner = await aPartner(shop, { name: 'First Name' });
	const other = await aShop(owner);
	const joined = await aPartner(other, { name: 'Second Name', email: partner.email });
	expect(joined).toMatchObject({ id: partner.id, name: 'First Name' });
	expect(joined.partner_program_id).not.toBe(partner.partner_program_id);
	await anEarnedCommission(other, joined, { amountCents: 700 });
	expect(await balancesOf(other, joined)).toEqual({ USD: 700 });
	expect(await balancesOf(shop, partner)).toEqual({});
});

test('nobody is in a program twice after concurrent requests', async () => {
	const body = { name: 'Twin', email: `${unique('twin')}@partners.example` };
	const answers = await Promise.all(Array.from({ length: 6 }, () => api(`${shop.path}/partners`, { token: owner.token, body })));
	expect(statusesOf(answers)).toEqual([201, 409, 409, 409, 409, 409]);
	expect(answers.find((answer) => answer.status === 409)?.body.error).toBe(`${body.email} is already a partner of this program`);
	const { results } = await env.DB.prepare(
		'SELECT l.id FROM referral_links l JOIN partner_programs pp ON pp.id = l.partner_program_id JOIN partners p ON p.id = pp.partner_id WHERE p.email = ?',
	)
		.bind(body.email)
		.all();
	expect(results).toHaveLength(1);
});

test('one of several concurrent requests gets a short_link', async () => {
	const [shortLink, other] = [unique('link'), await aShop(owner)];
	const answers = await Promise.all(
		[shop, other, shop, other].map((place) =>
			api(`${place.path}/partners`, {
				token: owner.token,
				body: { name: 'Racer', email: `${unique('racer')}@partners.example`, short_link: shortLink },
			}),
		),
	);
	expect(statusesOf(answers)).toEqual([201, 409, 409, 409]);
	expect(answers.find((answer) => answer.status === 409)?.body.error).toBe(`short_link ${shortLink} is taken`);
});

test('an ended membership keeps its balance and commissions, and its links lose their partner', async () => {
	const partner = await aPartner(shop);
	const shortLink = partner.links[0]?.short_link;
	await anEarnedCommission(shop, partner, { amountCents: 1_250 });
	const ended = await api<TestPartner>(`${shop.path}/partners/${partner.id}`, { method: 'DELETE', token: owner.token });
	expect(ended.status).toBe(200);
	expect(ended.body.data).toMatchObject({ status: 'ended', balances: { USD: { available: 1_250, pending: 0, debt: 0 } }, links: [] });
	expect(await click(shortLink)).toEqual({ status: 400, error: 'Invalid referral link configuration' });
	const commissions = await api<unknown[]>(`${shop.path}/commissions?partner_id=${partner.id}`, { token: owner.token });
	expect(commissions.body.data).toHaveLength(1);
	const again = await api<TestPartner>(`${shop.path}/partners/${partner.id}`, { method: 'DELETE', token: owner.token });
	expect(again.body.data).toEqual(ended.body.data);
});

test('an ended membership can be resumed, once', async () => {
	const partner = await aPartner(shop);
	await anEarnedCommission(shop, partner, { amountCents: 300 });
	await api(`${shop.path}/partners/${partner.id}`, { method: 'DELETE', token: owner.token });
	const resumed = await api(`${shop.path}/partners/${partner.id}`, { method: 'PATCH', token: owner.token, body: { status: 'active' } });
	expect([resumed.status, resumed.body.error]).toEqual([409, 'The membership has ended: add the partner again']);

	const body = { name: 'Back again', email: partner.email };
	const answers = await Promise.all([1, 2, 3].map(() => api<TestPartner>(`${shop.path}/partners`, { token: owner.token, body })));
	expect(statusesOf(answers)).toEqual([201, 409, 409]);
	const joined = answers.find((answer) => answer.status === 201)?.body.data;
	expect(joined).toMatchObject({
		id: partner.id,
		partner_program_id: partner.partner_program_id,
		status: 'active',
		balances: { USD: { available: 300, pending: 0, debt: 0 } },
	});
	expect(joined?.links).toHaveLength(1);
	expect(joined?.links[0]?.short_link).not.toBe(partner.links[0]?.short_link);
});

test("a suspended partner's links return 404 until the partner is active again", async () => {
	const partner = await aPartner(shop);
	const shortLink = partner.links[0]?.short_link;
	const set = (status: string) =>
		api<TestPartner>(`${shop.path}/partners/${partner.id}`, { method: 'PATCH', token: owner.token, body: { status, name: 'Renamed' } });
	expect((await set('suspended')).body.data).toMatchObject({ status: 'suspended', name: 'Renamed' });
	expect(await click(shortLink)).toEqual({ status: 400, error: 'Referral link not found' });
	expect((await set('active')).body.data).toMatchObject({ status: 'active' });
	expect(await click(shortLink)).toMatchObject({ status: 200 });
	expect((await set('ended')).body.error).toBe('status must be active or suspended');
});

test('the list is paged, newest first', async () => {
	const small = await aShop(owner);
	const added: number[] = [];
	for (let count = 0; count < 3; count += 1) added.unshift((await aPartner(small)).id);
	const first = await api<TestPartner[]>(`${small.path}/partners?limit=2`, { token: owner.token });
	const rest = await api<TestPartner[]>(`${small.path}/partners?limit=2&cursor=${first.body.meta.next_cursor}`, { token: owner.token });
	expect([...first.body.data, ...rest.body.data].map((partner) => partner.id)).toEqual(added);
	expect(rest.body.meta.next_cursor).toBeNull();
});

test.each([
	[{ email: 'a@b.example' }, 'name must be a string'],
	[{ name: 'A', email: 'nowhere' }, 'email must be an email address'],
	[{ name: 'A', email: 'a@b.example', short_link: 'with space' }, 'short_link must be 1 to 64 of the characters A-Z a-z 0-9 _ -'],
	[{ name: 'A', email: 'a@b.example', short_link: 'x'.repeat(65) }, 'short_link must be 1 to 64 of the characters A-Z a-z 0-9 _ -'],
])('a bad partner %j is refused: %s', async (body, error) => {
	const answer = await api(`${shop.path}/partners`, { token: owner.token, body });
	expect([answer.status, answer.body.error]).toEqual([400, error]);
});

test('links are added, listed, changed and archived, and keep their partner', async () => {
	const partner = await aPartner(shop);
	const links = `${shop.path}/links`;
	const shortLink = unique('l');
	const added = await api<{ id: number }>(links, {
		token: owner.token,
		body: { partner_id: partner.id, short_link: shortLink, destination_url: 'https://shop.example/sale' },
	});
	expect(added.status).toBe(201);
	expect(added.body.data).toMatchObject({
		partner_id: partner.id,
		partner: { id: partner.id, name: partner.name },
		short_link: shortLink,
		destination_url: 'https://shop.example/sale',
		archived: false,
	});
	const link = `${links}/${added.body.data.id}`;

	const listed = await api<{ short_link: string }[]>(`${links}?partner_id=${partner.id}`, { token: owner.token });
	expect(listed.body.data.map((row) => row.short_link)).toEqual([shortLink, partner.links[0]?.short_link]);

	expect(await click(shortLink)).toMatchObject({ status: 200 });
	expect((await api(link, { method: 'DELETE', token: owner.token })).body.data).toMatchObject({ archived: true });
	expect(await click(shortLink)).toEqual({ status: 400, error: 'Referral link not found' });
	const back = await api(link, { method: 'PATCH', token: owner.token, body: { archived: false, destination_url: null } });
	expect(back.body.data).toMatchObject({ archived: false, destination_url: null });
	expect(await click(shortLink)).toMatchObject({ status: 200 });

	const moved = await api(link, { method: 'PATCH', token: owner.token, body: { partner_id: 1 } });
	expect([moved.status, moved.body.error]).toEqual([400, 'Unknown field: partner_id']);
	const taken = await api(links, { token: owner.token, body: { partner_id: partner.id, short_link: shortLink } });
	expect([taken.status, taken.body.error]).toEqual([409, `short_link ${shortLink} is taken`]);
	const script = await api(links, { token: owner.token, body: { partner_id: partner.id, destination_url: 'javascript:alert(1)' } });
	expect([script.status, script.body.error]).toEqual([400, 'destination_url must be an http or https URL']);
});

test.each(['ftp://shop.example', 'shop.example', 'https://shop.example/\r\nX-Header: 1', 'javascript:alert(1)'])(
	'a link cannot lead to %j',
	async (destination_url) => {
		const { body: partner } = await api<TestPartner>(`${shop.path}/partners`, {
			token: owner.token,
			body: { name: 'A', email: `${unique('p')}@b.example` },
		});
		const answer = await api(`${shop.path}/links`, { token: owner.token, body: { partner_id: partner.data.id, destination_url } });
		expect([answer.status, answer.body.error]).toEqual([400, expect.stringMatching(/^destination_url must /)]);
	},
);

test('a link needs a partner of the program', async () => {
	const elsewhere = await aPartner(await aShop(owner));
	const foreign = await api(`${shop.path}/links`, { token: owner.token, body: { partner_id: elsewhere.id } });
	expect([foreign.status, foreign.body.error]).toEqual([404, 'Partner not found']);
	const gone = await aPartner(shop);
	await api(`${shop.path}/partners/${gone.id}`, { method: 'DELETE', token: owner.token });
	expect((await api(`${shop.path}/links`, { token: owner.token, body: { partner_id: gone.id } })).status).toBe(409);
	const other = await aShop(owner);
	const foreignLink = elsewhere.links[0]?.id;
	expect((await api(`${other.path}/links/${foreignLink}`, { method: 'DELETE', token: owner.token })).status).toBe(404);
});

test('members read, admins write, others see nothing', async () => {
	const [member, admin, stranger] = await Promise.all([signUp(), signUp(), signUp()]);
	await joinWorkspace(owner, member, 'member');
	await joinWorkspace(owner, admin, 'admin');
	const partner = await aPartner(shop);
	const writes = [
		['POST', '/partners', { name: 'A', email: `${unique('a')}@partners.example` }],
		['PATCH', `/partners/${partner.id}`, { name: 'B' }],
		['DELETE', `/partners/${partner.id}`, undefined],
		['POST', '/links', { partner_id: partner.id }],
		['PATCH', `/links/${partner.links[0]?.id}`, { archived: false }],
		['DELETE', `/links/${partner.links[0]?.id}`, undefined],
		['POST', '/commissions/approve', { commission_ids: [1] }],
		['POST', '/commissions/reject', { commission_ids: [1] }],
		['POST', '/payouts', {}],
	] as const;
	for (const [method, path, body] of writes) {
		for (const { token } of [member, stranger]) {
			expect((await api(`${shop.path}${path}`, { method, token, body })).status, `${method} ${path}`).toBe(403);
		}
	}
	for (const path of ['/partners', `/partners/${partner.id}`, '/links', '/commissions', '/payouts']) {
		expect((await api(`${shop.path}${path}`, { token: member.token })).status, path).toBe(200);
		expect((await api(`${shop.path}${path}`, { token: stranger.token })).status, path).toBe(403);
		expect((await api(`${shop.path}${path}`)).status, path).toBe(401);
	}
	expect((await api(`${shop.path}/partners`, { token: admin.token, body: writes[0][2] })).status).toBe(201);
});
