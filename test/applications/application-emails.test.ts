import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, test } from 'vitest';
import { DAY_MS } from '../../src/domain/calendar.ts';
import { ANSWERED_A_DAY } from '../../src/applications/application.ts';
import { anApplication, anOpenShop, listed, type OpenShop } from '../support/applications.ts';
import { callWith } from '../support/bindings.ts';
import { aPartner } from '../support/ledger.ts';
import { aMailbox, PUBLIC_URL } from '../support/mail.ts';
import { api, type Owner, signUp, unique } from '../support/world.ts';

// The emails to an applicant, with email enabled.

let owner: Owner;
let shop: OpenShop;
beforeAll(async () => {
	owner = await signUp();
	shop = await anOpenShop(owner);
});

const INVITED = `${PUBLIC_URL}/invitation#token=inv_`;

async function applied({ slug }: OpenShop, email: string) {
	const { bindings, emails } = aMailbox();
	const { status, body } = await callWith(bindings, `/api/v1/public/programs/${slug}/applications`, { body: { name: 'Ines', email } });
	expect(status).toBe(202);
	return { emails, text: JSON.stringify(body) };
}

test('an applicant gets a confirmation; a partner who applies again gets nothing', async () => {
	const email = `${unique('ines')}@blog.example`;
	const first = await applied(shop, email);
	expect(first.emails).toEqual([expect.objectContaining({ to: email, subject: expect.stringMatching(/^Your application to /) })]);
	expect((await applied(shop, email)).emails).toEqual([]);
	expect((await applied(shop, (await aPartner(shop)).email)).emails).toEqual([]);
});

test('an approved applicant gets the invitation, a declined one the reason', async () => {
	const [approved, declined] = [await anApplication(shop), await anApplication(shop)];
	const { bindings, emails } = aMailbox();
	const decide = (id: number, verb: string, body: object) =>
		callWith(bindings, `${shop.path}/applications/${id}/${verb}`, { method: 'POST', token: owner.token, body });
	expect((await decide(approved.id, 'approve', {})).body).toMatchObject({ data: { mailed: true } });
	await decide(declined.id, 'decline', { reason: 'No room' });
	expect(emails.map(({ to }) => to)).toEqual([approved.email, declined.email]);
	expect(emails[0]?.text).toContain(INVITED);
	expect(emails[1]?.text).toContain('No room');
});

test('an automatic approval emails the invitation only to the address', async () => {
	const own = await anOpenShop(owner, { applications: 'automatic' });
	const email = `${unique('auto')}@blog.example`;
	const { emails, text } = await applied(own, email);
	expect(emails.map(({ to, text: words }) => [to, words?.includes(INVITED)])).toEqual([[email, true]]);
	expect(text).not.toContain('inv_');
	expect(await listed(own)).toEqual([expect.objectContaining({ status: 'approved' })]);
});

/** A shop that has received `count` applications at the same time. */
async function filled(fields: object, count: number, createdAt: number): Promise<OpenShop> {
	const own = await anOpenShop(owner, fields);
	await env.DB.prepare(
		`INSERT INTO partner_applications (op_id, program_id, name, email, terms_version, status, created_at, decided_at)
		SELECT ? || value, ?, 'Ines', ? || value || '@blog.example', 0, 'declined', ?, 0 FROM json_each(?)`,
	)
		.bind(unique('op'), own.id, unique('early'), createdAt, JSON.stringify(Array.from({ length: count }, (_, index) => index)))
		.run();
	return own;
}
const flood = (own: OpenShop) => Promise.all([1, 2, 3, 4].map(() => applied(own, `${unique('flood')}@blog.example`)));

describe('the daily limit of applications', () => {
	test('is confirmed by email; further ones, even at the same time, wait without one', async () => {
		const own = await filled({}, ANSWERED_A_DAY - 2, Date.now());
		expect((await flood(own)).flatMap(({ emails }) => emails)).toHaveLength(2);
		expect(await listed(own, '?status=open')).toHaveLength(4);
		expect((await applied(own, `${unique('more')}@blog.example`)).emails).toEqual([]);
	});

	test('is approved automatically; further ones wait for a person', async () => {
		const own = await filled({ applications: 'automatic' }, ANSWERED_A_DAY - 1, Date.now());
		expect((await flood(own)).flatMap(({ emails }) => emails)).toHaveLength(1);
		expect([(await listed(own, '?status=approved')).length, (await listed(own, '?status=open')).length]).toEqual([1, 3]);
		const [waiting] = await listed(own, '?status=open');
		expect((await api(`${own.path}/applications/${waiting?.id}/approve`, { method: 'POST', token: owner.token })).status).toBe(200);
	});

	test('starts again the next day', async () => {
		const own = await filled({}, ANSWERED_A_DAY, Date.now() - DAY_MS);
		expect((await applied(own, `${unique('next')}@blog.example`)).emails).toHaveLength(1);
	});
});
