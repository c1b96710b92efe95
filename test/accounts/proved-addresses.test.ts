import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, test } from 'vitest';
import type { MailBindings } from '../../src/mailer.ts';
import { anApplication, anOpenShop, type Approved, decide, listed, type OpenShop } from '../support/applications.ts';
import { callWith } from '../support/bindings.ts';
import { rows } from '../support/funnel.ts';
import { aPartner, aShop, type Shop, type TestPartner } from '../support/ledger.ts';
import { aMailbox, type Mailbox } from '../support/mail.ts';
import { anInvitation } from '../support/members.ts';
import { tokenOf } from '../support/portal.ts';
import { api, type Owner, signUp, unique } from '../support/world.ts';
import { recover } from './reset-link.ts';

// An address is proved only by opening an email sent to it (decision 57).

const NEW = 'four plain words together';

let owner: Owner;
let shop: OpenShop;
beforeAll(async () => {
	owner = await signUp();
	shop = await anOpenShop(owner);
});

const anAddress = () => `${unique('victim')}@people.example`;

async function provedAt(email: string): Promise<number | null> {
	const [user] = await rows<{ email_proved_at: number | null }>('SELECT email_proved_at FROM users WHERE email = ?', email);
	if (!user) throw new Error(`Nobody has the address ${email}`);
	return user.email_proved_at;
}

const accountOf = async ({ token }: { readonly token: string }) =>
	(await api<{ partner_accounts: readonly { partner_id: number }[] }>('/api/v1/me', { token })).body.data.partner_accounts;

function mailedResetOf({ emails }: Mailbox): string {
	return /rst_[0-9a-f]{40}/.exec(emails.at(-1)?.text ?? '')?.[0] ?? '';
}

async function askByMail(email: string): Promise<Mailbox> {
	const mailbox = aMailbox();
	await callWith(mailbox.bindings, '/api/v1/auth/password-reset', { body: { email } });
	return mailbox;
}

const confirm = (token: string) => api('/api/v1/auth/password-reset/confirm', { body: { token, new_password: NEW } });

/** Proves the address with a reset email, and signs in. */
async function prove(person: Owner): Promise<{ readonly token: string }> {
	expect((await confirm(mailedResetOf(await askByMail(person.email)))).status).toBe(200);
	return (await api<{ token: string }>('/api/v1/auth/sign-in', { body: { email: person.email, password: NEW } })).body.data;
}

/** The token of the link in the newest invitation email. */
function mailedTokenOf({ emails }: Mailbox): string {
	return /\/invitation#token=(\S+)/.exec(emails.at(-1)?.text ?? '')?.[1] ?? '';
}

function addByMail(to: Shop, email: string, bindings: Partial<MailBindings>): Promise<{ readonly body: Record<string, unknown> }> {
	return callWith(bindings, `${to.path}/partners`, { token: to.owner.token, body: { name: 'Grace', email } });
}

const acceptAs = (token: string, person: { readonly token: string }) =>
	api(`/api/v1/invitations/${token}/accept`, { method: 'POST', token: person.token });
const signUpBy = (token: string) =>
	api<{ token: string }>(`/api/v1/invitations/${token}/accept`, { body: { name: 'Grace', password: 'a long enough password' } });

describe('a person who signed up with an unproved address', () => {
	test('gets no partner account by applying while signed in: the invitation goes to the address', async () => {
		const squatter = await signUp();
		const application = await anApplication(shop, { email: squatter.email }, squatter.token);
		expect(application).toMatchObject({ signed_in: true, email_proved: false });
		const { body } = await decide(shop, `${application.id}/approve`);
		expect(body.data).toMatchObject({ accepted: false, invitation_url: expect.stringContaining('/invitations/inv_') });
		expect(await accountOf(squatter)).toEqual([]);
	});

	test('nor if applications are approved automatically', async () => {
		const own = await anOpenShop(owner, { applications: 'automatic' });
		const squatter = await signUp();
		await callWith({}, `/api/v1/public/programs/${own.slug}/applications`, {
			body: { name: 'Grace', email: squatter.email },
			token: squatter.token,
			headers: { 'CF-Connecting-IP': '2001:db8:5:5::1' },
		});
		expect((await listed(own))[0]).toMatchObject({ status: 'approved', email_proved: false });
		expect(await accountOf(squatter)).toEqual([]);
	});

	test('nor by applications from before proof was required, even if many are approved at once', async () => {
		const people = [await signUp(), await signUp()];
		const ids = [];
		for (const person of people) ids.push((await anApplication(shop, { email: person.email }, person.token)).id);
		const { body } = await decide<Approved[]>(shop, 'approve', { application_ids: ids });
		expect(body.data.map(({ accepted }) => accepted)).toEqual([false, false]);
	});

	test('gets it at once if the address is proved before the approval', async () => {
		const person = await signUp();
		const application = await anApplication(shop, { email: person.email }, person.token);
		const session = await prove(person);
		expect((await listed(shop))[0]).toMatchObject({ id: application.id, signed_in: true, email_proved: true });
		const { body } = await decide(shop, `${application.id}/approve`);
		expect(body.data).toMatchObject({ accepted: true, invitation_url: null });
		expect(await accountOf(session)).toEqual([expect.objectContaining({ partner_id: body.data.id })]);
	});

	test('is marked in the CSV', async () => {
		const own = await anOpenShop(owner);
		const [one, other] = [await signUp(), await signUp()];
		const session = await prove(one);
		await anApplication(own, { email: one.email }, session.token);
		await anApplication(own, { email: other.email }, other.token);
		const { text } = await api(`${own.path}/applications`, { token: owner.token, headers: { Accept: 'text/csv' } });
		const [header, ...lines] = text.trim().split(/\r?\n/);
		const columns = header?.split(',') ?? [];
		const flags = lines.map((line) => ['signed_in', 'email_proved'].map((name) => line.split(',')[columns.indexOf(name)]));
		expect(flags).toEqual([
			['true', 'false'],
			['true', 'true'],
		]);
	});
});

describe('a link to reset a password', () => {
	test('proves the address if it was emailed, from the first time on', async () => {
		const person = await signUp();
		expect(await provedAt(person.email)).toBeNull();
		const before = Date.now();
		await prove(person);
		const first = await provedAt(person.email);
		expect(first).toBeGreaterThanOrEqual(before);
		await prove({ ...person, password: NEW });
		expect(await provedAt(person.email)).toBe(first);
	});

	test('does not if it came from the command line', async () => {
		const person = await signUp();
		expect((await confirm(await recover(person))).status).toBe(200);
		expect(await provedAt(person.email)).toBeNull();
	});

	test('proves nothing before it is used; of two concurrent uses one succeeds', async () => {
		const person = await signUp();
		const token = mailedResetOf(await askByMail(person.email));
		expect(await provedAt(person.email)).toBeNull();
		const answers = await Promise.all([confirm(token), confirm(token)]);
		expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400]);
		expect(await provedAt(person.email)).not.toBeNull();
	});
});

describe('an invitation', () => {
	test('proves the address by the link in its email, but not by the link returned to its creator', async () => {
		const [mailed, copied] = [anAddress(), anAddress()];
		const mailbox = aMailbox();
		await addByMail(shop, mailed, mailbox.bindings);
		expect(mailedTokenOf(mailbox)).toMatch(/^inv_[0-9a-f]{40}-[0-9a-f]{32}$/);
		expect((await signUpBy(mailedTokenOf(mailbox))).status).toBe(201);
		expect(await provedAt(mailed)).not.toBeNull();
		expect((await signUpBy(tokenOf(await aPartner(shop, { email: copied })))).status).toBe(201);
		expect(await provedAt(copied)).toBeNull();
	});

	test('does so too for a member, a repeated partner invitation and an approved applicant', async () => {
		const mailbox = aMailbox();
		const as = { token: owner.token };
		const member = anAddress();
		await callWith(mailbox.bindings, `/api/v1/workspaces/${owner.workspaceId}/members`, { ...as, body: { email: member, role: 'member' } });
		await signUpBy(mailedTokenOf(mailbox));
		const partner: TestPartner & { readonly email: string } = await aPartner(shop, { email: anAddress() });
		await callWith(mailbox.bindings, `${shop.path}/partners/${partner.id}/invitation`, { ...as, method: 'POST' });
		await signUpBy(mailedTokenOf(mailbox));
		const application = await anApplication(shop);
		await callWith(mailbox.bindings, `${shop.path}/applications/${application.id}/approve`, { ...as, method: 'POST' });
		await signUpBy(mailedTokenOf(mailbox));
		for (const email of [member, partner.email, application.email]) expect(await provedAt(email)).not.toBeNull();
	});

	test('accepted by a signed-in person proves the address it was sent to, if it is theirs', async () => {
		const [invited, other] = [await signUp(), await signUp()];
		const mailbox = aMailbox();
		await addByMail(shop, invited.email, mailbox.bindings);
		expect((await acceptAs(mailedTokenOf(mailbox), invited)).status).toBe(201);
		expect(await provedAt(invited.email)).not.toBeNull();
		await addByMail(shop, anAddress(), mailbox.bindings);
		expect((await acceptAs(mailedTokenOf(mailbox), other)).status).toBe(201);
		expect(await provedAt(other.email)).toBeNull();
	});

	test('with an invented proof is accepted like a copied link', async () => {
		const { token, email } = await anInvitation(owner);
		const forged = `${token}-${'0'.repeat(32)}`;
		expect((await api(`/api/v1/invitations/${forged}`)).status).toBe(200);
		expect((await signUpBy(forged)).status).toBe(201);
		expect(await provedAt(email)).toBeNull();
	});

	test('accepted by two people at once proves at most one address', async () => {
		const mailbox = aMailbox();
		const person = await signUp();
		await addByMail(await aShop(owner), person.email, mailbox.bindings);
		const token = mailedTokenOf(mailbox);
		const answers = await Promise.all([acceptAs(token, await signUp()), acceptAs(token, person)]);
		expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 410]);
		expect((await provedAt(person.email)) === null).toBe(answers[0].status === 201);
	});
});

test('deleting the account removes the proof', async () => {
	const person = await signUp();
	const session = await prove(person);
	const { status } = await api('/api/v1/me', { method: 'DELETE', token: session.token, body: { password: NEW } });
	expect(status).toBe(200);
	expect(await env.DB.prepare('SELECT email_proved_at FROM users WHERE id = ?').bind(person.userId).first('email_proved_at')).toBeNull();
});

const exported = async (token: string) =>
	(await api<{ user: { email_proved_at: string | null } }>('/api/v1/me/export', { token })).body.data.user.email_proved_at;

test('an export shows since when the address is proved', async () => {
	const person = await signUp();
	expect(await exported(person.token)).toBeNull();
	expect(Date.parse((await exported((await prove(person)).token)) ?? '')).toBe(await provedAt(person.email));
});
