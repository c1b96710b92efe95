import { beforeAll, describe, expect, test } from 'vitest';
import { anEarnedCommission, aPartner, aRefund, aShop, type Shop } from '../support/ledger.ts';
import { aSignedInPartner, detach, type SignedInPartner } from '../support/portal.ts';
import { api, type Owner, signUp } from '../support/world.ts';

let owner: Owner;
let shop: Shop;
beforeAll(async () => {
	owner = await signUp();
	shop = await aShop(owner);
	await api(shop.path, { method: 'PATCH', token: owner.token, body: { domain: 'shop.example', time_zone: 'Europe/Berlin' } });
});

interface Overview {
	readonly status: string;
	readonly rates: readonly unknown[];
	readonly balances: unknown;
	readonly default_link: { readonly id: number; readonly url: string; readonly page_url: string } | null;
	readonly money: readonly unknown[];
	readonly next_payouts: readonly unknown[];
	readonly payout_details: unknown;
}

function overviewOf({ own, token }: Pick<SignedInPartner, 'own' | 'token'>) {
	return api<Overview>(own, { token });
}

function setStatus(partner: SignedInPartner, status: string) {
	return api(`${shop.path}/partners/${partner.id}`, { method: 'PATCH', token: owner.token, body: { status } });
}

test('a partner sees the program, their link, earnings, balance and next payout', async () => {
	const partner = await aSignedInPartner(shop);
	await anEarnedCommission(shop, partner, { amountCents: 1_250 });
	const { status, body } = await overviewOf(partner);
	const [link] = partner.links;
	expect(status).toBe(200);
	expect(body.data).toEqual({
		id: partner.partner_program_id,
		status: 'active',
		joined_at: partner.created_at,
		partner: { id: partner.id, name: 'Pat Partner' },
		program: {
			id: shop.id,
			name: expect.any(String),
			domain: 'shop.example',
			currency: 'USD',
			time_zone: 'Europe/Berlin',
			archived_at: null,
			cookie_window_days: 60,
			active: true,
		},
		rates: [
			{ applies_to: 'everyone', product_id: null, type: 'percent', percent: 100, currency: null, recurring_months: null, hold_days: 0 },
		],
		balances: { USD: { available: 1_250, pending: 0, debt: 0 } },
		money: [
			{
				currency: 'USD',
				on_hold_cents: 0,
				available_cents: 1_250,
				on_its_way_cents: 0,
				on_its_way_payouts: 0,
				on_its_way_payout_id: null,
				paid_cents: 0,
				paid_payouts: 0,
			},
		],
		default_link: {
			...link,
			url: `http://service.test/r/${link?.short_link}`,
			page_url: `https://shop.example/?aff=${link?.short_link}`,
		},
		next_payouts: [
			{ currency: 'USD', amount_cents: 1_250, minimum_cents: 0, reason: '12.50 USD can be paid now. The program decides when' },
		],
		payout_details: null,
	});
});

test('a partner sees their own payment details, masked', async () => {
	const [partner, other] = [await aSignedInPartner(shop), await aSignedInPartner(shop)];
	const { token, person } = partner;
	const body = { method: 'paypal', email: 'pat@partners.example', password: person.password };
	expect((await api(`/api/v1/partner-accounts/${partner.id}/payout-details`, { method: 'PUT', token, body })).status).toBe(200);
	expect((await overviewOf(partner)).body.data.payout_details).toEqual({
		method: 'paypal',
		summary: 'PayPal p…@partners.example',
		changed_at: expect.any(String),
	});
	expect((await overviewOf(other)).body.data.payout_details).toBeNull();
});

test("a partner sees their own rule before the general one, and nobody else's", async () => {
	const [partner, other] = [await aSignedInPartner(shop), await aSignedInPartner(shop)];
	const rule = (body: object) => api(`${shop.path}/commission-rules`, { token: owner.token, body });
	await rule({ type: 'percent', percent: 12.5, partner_id: partner.id, hold_days: 7 });
	await rule({ type: 'flat', amount_cents: 300, partner_id: partner.id, product_id: 'book', recurring_months: 0 });
	expect((await overviewOf(partner)).body.data.rates).toEqual([
		{ applies_to: 'you', product_id: 'book', type: 'flat', amount_cents: 300, currency: 'USD', recurring_months: 0, hold_days: 0 },
		{ applies_to: 'you', product_id: null, type: 'percent', percent: 12.5, currency: null, recurring_months: null, hold_days: 7 },
	]);
	expect((await overviewOf(other)).body.data.rates).toMatchObject([{ applies_to: 'everyone', percent: 100 }]);
});

test('a partner sees their own amount on hold', async () => {
	const held = await aShop(owner, 30);
	const [partner, other] = [await aSignedInPartner(held), await aSignedInPartner(held)];
	await anEarnedCommission(held, partner, { amountCents: 200 });
	await anEarnedCommission(held, other, { amountCents: 700 });
	await anEarnedCommission(held, partner, { amountCents: 90, currency: 'EUR' });
	expect((await overviewOf(partner)).body.data).toMatchObject({
		balances: { USD: { available: 0, pending: 200, debt: 0 }, EUR: { available: 0, pending: 90, debt: 0 } },
		next_payouts: expect.arrayContaining([expect.objectContaining({ reason: 'Nothing can be paid yet: 2.00 USD is on hold' })]),
	});
});

async function pay(partner: SignedInPartner, amountCents: number, currency = 'USD') {
	const { commissionId } = await anEarnedCommission(shop, partner, { amountCents, currency });
	const paid = await api<{ id: number }[]>(`${shop.path}/payouts`, { token: owner.token, body: { commission_ids: [commissionId] } });
	return paid.body.data[0]?.id ?? 0;
}

function mark(payoutId: number, how: string, body: object = {}) {
	return api(`${shop.path}/payouts/${payoutId}/${how}`, { token: owner.token, body });
}

async function moneyOf(partner: SignedInPartner) {
	return (await overviewOf(partner)).body.data.money;
}

describe('where the money is', () => {
	test('is on its way while its payout is not sent, and paid only after it is sent', async () => {
		const partner = await aSignedInPartner(shop);
		const first = await pay(partner, 700);
		expect(await moneyOf(partner)).toMatchObject([
			{ available_cents: 0, on_its_way_cents: 700, on_its_way_payouts: 1, on_its_way_payout_id: first, paid_cents: 0, paid_payouts: 0 },
		]);
		await mark(first, 'sent');
		expect(await moneyOf(partner)).toMatchObject([
			{ on_its_way_cents: 0, on_its_way_payouts: 0, on_its_way_payout_id: null, paid_cents: 700, paid_payouts: 1 },
		]);
		await pay(partner, 100);
		await pay(partner, 200);
		expect(await moneyOf(partner)).toMatchObject([
			{ on_its_way_cents: 300, on_its_way_payouts: 2, on_its_way_payout_id: null, paid_cents: 700 },
		]);
	});

	test('is available again after its payout failed, sent or not', async () => {
		const partner = await aSignedInPartner(shop);
		const [unsent, sent] = [await pay(partner, 700), await pay(partner, 50)];
		await mark(sent, 'sent');
		for (const id of [unsent, sent]) await mark(id, 'failed', { reason: 'No such account' });
		expect(await moneyOf(partner)).toMatchObject([{ available_cents: 750, on_its_way_cents: 0, on_its_way_payouts: 0, paid_cents: 0 }]);
	});

	test('is told in every currency, also if all of it was paid, and without the money of others', async () => {
		const [partner, other] = [await aSignedInPartner(shop), await aSignedInPartner(shop)];
		await mark(await pay(partner, 90, 'EUR'), 'sent');
		await pay(other, 5_000, 'JPY');
		await anEarnedCommission(shop, partner, { amountCents: 30, currency: 'CHF' });
		expect(await moneyOf(partner)).toMatchObject([
			{ currency: 'USD', available_cents: 0, paid_cents: 0 },
			{ currency: 'CHF', available_cents: 30, paid_cents: 0 },
			{ currency: 'EUR', available_cents: 0, paid_cents: 90, paid_payouts: 1 },
		]);
	});
});

test("a partner sees the program's minimum in its currency", async () => {
	const own = await aShop(owner);
	const partner = await aSignedInPartner(own);
	await anEarnedCommission(own, partner, { amountCents: 400 });
	await api(own.path, { method: 'PATCH', token: owner.token, body: { payout_minimum_cents: 500 } });
	expect((await overviewOf(partner)).body.data.next_payouts).toEqual([
		{
			currency: 'USD',
			amount_cents: 0,
			minimum_cents: 500,
			reason: '4.00 USD can be paid, which is less than the minimum payout of 5.00 USD',
		},
	]);
});

test('a partner sees a debt and its consequence', async () => {
	const partner = await aSignedInPartner(shop);
	const earned = await anEarnedCommission(shop, partner, { amountCents: 400 });
	await api(`${shop.path}/payouts`, { token: owner.token, body: { commission_ids: [earned.commissionId] } });
	await aRefund(shop, earned);
	expect((await overviewOf(partner)).body.data).toMatchObject({
		balances: { USD: { available: 0, pending: 0, debt: 400 } },
		next_payouts: [
			{ amount_cents: 0, reason: 'Sales that you were paid for were refunded, so 4.00 USD is deducted from your next earnings' },
		],
	});
});

test('without a domain there is no link', async () => {
	const partner = await aSignedInPartner(await aShop(owner));
	expect((await overviewOf(partner)).body.data.default_link).toMatchObject({ id: partner.links[0]?.id, url: null, page_url: null });
});

describe('a membership', () => {
	test('can only be read if it is suspended', async () => {
		const partner = await aSignedInPartner(shop);
		await setStatus(partner, 'suspended');
		expect((await overviewOf(partner)).body.data.status).toBe('suspended');
		const { token } = partner;
		for (const path of ['links', 'performance', 'commissions', 'payouts']) {
			expect((await api(`${partner.own}/${path}`, { token })).status).toBe(200);
		}
		const body = { destination_url: 'https://shop.example/a' };
		const error = 'The program has suspended you: you can read but not change anything';
		const linkPath = `${partner.own}/links/${partner.links[0]?.id}`;
		expect(await api(`${partner.own}/links`, { token, body })).toMatchObject({ status: 403, body: { error } });
		expect(await api(linkPath, { method: 'PATCH', token, body })).toMatchObject({ status: 403 });
		expect(await api(linkPath, { method: 'DELETE', token })).toMatchObject({ status: 403 });
	});

	test('shows only past earnings if it has ended', async () => {
		const partner = await aSignedInPartner(shop);
		await anEarnedCommission(shop, partner, { amountCents: 900 });
		await api(`${shop.path}/partners/${partner.id}`, { method: 'DELETE', token: owner.token });
		const { token } = partner;
		expect((await overviewOf(partner)).body.data).toMatchObject({
			status: 'ended',
			default_link: null,
			balances: { USD: { available: 900 } },
		});
		for (const path of ['commissions', 'commissions/summary', 'payouts']) {
			expect((await api(`${partner.own}/${path}`, { token })).status).toBe(200);
		}
		const error = 'You are no longer a partner of this program: you can still read what you earned';
		for (const path of ['links', 'performance']) {
			expect(await api(`${partner.own}/${path}`, { token })).toMatchObject({ status: 403, body: { error } });
		}
		expect((await api(`${partner.own}/links`, { token, body: { destination_url: 'https://shop.example/a' } })).status).toBe(403);
	});

	test('is not found for a removed partner or another person', async () => {
		const [partner, other] = [await aSignedInPartner(shop), await aSignedInPartner(shop)];
		const open = await aPartner(shop);
		const unknown = { status: 404, body: { error: 'Partner program not found' } };
		expect(await overviewOf({ ...other, own: partner.own })).toMatchObject(unknown);
		expect(await overviewOf({ own: `/api/v1/partner-programs/${open.partner_program_id}`, token: partner.token })).toMatchObject(unknown);
		expect(await overviewOf({ own: partner.own, token: owner.token })).toMatchObject(unknown);
		expect(await overviewOf({ own: '/api/v1/partner-programs/999999999', token: partner.token })).toMatchObject(unknown);
		await detach(shop, partner);
		expect(await overviewOf(partner)).toMatchObject(unknown);
	});
});
