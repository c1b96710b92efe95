import { env } from 'cloudflare:workers';
import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { beforeAll, describe, expect, test } from 'vitest';
import { app } from '../../src/http/app.ts';
import { openSecrets } from '../../src/secrets.ts';
import { rows } from '../support/funnel.ts';
import { aPartner, aShop, type Shop, type TestPartner } from '../support/ledger.ts';
import { aMailbox } from '../support/mail.ts';
import { actionsIn } from '../support/members.ts';
import { aSignedInPartner, detach, type SignedInPartner } from '../support/portal.ts';
import { run } from '../support/refused.ts';
import { aMember, api, type Owner, signUp } from '../support/world.ts';

let owner: Owner;
let shop: Shop;

beforeAll(async () => {
	owner = await signUp();
	shop = await aShop(owner);
});

const IBAN = 'DE89370400440532013000';
const PAYPAL = { method: 'paypal', email: 'Pat.Secret@people.example' };
const BANK = { method: 'bank', holder: 'Pat Secret', currency: 'EUR', iban: IBAN };

const pathOf = ({ id }: Pick<TestPartner, 'id'>) => `/api/v1/partner-accounts/${id}/payout-details`;
const put = (partner: Pick<TestPartner, 'id'>, by: Owner, details: object) =>
	api<Record<string, string>>(pathOf(partner), { method: 'PUT', token: by.token, body: { password: by.password, ...details } });
const reveal = (partner: Pick<TestPartner, 'id'>, by: Owner, place: Pick<Shop, 'path'> = shop, password = by.password) =>
	api<Record<string, unknown>>(`${place.path}/partners/${partner.id}/payout-details/reveal`, { token: by.token, body: { password } });

async function aPaidPartner(details: object = PAYPAL): Promise<SignedInPartner> {
	const partner = await aSignedInPartner(shop);
	const { status, text } = await put(partner, partner.person, details);
	expect(status, text).toBe(200);
	return partner;
}

describe("the partner's person", () => {
	test('sets payout details, and reads them masked', async () => {
		const partner = await aPaidPartner();
		const masked = { method: 'paypal', summary: 'PayPal P…@people.example', changed_at: expect.stringMatching(/Z$/) };
		const own = await api(pathOf(partner), { token: partner.token });
		expect(own.body.data).toEqual(masked);
		const seen = await api<{ payout_details: unknown }>(`${shop.path}/partners/${partner.id}`, { token: owner.token });
		expect(seen.body.data.payout_details).toEqual(masked);
		expect(own.text + seen.text).not.toContain('Secret');
	});

	test('replaces them: the old ones are gone', async () => {
		const partner = await aPaidPartner();
		expect((await put(partner, partner.person, BANK)).body.data['summary']).toBe('IBAN DE…3000');
		const { body } = await reveal(partner, owner);
		expect(body.data).toMatchObject({ method: 'bank', email: null, holder: 'Pat Secret', iban: IBAN, currency: 'EUR' });
	});

	test('removes them after entering the password', async () => {
		const partner = await aPaidPartner();
		const remove = (password: unknown) => api(pathOf(partner), { method: 'DELETE', token: partner.token, body: { password } });
		for (const [password, status] of [
			['a stolen session', 403],
			[undefined, 400],
		] as const)
			expect((await remove(password)).status).toBe(status);
		expect(await rows('SELECT partner_id FROM payout_details WHERE partner_id = ?', partner.id)).toHaveLength(1);
		const gone = await remove(partner.person.password);
		expect([gone.status, gone.body.data]).toEqual([200, null]);
		expect(await rows('SELECT * FROM payout_details WHERE partner_id = ?', partner.id)).toEqual([]);
		for (const again of [await remove(partner.person.password), await api(pathOf(partner), { token: partner.token })])
			expect(again.body.error).toBe('Payout details not found');
	});

	test('must enter the password again', async () => {
		const partner = await aSignedInPartner(shop);
		const refused = await put(partner, { ...partner.person, password: 'a stolen session' }, PAYPAL);
		expect([refused.status, refused.body.error]).toEqual([403, 'password is wrong']);
		expect(await rows('SELECT * FROM payout_details WHERE partner_id = ?', partner.id)).toEqual([]);
	});

	test('is notified of a change by email and in the portal, without the account', async () => {
		const partner = await aSignedInPartner(shop);
		const { emails, bindings } = aMailbox();
		const execution = createExecutionContext();
		const headers = { Authorization: `Bearer ${partner.token}`, 'Content-Type': 'application/json' };
		const body = JSON.stringify({ password: partner.person.password, ...BANK });
		const request = new Request(`http://service.test${pathOf(partner)}`, { method: 'PUT', headers, body });
		expect((await app.fetch(request, { ...env, ...bindings }, execution)).status).toBe(200);
		await waitOnExecutionContext(execution);
		expect(emails).toMatchObject([{ to: partner.person.email, subject: "Your payout details at Ada Owner's workspace were changed" }]);
		const { body: received, text } = await api<{ kind: string }[]>('/api/v1/notifications', { token: partner.token });
		expect(received.data.map(({ kind }) => kind)).toContain('payout_details_changed');
		expect(text + JSON.stringify(emails)).not.toContain(IBAN);
	});

	test.each([
		[{ method: 'paypal', email: '=cmd@people.example' }, 'email must be an email address that begins with a letter or digit'],
		[{ method: 'paypal', email: 'a\u0000b@people.example' }, 'email must be an email address that begins with a letter or digit'],
		[{ method: 'paypal', email: 'a\u202eb@people.example' }, 'email must be an email address that begins with a letter or digit'],
		[{ method: 'paypal', email: 'a\ud800b@people.example' }, 'email must be an email address that begins with a letter or digit'],
		[{ method: 'paypal' }, 'email is required for paypal'],
		[{ method: 'cash' }, 'method must be one of paypal, wise, bank'],
		[{ ...BANK, iban: 'DE89370400440532013001' }, 'iban is not a valid IBAN: a character is wrong or missing'],
		[{ ...BANK, currency: 'EURO' }, 'currency must be a currency code, such as "USD"'],
		[{ ...PAYPAL, ibann: IBAN }, 'Unknown field: ibann'],
	])('%j is refused: %s', async (details, error) => {
		const partner = await aSignedInPartner(shop);
		const refused = await put(partner, partner.person, details);
		expect([refused.status, refused.body.error]).toEqual([400, error]);
	});
});

describe('access', () => {
	test('only the person reads or changes them from their own account', async () => {
		const partner = await aPaidPartner();
		const others = [
			owner,
			await aMember(owner, 'admin'),
			await aMember(owner, 'member'),
			await signUp(),
			(await aSignedInPartner(shop)).person,
		];
		const before = await rows('SELECT * FROM payout_details WHERE partner_id = ?', partner.id);
		for (const other of others) {
			for (const answer of [
				await api(pathOf(partner), { token: other.token }),
				await put(partner, other, BANK),
				await api(pathOf(partner), { method: 'DELETE', token: other.token, body: { password: other.password } }),
			])
				expect([answer.status, answer.body.error]).toEqual([404, 'Partner account not found']);
		}
		for (const method of ['GET', 'PUT', 'DELETE']) expect((await api(pathOf(partner), { method })).status).toBe(401);
		expect(await rows('SELECT * FROM payout_details WHERE partner_id = ?', partner.id)).toEqual(before);
	});

	test('owners and admins see them in full after entering their password, which is audited', async () => {
		const partner = await aPaidPartner();
		const [admin, member, foreign] = [await aMember(owner, 'admin'), await aMember(owner, 'member'), await signUp()];
		for (const by of [owner, admin]) expect((await reveal(partner, by)).body.data).toMatchObject({ email: PAYPAL.email });
		const refusals = [
			[await reveal(partner, member), 403],
			[await reveal(partner, foreign), 403],
			[await reveal(partner, partner.person), 403],
			[await reveal(partner, owner, shop, 'a guess'), 403],
			[await reveal(partner, owner, await aShop(owner)), 404],
			[await reveal(await aPartner(shop), owner), 404],
		] as const;
		for (const [{ status, text }, expected] of refusals) {
			expect(status).toBe(expected);
			expect(text).not.toContain('Secret');
		}
		const actions = await actionsIn(owner);
		expect(actions.filter(([action, userId]) => action === 'payout_details.reveal' && userId === admin.userId)).toHaveLength(1);
		expect(JSON.stringify(actions)).not.toContain('Secret');
	});
});

describe('at rest', () => {
	test('they are encrypted differently each time, and decrypt only in their own row', async () => {
		const [one, other] = [await aPaidPartner(), await aPaidPartner()];
		const [mine, theirs] = await rows<{ partner_id: number; sealed: string }>(
			'SELECT * FROM payout_details WHERE partner_id IN (?, ?) ORDER BY partner_id',
			one.id,
			other.id,
		);
		expect(mine?.sealed).not.toBe(theirs?.sealed);
		expect(JSON.stringify([mine, theirs])).not.toMatch(/Secret|UGF0/);
		await run('UPDATE payout_details SET sealed = ? WHERE partner_id = ?', mine?.sealed, other.id);
		const swapped = await reveal(other, owner);
		expect(swapped.status).toBe(409);
		expect(swapped.text).not.toContain('Secret');
		expect((await reveal(one, owner)).status).toBe(200);
	});

	test('they are deleted with the person', async () => {
		const partner = await aPaidPartner();
		expect((await detach(shop, partner)).status).toBe(200);
		expect(await rows('SELECT * FROM payout_details WHERE partner_id = ?', partner.id)).toEqual([]);
		expect((await put(partner, partner.person, BANK)).status).toBe(404);
	});

	test('a person who is deleted during a request leaves none behind', async () => {
		for (let round = 0; round < 4; round += 1) {
			const partner = await aSignedInPartner(shop);
			const [changed] = await Promise.all([put(partner, partner.person, PAYPAL), detach(shop, partner)]);
			expect([200, 404]).toContain(changed.status);
			expect(await rows('SELECT * FROM payout_details WHERE partner_id = ?', partner.id)).toEqual([]);
		}
	});
});

test('a rotated secret still decrypts what it encrypted; another secret or another partner decrypts nothing', async () => {
	const [before, since, other] = ['the secret of before', 'the secret of now,the secret of before', 'somebody else knows this'].map(
		openSecrets,
	);
	const sealed = (await before?.seal('DE89', 'partner 1')) ?? '';
	expect(await since?.open(sealed, 'partner 1')).toBe('DE89');
	for (const open of [() => since?.open(sealed, 'partner 2'), () => since?.open(sealed), () => other?.open(sealed, 'partner 1')])
		await expect(open()).rejects.toThrow('No secret in SECRETS opens this value');
});
