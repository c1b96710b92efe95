import { beforeAll, describe, expect, test } from 'vitest';
import { anEarnedCommission, aRefund, aShop, type Shop } from '../support/ledger.ts';
import { aSignedInPartner, type SignedInPartner } from '../support/portal.ts';
import { api, type Owner, signUp } from '../support/world.ts';

let owner: Owner;
let shop: Shop;
let held: Shop;
beforeAll(async () => {
	owner = await signUp();
	[shop, held] = [await aShop(owner), await aShop(owner, 30)];
});

interface Told {
	readonly id: number;
	readonly status: string;
	readonly state_reason: string;
	readonly amount_cents: number;
	readonly remaining_cents: number;
	readonly payout_id: number | null;
	readonly payout_status: string | null;
	readonly payout_sent_at: string | null;
}

interface OwnPayoutOnWire {
	readonly id: number;
	readonly amount_cents: number;
	readonly amount_reason: string;
	readonly commissions: readonly Told[];
}

function ask<Data>({ own, token }: SignedInPartner, path: string) {
	return api<Data>(`${own}/${path}`, { token });
}

function decide(place: Shop, what: string, body: object) {
	return api<{ id: number }[]>(`${place.path}/${what}`, { token: owner.token, body });
}

describe('commissions', () => {
	test('are shown with the reason of their state, without the customer', async () => {
		const partner = await aSignedInPartner(held);
		const [pending, rejected, refunded] = [
			await anEarnedCommission(held, partner, { amountCents: 500 }),
			await anEarnedCommission(held, partner, { amountCents: 600 }),
			await anEarnedCommission(held, partner, { amountCents: 700 }),
		];
		await decide(held, 'commissions/reject', { commission_ids: [rejected.commissionId], reason: 'own order' });
		await api('/api/v1/track/refund', {
			token: held.apiToken,
			body: { transaction_id: refunded.transactionId, refund_amount_cents: 200, refund_reason: 'too small' },
		});
		const { body } = await ask<Told[]>(partner, 'commissions');
		expect(body.data.map(({ id, status, remaining_cents }) => [id, status, remaining_cents])).toEqual([
			[refunded.commissionId, 'refunded', 500],
			[rejected.commissionId, 'rejected', expect.any(Number)],
			[pending.commissionId, 'pending', 500],
		]);
		expect(body.data.map(({ state_reason }) => state_reason)).toEqual([
			expect.stringMatching(
				/^The sale was partly refunded: too small\. You earn the rest, 5\.00 USD, on \d{4}-\d\d-\d\d, when the 30-day hold/,
			),
			'Rejected by the program: own order',
			expect.stringMatching(/^You earn this on \d{4}-\d\d-\d\d, when the 30-day hold is over$/),
		]);
		const one = await ask<Told>(partner, `commissions/${pending.commissionId}`);
		expect(one.body.data).toEqual(body.data[2]);
		expect(Object.keys(one.body.data).toSorted()).toEqual(
			[
				'id status state_reason amount_cents deducted_cents remaining_cents currency sale rate lines refunds',
				'hold_until paid_at payout_id payout_failed payout_status payout_sent_at refund_reason rejection_reason created_at',
			]
				.join(' ')
				.split(' ')
				.toSorted(),
		);
		expect(await ask(partner, 'commissions/summary')).toMatchObject({
			body: {
				data: [
					{ status: 'pending', currency: 'USD', count: 1, amount_cents: 500, remaining_cents: 500 },
					{ status: 'refunded', currency: 'USD', count: 1, amount_cents: 700, remaining_cents: 500 },
					{ status: 'rejected', currency: 'USD', count: 1, amount_cents: 600 },
				],
			},
		});
	});

	test('are filtered, paged, and exported as CSV in one file', async () => {
		const partner = await aSignedInPartner(shop);
		const made = [];
		for (const currency of ['USD', 'EUR', 'USD'])
			made.unshift((await anEarnedCommission(shop, partner, { amountCents: 100, currency })).commissionId);
		const idsOf = async (query: string) => (await ask<Told[]>(partner, `commissions?${query}`)).body.data.map(({ id }) => id);
		const today = new Date().toISOString().slice(0, 10);
		expect(await idsOf(`from=${today}&to=${today}&status=approved`)).toEqual(made);
		expect(await idsOf('to=2020-01-01')).toEqual([]);
		expect(await idsOf('currency=eur')).toEqual([made[1]]);
		expect(await idsOf('status=paid')).toEqual([]);
		const first = await ask<Told[]>(partner, 'commissions?limit=2');
		expect(first.body.data).toHaveLength(2);
		expect(await idsOf(`cursor=${first.body.meta.next_cursor}`)).toEqual([made[2]]);
		const csv = await api(`${partner.own}/commissions`, { token: partner.token, headers: { Accept: 'text/csv' } });
		expect(csv.text.trim().split('\r\n')).toHaveLength(4);
		expect((await ask(partner, 'commissions?transaction_id=x')).status).toBe(400);
	});

	test('of others are not found by their id', async () => {
		const [partner, other] = [await aSignedInPartner(shop), await aSignedInPartner(shop)];
		const { commissionId } = await anEarnedCommission(shop, other, { amountCents: 100 });
		expect(await ask(partner, `commissions/${commissionId}`)).toMatchObject({ status: 404, body: { error: 'Commission not found' } });
		expect((await ask(partner, 'commissions')).body.data).toEqual([]);
	});
});

describe('payouts', () => {
	test('are shown with what they paid and the debt they recovered', async () => {
		const partner = await aSignedInPartner(shop);
		const first = await anEarnedCommission(shop, partner, { amountCents: 1_000 });
		await decide(shop, 'payouts', { commission_ids: [first.commissionId] });
		await aRefund(shop, first, 400);
		const second = await anEarnedCommission(shop, partner, { amountCents: 900 });
		const [paid] = (await decide(shop, 'payouts', { commission_ids: [second.commissionId] })).body.data;
		const { body } = await ask<OwnPayoutOnWire[]>(partner, 'payouts');
		expect(body.data).toMatchObject([
			{
				id: paid?.id,
				currency: 'USD',
				amount_cents: 500,
				amount_reason: '9.00 USD of your commissions, less 4.00 USD deducted because sales that you were paid for were refunded',
				commission_cents: 900,
				recovered_cents: 400,
				surplus_cents: 0,
				commission_count: 1,
			},
			{ amount_cents: 1_000, amount_reason: '10.00 USD of your commissions' },
		]);
		const one = await ask<OwnPayoutOnWire>(partner, `payouts/${paid?.id}`);
		expect(one.body.data).toEqual({ ...body.data[0], commissions: [expect.objectContaining({ id: second.commissionId, status: 'paid' })] });
		const { body: refunded } = await ask<Told>(partner, `commissions/${first.commissionId}`);
		expect(refunded.data.state_reason).toMatch(/^The sale was partly refunded\. It is on its way in payout \d+, so 4\.00 USD is deducted/);
		const csv = await api(`${partner.own}/payouts`, { token: partner.token, headers: { Accept: 'text/csv' } });
		expect(csv.text.trim().split('\r\n')).toHaveLength(3);
	});

	test('say of each commission whether they are on its way, paid, failed or settled', async () => {
		const partner = await aSignedInPartner(shop);
		const earned = await anEarnedCommission(shop, partner, { amountCents: 1_000 });
		const stateOf = async (id: number) => {
			const { status, payout_status, payout_sent_at, state_reason } = (await ask<Told>(partner, `commissions/${id}`)).body.data;
			return { status, payout_status, payout_sent_at, state_reason };
		};
		expect(await stateOf(earned.commissionId)).toEqual({
			status: 'approved',
			payout_status: null,
			payout_sent_at: null,
			state_reason: 'Available. It will be in an upcoming payout',
		});
		const [payout] = (await decide(shop, 'payouts', { commission_ids: [earned.commissionId] })).body.data;
		expect(await stateOf(earned.commissionId)).toEqual({
			status: 'paid',
			payout_status: 'made',
			payout_sent_at: null,
			state_reason: `It is on its way in payout ${payout?.id}, which has not been sent yet`,
		});
		await decide(shop, `payouts/${payout?.id}/sent`, {});
		expect(await stateOf(earned.commissionId)).toEqual({
			status: 'paid',
			payout_status: 'sent',
			payout_sent_at: expect.stringMatching(/^\d{4}-/),
			state_reason: expect.stringMatching(new RegExp(`^It was paid on \\d{4}-\\d\\d-\\d\\d with payout ${payout?.id}$`)),
		});
		await decide(shop, `payouts/${payout?.id}/failed`, { reason: 'The account is closed' });
		expect(await stateOf(earned.commissionId)).toMatchObject({ status: 'paid', payout_status: 'failed' });

		const csv = await api(`${partner.own}/commissions`, { token: partner.token, headers: { Accept: 'text/csv' } });
		expect(csv.text.split('\r\n')[0]).toMatch(/,payout_status,payout_sent_at$/);
	});

	test('that a debt used up have nothing to send', async () => {
		const partner = await aSignedInPartner(shop);
		const first = await anEarnedCommission(shop, partner, { amountCents: 1_000 });
		await decide(shop, 'payouts', { commission_ids: [first.commissionId] });
		await aRefund(shop, first);
		const second = await anEarnedCommission(shop, partner, { amountCents: 400 });
		await decide(shop, 'payouts', { commission_ids: [second.commissionId] });
		expect((await ask(partner, `commissions/${second.commissionId}`)).body.data).toMatchObject({ payout_status: 'settled' });
	});

	test('of others are not found', async () => {
		const [partner, other] = [await aSignedInPartner(shop), await aSignedInPartner(shop)];
		const { commissionId } = await anEarnedCommission(shop, other, { amountCents: 100 });
		const [paid] = (await decide(shop, 'payouts', { commission_ids: [commissionId] })).body.data;
		expect(await ask(partner, `payouts/${paid?.id}`)).toMatchObject({ status: 404, body: { error: 'Payout not found' } });
		expect((await ask(partner, 'payouts')).body.data).toEqual([]);
	});
});
