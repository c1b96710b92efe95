import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, test } from 'vitest';
import { DAY_MS } from '../../src/domain/calendar.ts';
import { app } from '../../src/http/app.ts';
import { atInstant } from '../support/at-instant.ts';
import { aPartner, aShop, type Shop, type TestPartner } from '../support/ledger.ts';
import { aMailbox, type Mailbox, PUBLIC_URL } from '../support/mail.ts';
import { actionsIn } from '../support/members.ts';
import { aSignedInPartner } from '../support/portal.ts';
import { aMember, api, type Owner, signUp } from '../support/world.ts';

let owner: Owner;
let shop: Shop;

beforeAll(async () => {
	owner = await signUp();
	shop = await aShop(owner);
});

const pathOf = ({ id }: Pick<TestPartner, 'id'>, place: Pick<Shop, 'path'> = shop) => `${place.path}/partners/${id}/payout-details/ask`;

interface Answer {
	readonly error?: string;
	readonly data?: { readonly partner_id: number; readonly asked_at: string };
}

/** With email on. */
async function ask(partner: Pick<TestPartner, 'id'>, { bindings }: Mailbox, place: Pick<Shop, 'path'> = shop) {
	const execution = createExecutionContext();
	const headers = new Headers({ Authorization: `Bearer ${owner.token}` });
	const request = new Request(`http://service.test${pathOf(partner, place)}`, { method: 'POST', headers });
	const response = await app.fetch(request, { ...env, ...bindings }, execution);
	const answer: Answer = await response.json();
	await waitOnExecutionContext(execution);
	return { status: response.status, ...answer };
}

const asksOf = async () => (await actionsIn(owner)).filter(([action]) => action === 'payout_details.ask').length;
const askedAt = async ({ id }: Pick<TestPartner, 'id'>) =>
	(await api<{ payout_details_asked_at: string | null }>(`${shop.path}/partners/${id}`, { token: owner.token })).body.data
		.payout_details_asked_at;

describe('a partner without payout details', () => {
	test('is asked by email where to enter them, which is audited', async () => {
		const partner = await aSignedInPartner(shop);
		const mailbox = aMailbox();
		const before = await asksOf();
		expect(await askedAt(partner)).toBe(null);
		const answer = await ask(partner, mailbox);
		expect(answer).toMatchObject({ status: 200, data: { partner_id: partner.id } });
		expect(await askedAt(partner)).toBe(answer.data?.asked_at);
		expect(mailbox.emails).toHaveLength(1);
		expect(mailbox.emails[0]).toMatchObject({ to: partner.person.email, subject: expect.stringMatching(/ needs your payout details$/) });
		expect(mailbox.emails[0]?.text).toContain(`${PUBLIC_URL}/portal/account/payout-details`);
		expect(mailbox.emails[0]?.text).toContain(`${PUBLIC_URL}/unsubscribe/`);
		expect(await asksOf()).toBe(before + 1);
	});

	test('is asked once in seven days, also by other programs of the workspace', async () => {
		const partner = await aSignedInPartner(shop);
		const other = await aShop(owner);
		await api(`${other.path}/partners`, { token: owner.token, body: { name: partner.name, email: partner.email } });
		const mailbox = aMailbox();
		expect((await ask(partner, mailbox)).status).toBe(200);
		for (const place of [shop, other]) {
			const refused = await ask(partner, mailbox, place);
			expect(refused.status).toBe(409);
			expect(refused.error).toMatch(/^The partner was already asked\. You can ask again from \d{4}-\d\d-\d\dT/);
		}
		expect(mailbox.emails).toHaveLength(1);
		await atInstant(Date.now() + 7 * DAY_MS, async () => {
			expect((await ask(partner, mailbox)).status).toBe(200);
		});
		expect(mailbox.emails).toHaveLength(2);
	});

	test('gets one email if several people ask at once', async () => {
		const partner = await aSignedInPartner(shop);
		const mailbox = aMailbox();
		const before = await asksOf();
		const answers = await Promise.all(Array.from({ length: 5 }, () => ask(partner, mailbox)));
		expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409, 409]);
		expect([mailbox.emails.length, (await asksOf()) - before]).toEqual([1, 1]);
	});
});

describe('nobody is asked', () => {
	test('if email is off', async () => {
		const partner = await aSignedInPartner(shop);
		const refused = await api(pathOf(partner), { method: 'POST', token: owner.token });
		expect([refused.status, refused.body.error]).toEqual([409, 'This service sends no email, so it cannot ask. Ask the partner yourself']);
		expect(await askedAt(partner)).toBe(null);
	});

	test('if nobody has accepted the invitation', async () => {
		const mailbox = aMailbox();
		const refused = await ask(await aPartner(shop), mailbox);
		expect(refused).toMatchObject({ status: 409, error: 'Nobody has accepted the invitation yet. Invite the partner again instead' });
		expect(mailbox.emails).toEqual([]);
	});

	test('if they have entered details', async () => {
		const partner = await aSignedInPartner(shop);
		const body = { password: partner.person.password, method: 'paypal', email: 'pat@people.example' };
		await api(`/api/v1/partner-accounts/${partner.id}/payout-details`, { method: 'PUT', token: partner.token, body });
		expect(await ask(partner, aMailbox())).toMatchObject({ status: 409, error: 'The partner has entered payout details' });
	});

	test('if they have unsubscribed from emails', async () => {
		const partner = await aSignedInPartner(shop);
		await api('/api/v1/me/mail-preferences', { method: 'PATCH', token: partner.token, body: { notifications: false } });
		const mailbox = aMailbox();
		expect(await ask(partner, mailbox)).toMatchObject({
			status: 409,
			error: 'The partner has unsubscribed from emails. Ask them in another way',
		});
		expect(mailbox.emails).toEqual([]);
	});

	test('of another program, or by a member without the role', async () => {
		const stranger = await aSignedInPartner(await aShop(await signUp()));
		expect(await ask(stranger, aMailbox())).toMatchObject({ status: 404, error: 'Partner not found' });
		const partner = await aSignedInPartner(shop);
		const member = await aMember(owner, 'member');
		expect((await api(pathOf(partner), { method: 'POST', token: member.token })).status).toBe(403);
		expect((await api(pathOf(partner), { method: 'POST', token: partner.token })).status).toBe(403);
	});
});
