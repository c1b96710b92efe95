import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, test } from 'vitest';
import {
	anApplication,
	anOpenShop,
	type Application,
	apply,
	type Approved,
	changeForm,
	decide,
	listed,
	type OpenShop,
} from '../support/applications.ts';
import { tick } from '../support/deliver.ts';
import { aPartner, aShop, statusesOf, type TestPartner } from '../support/ledger.ts';
import { accept } from '../support/members.ts';
import { aMember, api, type Owner, proveAddressOf, signUp, unique } from '../support/world.ts';

let owner: Owner;
let shop: OpenShop;
beforeAll(async () => {
	owner = await signUp();
	shop = await anOpenShop(owner);
});

describe('approval', () => {
	test('makes a partner in the group, with a link and an invitation to join', async () => {
		const own = await anOpenShop(owner);
		const group = await api<{ id: number }>(`${own.path}/groups`, { token: owner.token, body: { name: 'Blogs' } });
		await changeForm(own, { group_id: group.body.data.id });
		const application = await anApplication(own);
		const short = unique('ines');
		const { status, body } = await decide(own, `${application.id}/approve`, { short_link: short });
		expect(status).toBe(200);
		expect(body.data).toMatchObject({
			application_id: application.id,
			email: application.email,
			name: 'Ines',
			accepted: false,
			group: { name: 'Blogs' },
			mailed: false,
		});
		expect(body.data.links[0]?.short_link).toBe(short);
		expect((await listed(own))[0]).toMatchObject({ status: 'approved', partner_id: body.data.id, decided_by: { id: owner.userId } });
		const person = await signUp();
		const joined = await accept({ token: body.data.invitation_url?.split('/').at(-1) ?? '' }, person);
		expect(joined.status).toBe(201);
	});

	test('happens once: two approve, or one approves and one declines at once', async () => {
		const own = await anOpenShop(owner);
		for (const verbs of [
			['approve', 'approve'],
			['approve', 'decline'],
			['decline', 'decline'],
		]) {
			const { id, email } = await anApplication(own);
			expect(statusesOf(await Promise.all(verbs.map((verb) => decide(own, `${id}/${verb}`))))).toEqual([200, 409]);
			const decided = (await listed(own)).find((one) => one.id === id);
			const { body } = await api<TestPartner[]>(`${own.path}/partners?search=${email}`, { token: owner.token });
			expect(body.data).toHaveLength(decided?.status === 'approved' ? 1 : 0);
			expect((await decide(own, `${id}/decline`)).body).toEqual({ error: `Application ${id} was already ${decided?.status}` });
		}
	});

	test('and declining take many at once, all or none', async () => {
		const own = await anOpenShop(owner);
		const ids = [await anApplication(own), await anApplication(own), await anApplication(own)].map(({ id }) => id);
		const foreign = await anApplication(shop);
		expect((await decide(own, 'approve', { application_ids: [...ids, foreign.id] })).body).toEqual({
			error: `Application ${foreign.id} not found`,
		});
		const approved = await decide<Approved[]>(own, 'approve', { application_ids: ids.slice(0, 2) });
		expect(new Set(approved.body.data.map(({ application_id: id }) => id))).toEqual(new Set(ids.slice(0, 2)));
		expect((await decide(own, 'decline', { application_ids: ids })).status).toBe(409);
		const declined = await decide<Application[]>(own, 'decline', { application_ids: [ids[2]], reason: 'No room' });
		expect(declined.body.data).toEqual([expect.objectContaining({ id: ids[2], status: 'declined', reason: 'No room' })]);
		expect((await decide(own, 'decline', { application_ids: Array.from({ length: 101 }, (_, id) => id + 1) })).status).toBe(400);
	});

	test('does not give the account of an existing partner to a person with the same address', async () => {
		const [elsewhere, own] = [await aShop(owner), await anOpenShop(owner)];
		const person = await signUp();
		const known = await aPartner(elsewhere, { email: person.email });
		const application = await anApplication(own, { email: person.email }, person.token);
		const { body } = await decide(own, `${application.id}/approve`);
		expect(body.data).toMatchObject({ id: known.id, name: known.name, accepted: false });
		expect(body.data.invitation_url).not.toBeNull();
		const userId = await env.DB.prepare('SELECT user_id FROM partners WHERE id = ?').bind(known.id).first('user_id');
		expect(userId).toBeNull();
	});

	test('gives a person signed in under that proved address the account at once, but not a person signed in under another one', async () => {
		const own = await anOpenShop(owner);
		const [person, other] = [await signUp(), await signUp()];
		await proveAddressOf(person);
		await proveAddressOf(other);
		const mine = await anApplication(own, { email: person.email }, person.token);
		const theirs = await anApplication(own, {}, other.token);
		const { body } = await decide<Approved[]>(own, 'approve', { application_ids: [mine.id, theirs.id] });
		const byId = new Map(body.data.map((partner) => [partner.application_id, partner]));
		expect(byId.get(mine.id)).toMatchObject({ accepted: true, invitation_url: null });
		expect(byId.get(theirs.id)).toMatchObject({ accepted: false, invitation_url: expect.stringContaining('/inv_') });
		expect((await apply(own, {}, 'ses_unknown')).status).toBe(401);
	});
});

describe('automatic approval', () => {
	test('makes the partner after the answer; only the address gets the link', async () => {
		const own = await anOpenShop(owner, { applications: 'automatic' });
		const email = `${unique('auto')}@blog.example`;
		expect((await apply(own, { email })).text).not.toContain('inv_');
		await expect.poll(() => listed(own)).toEqual([expect.objectContaining({ email, status: 'approved', decided_by: null })]);
		const { body } = await api<TestPartner[]>(`${own.path}/partners`, { token: owner.token });
		expect(body.data).toEqual([expect.objectContaining({ email, status: 'active', accepted: false })]);
		const again = await api(`${own.path}/partners/${body.data[0]?.id}/invitation`, { method: 'POST', token: owner.token });
		expect(again.status).toBe(201);
	});

	test('leaves known partners to a person', async () => {
		const own = await anOpenShop(owner, { applications: 'automatic' });
		const known = await aPartner(await aShop(owner));
		expect((await anApplication(own, { email: known.email })).status).toBe('open');
		const left = await aPartner(own);
		await api(`${own.path}/partners/${left.id}`, { method: 'DELETE', token: owner.token });
		expect((await anApplication(own, { email: left.email })).status).toBe('open');
	});
});

describe('applications', () => {
	test('are searched, paged and exported as CSV', async () => {
		const own = await anOpenShop(owner);
		const [first, second] = [await anApplication(own, { name: '=Ann' }), await anApplication(own, { name: 'Bea', message: 'a,b' })];
		await decide(own, `${first.id}/decline`);
		expect((await listed(own, '?status=open')).map(({ id }) => id)).toEqual([second.id]);
		expect((await listed(own, '?search=bE')).map(({ id }) => id)).toEqual([second.id]);
		expect((await listed(own, `?cursor=${second.id}`)).map(({ id }) => id)).toEqual([first.id]);
		const csv = await api(`${own.path}/applications`, { token: owner.token, headers: { Accept: 'text/csv' } });
		const [header, ...lines] = csv.text.trim().split('\r\n');
		expect(header).toMatch(/^application_id,status,name,email/);
		expect(lines).toHaveLength(2);
		expect(lines[1]).toContain(",'=Ann,");
	});

	test('declined long ago are deleted', async () => {
		const own = await anOpenShop(owner);
		const insert = env.DB.prepare(
			"INSERT INTO partner_applications (op_id, program_id, name, email, terms_version, status, created_at, decided_at) VALUES ('-', ?, 'D', ?, 0, 'declined', 1, ?)",
		);
		await env.DB.batch([179, 181].map((days) => insert.bind(own.id, `${unique(`d${days}`)}@blog.example`, Date.now() - days * 86_400_000)));
		await tick();
		expect((await listed(own)).map(({ email }) => email.slice(0, 4))).toEqual(['d179']);
	});

	test('are read by members, decided by admins, and hidden from outsiders', async () => {
		const { id } = await anApplication(shop);
		const [member, admin, stranger] = await Promise.all([aMember(owner, 'member'), aMember(owner, 'admin'), signUp()]);
		const path = `${shop.path}/applications`;
		const form = `${shop.path}/application-form`;
		const calls = [
			['GET', path, undefined, 'member', 200],
			['GET', form, undefined, 'member', 200],
			['PATCH', form, { description: 'D' }, 'admin', 200],
			['POST', `${path}/approve`, { application_ids: [999_999_999] }, 'admin', 404],
			['POST', `${path}/decline`, { application_ids: [999_999_999] }, 'admin', 404],
			['POST', `${path}/999999999/approve`, {}, 'admin', 404],
			['POST', `${path}/999999999/decline`, {}, 'admin', 404],
		] as const;
		for (const [method, at, body, atLeast, status] of calls) {
			const by = async (token?: string) => (await api(at, { method, ...(token ? { token } : {}), body })).status;
			expect([await by(), await by(stranger.token), await by(member.token), await by(admin.token)]).toEqual([
				401,
				403,
				atLeast === 'member' ? status : 403,
				status,
			]);
		}
		const elsewhere = await aShop(stranger);
		const decided = await api(`${elsewhere.path}/applications/${id}/approve`, { method: 'POST', token: stranger.token });
		expect([decided.status, decided.body]).toEqual([404, { error: `Application ${id} not found` }]);
		expect((await listed(shop)).find((one) => one.id === id)?.status).toBe('open');
	});
});

test('applications are counted by state, only in their program', async () => {
	const own = await anOpenShop(owner);
	const counts = async () => (await api(`${own.path}/applications/summary`, { token: owner.token })).body.data;
	expect(await counts()).toEqual({ open: 0, approved: 0, declined: 0 });
	const [first, second] = [await anApplication(own), await anApplication(own), await anApplication(own)];
	await decide(own, `${first.id}/approve`);
	await decide(own, `${second.id}/decline`);
	expect(await counts()).toEqual({ open: 1, approved: 1, declined: 1 });
});
