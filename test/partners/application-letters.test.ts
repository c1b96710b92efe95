import { beforeAll, expect, test } from 'vitest';
import { anApplication, anOpenShop, listed, type OpenShop } from '../support/applications.ts';
import { callWith } from '../support/bindings.ts';
import { aPartner } from '../support/ledger.ts';
import { aMailbox, PUBLIC_URL } from '../support/mail.ts';
import { type Owner, signUp, unique } from '../support/world.ts';

// What an applicant is mailed, where mail is on.

let owner: Owner;
let shop: OpenShop;
beforeAll(async () => {
	owner = await signUp();
	shop = await anOpenShop(owner);
});

const INVITED = `${PUBLIC_URL}/invitation#token=inv_`;

/** The application of an address, and the letters of its call. */
async function applied({ slug }: OpenShop, email: string) {
	const { bindings, letters } = aMailbox();
	const { status, body } = await callWith(bindings, `/api/v1/public/programs/${slug}/applications`, { body: { name: 'Ines', email } });
	expect(status).toBe(202);
	return { letters, text: JSON.stringify(body) };
}

test('an applicant is told that it has come in; a partner who applies again is told nothing', async () => {
	const email = `${unique('ines')}@blog.example`;
	const first = await applied(shop, email);
	expect(first.letters).toEqual([expect.objectContaining({ to: email, subject: expect.stringMatching(/^Your application to /) })]);
	expect((await applied(shop, email)).letters).toEqual([]);
	expect((await applied(shop, (await aPartner(shop)).email)).letters).toEqual([]);
});

test('who is approved gets the invitation, who is declined the reason', async () => {
	const [approved, declined] = [await anApplication(shop), await anApplication(shop)];
	const { bindings, letters } = aMailbox();
	const decide = (id: number, verb: string, body: object) =>
		callWith(bindings, `${shop.path}/applications/${id}/${verb}`, { method: 'POST', token: owner.token, body });
	expect((await decide(approved.id, 'approve', {})).body).toMatchObject({ data: { mailed: true } });
	await decide(declined.id, 'decline', { reason: 'No room' });
	expect(letters.map(({ to }) => to)).toEqual([approved.email, declined.email]);
	expect(letters[0]?.text).toContain(INVITED);
	expect(letters[1]?.text).toContain('No room');
});

test('an automatic approval mails the invitation to the address, and tells it nobody else', async () => {
	const own = await anOpenShop(owner, { applications: 'automatic' });
	const email = `${unique('auto')}@blog.example`;
	const { letters, text } = await applied(own, email);
	expect(letters.map(({ to, text: words }) => [to, words?.includes(INVITED)])).toEqual([[email, true]]);
	expect(text).not.toContain('inv_');
	expect(await listed(own)).toEqual([expect.objectContaining({ status: 'approved' })]);
});
