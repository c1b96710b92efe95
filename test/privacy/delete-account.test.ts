import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, test } from 'vitest';
import { placesOf } from '../support/everywhere.ts';
import { aPartner, anEarnedCommission, aShop, type Shop } from '../support/ledger.ts';
import { accept, actionsIn, anInvitation } from '../support/members.ts';
import { aSignedInPartner, signedIn, tokenOf } from '../support/portal.ts';
import { rows } from '../support/funnel.ts';
import { aMember, api, type Owner, signUp, unique } from '../support/world.ts';

let shop: Shop;
let owner: Owner;
beforeAll(async () => {
	owner = await signUp();
	shop = await aShop(owner);
});

interface Deleted {
	readonly deleted: string[];
	readonly kept: { readonly what: string; readonly why: string }[];
}

/** Gives up what is owed, unless the fields say otherwise. */
const leave = ({ token, password }: Pick<Owner, 'token' | 'password'>, fields: object = { give_up_earnings: true }) =>
	api<Deleted>('/api/v1/me', { method: 'DELETE', token, body: { password, ...fields } });

const erase = (partnerId: number, token: string | undefined = owner.token) =>
	api<{ name: string; email: string }>(`${shop.path}/partners/${partnerId}/erase`, { method: 'POST', ...(token ? { token } : {}) });

const end = (partnerId: number) => api(`${shop.path}/partners/${partnerId}`, { method: 'DELETE', token: owner.token });

async function named(person: Owner): Promise<string> {
	const name = unique('Jenny Roe');
	await env.DB.prepare('UPDATE users SET name = ? WHERE id = ?').bind(name, person.userId).run();
	await env.DB.prepare('UPDATE workspaces SET name = ? WHERE id = ?').bind(`${name}'s workspace`, person.workspaceId).run();
	return name;
}

/** A partner with data in every feature. */
async function aKnownPartner(name: string, email: string, person?: Owner) {
	const slug = unique('page').toLowerCase();
	await api(`${shop.path}/application-form`, { method: 'PATCH', token: owner.token, body: { slug, applications: 'by_approval' } });
	const applied = await api(`/api/v1/public/programs/${slug}/applications`, {
		...(person ? { token: person.token } : {}),
		body: { name, email, website: `https://${email.split('@')[0]}.example/`, message: `I am ${name}, ${email}` },
	});
	expect(applied.status).toBe(202);
	const partner = await signedIn(await aPartner(shop, { name, email }), person);
	await api(`${shop.path}/partners/${partner.id}`, {
		method: 'PATCH',
		token: owner.token,
		body: { name, status: 'suspended', reason: `${name} asked` },
	});
	await api(`${shop.path}/partners/${partner.id}`, { method: 'PATCH', token: owner.token, body: { status: 'active' } });
	await anEarnedCommission(shop, partner, { amountCents: 5_000 });
	const details = { password: partner.person.password, method: 'paypal', email };
	const set = await api(`/api/v1/partner-accounts/${partner.id}/payout-details`, { method: 'PUT', token: partner.token, body: details });
	expect(set.status, set.text).toBe(200);
	return partner;
}

async function booksOf({ partner_program_id: id }: { readonly partner_program_id: number }) {
	return {
		ledger: await rows('SELECT * FROM ledger_entries WHERE partner_program_id = ? ORDER BY id', id),
		commissions: await rows('SELECT * FROM commissions WHERE partner_program_id = ? ORDER BY id', id),
		balances: await rows('SELECT * FROM partner_program_balances WHERE partner_program_id = ?', id),
	};
}

describe('DELETE /api/v1/me', () => {
	test('leaves no name or address in any column of any table, and keeps the ledger', async () => {
		const person = await signUp();
		const name = await named(person);
		const partner = await aKnownPartner(name, person.email, person);
		await accept(await anInvitation(owner, 'admin', person.email), person);
		await anInvitation({ ...owner, token: person.token }, 'member');
		const before = await booksOf(partner);
		expect((await placesOf(person.email)).length).toBeGreaterThan(3);

		const { status, text, body } = await leave(person);
		expect(status, text).toBe(200);
		expect(body.data.deleted.join()).toContain('payout details');
		expect(body.data.kept.map(({ what }) => what).join()).toContain('Commissions, payouts');
		expect(await placesOf(person.email)).toEqual([]);
		expect(await placesOf(name)).toEqual([]);
		expect(await booksOf(partner)).toEqual(before);
		expect(await rows('SELECT user_id FROM partners WHERE id = ?', partner.id)).toEqual([{ user_id: null }]);
		expect(await rows('SELECT status FROM partner_programs WHERE partner_id = ?', partner.id)).toEqual([{ status: 'ended' }]);
		expect(await rows('SELECT 1 FROM invitations WHERE invited_by = ? AND withdrawn_at IS NULL', person.userId)).toEqual([]);
		expect((await actionsIn(owner)).map(([action]) => action)).toEqual(expect.arrayContaining(['member.leave', 'partner.erase']));
		for (const table of ['sessions', 'password_resets', 'mail_preferences', 'letters_due']) {
			expect(await rows(`SELECT 1 FROM ${table} WHERE user_id = ?`, person.userId)).toEqual([]);
		}
		expect((await api('/api/v1/me', { token: person.token })).status).toBe(401);
		expect((await api('/api/v1/auth/sign-in', { body: { email: person.email, password: person.password } })).status).toBe(401);
	});

	test('refuses the last active owner of a workspace with programs or members, and names the workspace', async () => {
		const last = await signUp();
		await aMember(last, 'admin');
		const answer = await leave(last);
		expect([answer.status, answer.body.error]).toEqual([
			409,
			"You are the last active owner of Ada Owner's workspace: make another member an owner first",
		]);
		expect((await api('/api/v1/me', { token: last.token })).status).toBe(200);
		await aMember(last, 'owner');
		expect((await leave(last)).status).toBe(200);
	});

	test('is refused with a wrong password, or without a session', async () => {
		const person = await signUp();
		expect((await leave({ ...person, password: 'wrong horse battery' })).status).toBe(403);
		expect((await api('/api/v1/me', { method: 'DELETE', body: { password: person.password } })).status).toBe(401);
		expect((await api('/api/v1/me', { token: person.token })).status).toBe(200);
	});

	test('ends the account once in a race', async () => {
		const person = await signUp();
		const answers = await Promise.all([leave(person), leave(person), leave(person)]);
		expect(answers.map(({ status }) => status)).toContain(200);
		for (const { status } of answers) expect([200, 401, 403]).toContain(status);
		expect(await rows("SELECT 1 FROM audit_entries WHERE user_id = ? AND action = 'account.delete'", person.userId)).toHaveLength(1);
	});

	test('while the person joins leaves them no membership', async () => {
		for (let round = 0; round < 4; round += 1) {
			const person = await signUp();
			const [member, partner] = [await anInvitation(owner), await aPartner(shop)];
			const answers = await Promise.all([
				leave(person),
				accept(member, person),
				accept({ token: tokenOf(partner) }, person),
				api('/api/v1/workspaces', { token: person.token, body: { name: 'Another' } }),
			]);
			for (const { status } of answers) expect([200, 201, 401, 410]).toContain(status);
			expect(await rows('SELECT 1 FROM partners WHERE user_id = ?', person.userId)).toEqual([]);
			expect(await rows('SELECT 1 FROM members WHERE user_id = ? AND deactivated_at IS NULL', person.userId)).toEqual([]);
		}
	});

	test('during a payout leaves the balance sound', async () => {
		const partner = await aSignedInPartner(shop);
		await anEarnedCommission(shop, partner, { amountCents: 700 });
		const [left, paid] = await Promise.all([
			leave(partner.person),
			api(`${shop.path}/payouts`, { token: owner.token, body: { partner_ids: [partner.id] } }),
		]);
		expect([left.status, paid.status]).toEqual([200, 201]);
		expect(
			await rows('SELECT balance_cents FROM partner_program_balances WHERE partner_program_id = ?', partner.partner_program_id),
		).toEqual([{ balance_cents: 0 }]);
	});
});

describe('GET /api/v1/me/export', () => {
	test("has the person's stored data with masked payout details, and is audited", async () => {
		const person = await signUp();
		const name = await named(person);
		const partner = await aKnownPartner(name, person.email, person);
		const { status, text, body } = await api<Record<string, unknown>>('/api/v1/me/export', { token: person.token });
		expect(status, text).toBe(200);
		expect(body.data).toMatchObject({
			user: { id: person.userId, email: person.email, name },
			workspaces: [{ id: person.workspaceId, role: 'owner', active: true }],
			partner_accounts: [{ partner_id: partner.id, email: person.email, payout_details: { method: 'paypal' } }],
			applications: [{ name, email: person.email, status: 'open' }],
			sessions: [{ network: null }],
			mail_preferences: null,
		});
		expect(text).not.toContain('token_hash');
		expect(await rows("SELECT 1 FROM audit_entries WHERE user_id = ? AND action = 'account.export'", person.userId)).toHaveLength(1);
	});

	test('excludes an application with the same address made without a session', async () => {
		const person = await signUp();
		await aKnownPartner('Somebody Else', person.email);
		const { text } = await api('/api/v1/me/export', { token: person.token });
		expect(text).not.toContain('Somebody Else');
	});
});

describe('POST .../partners/:partnerId/erase', () => {
	test('erases the person everywhere except the account, and keeps the ledger', async () => {
		const [name, email] = [unique('Jenny Roe'), `${unique('jenny')}@partners.example`];
		const partner = await aKnownPartner(name, email);
		const before = await booksOf(partner);
		expect((await erase(partner.id)).status).toBe(409);
		await end(partner.id);
		const { status, body } = await erase(partner.id);
		expect([status, body.data.name]).toEqual([200, 'Erased partner']);
		expect(await placesOf(email)).toEqual([]);
		expect(await placesOf(name)).toEqual([]);
		expect(await booksOf(partner)).toEqual(before);
		expect((await erase(partner.id)).status).toBe(200);
		// A new partner can use the address.
		expect((await aPartner(shop, { email })).id).not.toBe(partner.id);
	});

	test('is final: the partner cannot be invited, added by the pseudonym or renamed', async () => {
		const partner = await aKnownPartner(unique('Jenny Roe'), `${unique('jenny')}@partners.example`);
		await end(partner.id);
		const { email } = (await erase(partner.id)).body.data;
		const path = `${shop.path}/partners`;
		const before = await rows('SELECT * FROM partners WHERE id = ?', partner.id);
		const answers = [
			await api(`${path}/${partner.id}/invitation`, { token: owner.token, method: 'POST' }),
			await api(`${path}/${partner.id}`, { token: owner.token, method: 'PATCH', body: { name: 'Jenny' } }),
		];
		for (const { status, body } of answers)
			expect([status, body.error]).toEqual([409, 'The partner was erased. Add the person as a new partner with their own email address']);
		const added = await api(path, { token: owner.token, body: { name: 'Jenny', email } });
		expect([added.status, added.body.error]).toEqual([400, 'email must be an email address']);
		expect(await rows('SELECT * FROM partners WHERE id = ?', partner.id)).toEqual(before);
		expect(
			await rows('SELECT id FROM invitations WHERE partner_id = ? AND accepted_at IS NULL AND withdrawn_at IS NULL', partner.id),
		).toEqual([]);
		expect((await erase(partner.id)).status).toBe(200);
	});

	test('in a race with an invitation leaves none that can be accepted', async () => {
		for (let round = 0; round < 4; round += 1) {
			const partner = await aPartner(shop);
			await end(partner.id);
			const invite = () => api(`${shop.path}/partners/${partner.id}/invitation`, { token: owner.token, method: 'POST' });
			const [first, , second] = await Promise.all([invite(), erase(partner.id), invite()]);
			for (const { status } of [first, second]) expect([201, 409]).toContain(status);
			expect(
				await rows('SELECT id FROM invitations WHERE partner_id = ? AND accepted_at IS NULL AND withdrawn_at IS NULL', partner.id),
			).toEqual([]);
		}
	});

	test('in a race with joining again leaves an erased partner or an active one', async () => {
		const partner = await aPartner(shop);
		await end(partner.id);
		const [erased] = await Promise.all([erase(partner.id), aPartner(shop, { email: partner.email })]);
		const [row] = await rows<{ name: string; active: number }>(
			"SELECT name, (SELECT count(*) FROM partner_programs WHERE partner_id = partners.id AND status <> 'ended') AS active FROM partners WHERE id = ?",
			partner.id,
		);
		expect(row).toEqual(erased.status === 200 ? { name: 'Erased partner', active: 0 } : { name: partner.name, active: 1 });
	});

	test.each([
		['nobody', 401],
		['a member', 403],
		['an admin', 200],
		['the partner', 403],
		['a foreign owner', 403],
	] as const)('by %s is answered %i', async (who, expected) => {
		const partner = await aSignedInPartner(shop);
		await end(partner.id);
		const tokens = {
			nobody: '',
			'a member': (await aMember(owner, 'member')).token,
			'an admin': (await aMember(owner, 'admin')).token,
			'the partner': partner.token,
			'a foreign owner': (await signUp()).token,
		};
		expect((await erase(partner.id, tokens[who])).status).toBe(expected);
		expect((await placesOf(partner.email)).length > 0).toBe(expected !== 200);
	});
});
