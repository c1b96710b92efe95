import { beforeAll, describe, expect, test } from 'vitest';
import { callWith } from '../support/bindings.ts';
import { placesOf } from '../support/everywhere.ts';
import { rows } from '../support/funnel.ts';
import { aPartner, anEarnedCommission, aRefund, aShop, type Shop } from '../support/ledger.ts';
import { aMailbox } from '../support/mail.ts';
import { aSignedInPartner, signedIn } from '../support/portal.ts';
import { api, type Owner, signUp } from '../support/world.ts';

// Deleting an account gives up no money unseen (decision 73).

let shop: Shop;
let owner: Owner;
beforeAll(async () => {
	owner = await signUp();
	shop = await aShop(owner);
});

const leave = ({ token, password }: Pick<Owner, 'token' | 'password'>, fields: object = {}) =>
	api('/api/v1/me', { method: 'DELETE', token, body: { password, ...fields } });

interface Refusal {
	readonly error: string;
	readonly owed?: readonly unknown[];
}

async function refusalOf(person: Pick<Owner, 'token' | 'password'>, fields: object = {}): Promise<Refusal & { readonly status: number }> {
	const { status, text } = await leave(person, fields);
	const refusal: Refusal = JSON.parse(text);
	return { status, ...refusal };
}

async function pay(partnerId: number): Promise<number | undefined> {
	const paid = await api<{ id: number }[]>(`${shop.path}/payouts`, { token: owner.token, body: { partner_ids: [partnerId] } });
	return paid.body.data[0]?.id;
}

async function nameOf({ id }: Shop) {
	return String((await rows('SELECT name FROM programs WHERE id = ?', id))[0]?.['name']);
}

describe('an account that is owed something', () => {
	test('is deleted only after consent, and is told the sums of each program and currency', async () => {
		const [partner, held] = [await aSignedInPartner(shop), await aShop(owner, 30)];
		const other = await signedIn(await aPartner(held), partner.person);
		await anEarnedCommission(shop, partner, { amountCents: 10_000 });
		const payout = await pay(partner.id);
		await anEarnedCommission(shop, partner, { amountCents: 7_588 });
		await anEarnedCommission(shop, partner, { amountCents: 90, currency: 'EUR' });
		await anEarnedCommission(held, other, { amountCents: 500 });
		const [here, there] = [
			{ id: shop.id, name: await nameOf(shop) },
			{ id: held.id, name: await nameOf(held) },
		];
		expect(await refusalOf(partner.person)).toEqual({
			status: 409,
			error: `You would give up what you are not paid yet: 0.90 EUR of ${here.name}, 175.88 USD of ${here.name}, 5.00 USD of ${there.name}. Wait until you are paid, or send give_up_earnings: true`,
			owed: [
				{ program: here, currency: 'EUR', unpaid_cents: 90, on_its_way_cents: 0 },
				{ program: here, currency: 'USD', unpaid_cents: 7_588, on_its_way_cents: 10_000 },
				{ program: there, currency: 'USD', unpaid_cents: 500, on_its_way_cents: 0 },
			],
		});
		expect(await refusalOf(partner.person, { give_up_earnings: false })).toMatchObject({ status: 409 });
		expect((await api('/api/v1/me', { token: partner.token })).status).toBe(200);

		await api(`${shop.path}/payouts/${payout}/sent`, { token: owner.token, body: {} });
		expect((await refusalOf(partner.person)).owed).toContainEqual({
			program: here,
			currency: 'USD',
			unpaid_cents: 7_588,
			on_its_way_cents: 0,
		});
		expect((await leave(partner.person, { give_up_earnings: true })).status).toBe(200);
		const [entry] = await rows("SELECT detail FROM audit_entries WHERE user_id = ? AND action = 'account.delete'", partner.person.userId);
		expect(JSON.parse(String(entry?.['detail']))).toEqual({
			given_up: [
				{ program_id: shop.id, currency: 'EUR', amount_cents: 90 },
				{ program_id: shop.id, currency: 'USD', amount_cents: 7_588 },
				{ program_id: held.id, currency: 'USD', amount_cents: 500 },
			],
		});
	});

	test('hides the sums from a stolen session without the password', async () => {
		const partner = await aSignedInPartner(shop);
		await anEarnedCommission(shop, partner, { amountCents: 100 });
		expect(await refusalOf({ ...partner.person, password: 'wrong horse battery' })).toEqual({ status: 403, error: 'password is wrong' });
	});

	test('needs no consent once it is paid, or if it only has a debt', async () => {
		const [paid, debtor] = [await aSignedInPartner(shop), await aSignedInPartner(shop)];
		await anEarnedCommission(shop, paid, { amountCents: 100 });
		await api(`${shop.path}/payouts/${await pay(paid.id)}/sent`, { token: owner.token, body: {} });
		expect((await leave(paid.person)).status).toBe(200);
		const earned = await anEarnedCommission(shop, debtor, { amountCents: 100 });
		await api(`${shop.path}/payouts/${await pay(debtor.id)}/sent`, { token: owner.token, body: {} });
		await aRefund(shop, earned);
		expect((await leave(debtor.person)).status).toBe(200);
	});

	test('is told by email what was given up, at the address that it had', async () => {
		const [mailbox, partner] = [aMailbox(), await aSignedInPartner(shop)];
		await anEarnedCommission(shop, partner, { amountCents: 17_588 });
		const deletion = (fields: object) =>
			callWith(mailbox.bindings, '/api/v1/me', {
				method: 'DELETE',
				token: partner.token,
				body: { password: partner.person.password, ...fields },
			});
		expect((await deletion({})).status).toBe(409);
		expect(mailbox.emails).toEqual([]);
		expect((await deletion({ give_up_earnings: true })).status).toBe(200);
		expect(mailbox.emails).toMatchObject([{ to: partner.person.email, subject: 'Your account was deleted' }]);
		expect(mailbox.emails[0]?.text).toContain(': 175.88 USD\n');
		expect(await placesOf(partner.person.email)).toEqual([]);
	});
});
