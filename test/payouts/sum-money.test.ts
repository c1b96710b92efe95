import { beforeAll, expect, test } from 'vitest';
import { fillSums, keepSums } from '../../src/commission-sums/keep-sums.ts';
import { DAY_MS, dayOf } from '../../src/domain/calendar.ts';
import { sumMoney } from '../../src/payouts/sum-money.ts';
import { contextAt } from '../support/clock.ts';
import { aPartner, aRefund, aShop, anEarnedCommission, joinWorkspace, type Shop } from '../support/ledger.ts';
import { api, type Owner, signUp } from '../support/world.ts';

// The four sums that the money pages lead with.

interface Sums {
	readonly month: string;
	readonly currencies: readonly Record<string, string | number>[];
}

let owner: Owner;
beforeAll(async () => {
	owner = await signUp();
});

async function moneyOf(shop: Shop): Promise<Sums> {
	const { status, text, body } = await api<Sums>(`${shop.path}/payouts/sums`, { token: owner.token });
	expect(status, text).toBe(200);
	return body.data;
}

interface Payout {
	readonly id: number;
}

async function pay(shop: Shop, body: object): Promise<readonly Payout[]> {
	const answer = await api<readonly Payout[]>(`${shop.path}/payouts`, { token: owner.token, body });
	expect(answer.status, answer.text).toBe(201);
	return answer.body.data;
}

async function mark(shop: Shop, { id }: Payout, as: 'sent' | 'failed'): Promise<void> {
	const body = as === 'failed' ? { reason: 'The account is closed' } : {};
	const answer = await api(`${shop.path}/payouts/${id}/${as}`, { token: owner.token, body });
	expect(answer.status, answer.text).toBe(200);
}

const NOTHING = {
	due_cents: 0,
	on_hold_cents: 0,
	on_its_way_cents: 0,
	on_its_way_payouts: 0,
	paid_this_month_cents: 0,
	paid_this_month_payouts: 0,
};

test('a program without money has its own currency', async () => {
	const shop = await aShop(owner);
	expect(await moneyOf(shop)).toEqual({ month: dayOf(Date.now(), 'UTC').slice(0, 7), currencies: [{ currency: 'USD', ...NOTHING }] });
});

test('money moves from due to on its way to paid, and back if a payout fails', async () => {
	const shop = await aShop(owner);
	const [ada, bob] = [await aPartner(shop), await aPartner(shop)];
	await anEarnedCommission(shop, ada, { amountCents: 1_000 });
	await anEarnedCommission(shop, bob, { amountCents: 300 });
	await anEarnedCommission(shop, bob, { amountCents: 50, currency: 'EUR' });
	const euros = { currency: 'EUR', ...NOTHING, due_cents: 50 };
	expect((await moneyOf(shop)).currencies).toEqual([{ currency: 'USD', ...NOTHING, due_cents: 1_300 }, euros]);
	const [toAda] = await pay(shop, { partner_ids: [ada.id] });
	const [toBob] = (await pay(shop, { partner_ids: [bob.id] })).toSorted((one, other) => one.id - other.id);
	if (!toAda || !toBob) throw new Error('Nobody was paid');
	const [dollars] = (await moneyOf(shop)).currencies;
	expect(dollars).toEqual({ currency: 'USD', ...NOTHING, on_its_way_cents: 1_300, on_its_way_payouts: 2 });
	await mark(shop, toAda, 'sent');
	expect((await moneyOf(shop)).currencies[0]).toMatchObject({
		on_its_way_cents: 300,
		paid_this_month_cents: 1_000,
		paid_this_month_payouts: 1,
	});
	await mark(shop, toAda, 'failed');
	expect((await moneyOf(shop)).currencies[0]).toEqual({ currency: 'USD', ...NOTHING, on_its_way_cents: 300, on_its_way_payouts: 1 });
});

test('commissions on hold are not due', async () => {
	const shop = await aShop(owner, 30);
	await anEarnedCommission(shop, await aPartner(shop), { amountCents: 1_000 });
	expect((await moneyOf(shop)).currencies).toEqual([{ currency: 'USD', ...NOTHING, on_hold_cents: 1_000 }]);
});

test('what was sent counts in its month only', async () => {
	const shop = await aShop(owner);
	await anEarnedCommission(shop, await aPartner(shop), { amountCents: 1_000 });
	const [payout] = await pay(shop, {});
	if (!payout) throw new Error('Nobody was paid');
	await mark(shop, payout, 'sent');
	const program = { id: shop.id, currency: 'USD', timeZone: 'Pacific/Kiritimati' };
	const [{ month, sums }, later] = [
		await sumMoney(contextAt(Date.now()), program),
		await sumMoney(contextAt(Date.now() + 31 * DAY_MS), program),
	];
	expect(sums).toMatchObject([{ paidThisMonthCents: 1_000, paidThisMonthPayouts: 1 }]);
	expect(later.month.start).toBeGreaterThan(month.start);
	expect(later.sums).toMatchObject([{ paidThisMonthCents: 0, paidThisMonthPayouts: 0 }]);
});

test('a payout that only recovers a debt is neither on its way nor paid', async () => {
	const shop = await aShop(owner);
	const partner = await aPartner(shop);
	const earned = await anEarnedCommission(shop, partner, { amountCents: 400 });
	await pay(shop, {});
	await aRefund(shop, earned);
	await anEarnedCommission(shop, partner, { amountCents: 100 });
	expect((await moneyOf(shop)).currencies[0]).toMatchObject({ due_cents: 100, on_its_way_cents: 400, on_its_way_payouts: 1 });
	await pay(shop, {});
	expect((await moneyOf(shop)).currencies[0]).toMatchObject({ due_cents: 0, on_its_way_cents: 400, on_its_way_payouts: 1 });
});

test('due and on hold are the sums of the commissions, also if these are stored', async () => {
	const shop = await aShop(owner);
	const partner = await aPartner(shop);
	for (const amountCents of [10, 20, 30]) await anEarnedCommission(shop, partner, { amountCents });
	const before = await moneyOf(shop);
	await keepSums(contextAt(Date.now()), { programId: shop.id, partnerProgramId: 0 });
	while ((await fillSums(contextAt(Date.now()))) > 0);
	expect(await moneyOf(shop)).toEqual(before);
	await anEarnedCommission(shop, partner, { amountCents: 40 });
	expect((await moneyOf(shop)).currencies).toEqual([{ currency: 'USD', ...NOTHING, due_cents: 100 }]);
});

interface DueSums {
	readonly currencies: readonly { readonly currency: string; readonly amount_cents: number }[];
}

test('without minimums, debts, refunds and inactive partners, a run pays what is due', async () => {
	const shop = await aShop(owner);
	const [ada, bob] = [await aPartner(shop), await aPartner(shop)];
	await anEarnedCommission(shop, ada, { amountCents: 700 });
	await anEarnedCommission(shop, bob, { amountCents: 20 });
	const paid = async () => (await api<DueSums>(`${shop.path}/payouts/due/sums`, { token: owner.token })).body.data.currencies;
	expect(await paid()).toMatchObject([{ currency: 'USD', amount_cents: 720 }]);
	expect((await moneyOf(shop)).currencies).toMatchObject([{ currency: 'USD', due_cents: 720 }]);
	await api(`${shop.path}/partners/${bob.id}`, { method: 'PATCH', token: owner.token, body: { status: 'suspended' } });
	expect(await paid()).toMatchObject([{ currency: 'USD', amount_cents: 700 }]);
	expect((await moneyOf(shop)).currencies).toMatchObject([{ currency: 'USD', due_cents: 720 }]);
});

test('each member reads them, and nobody else', async () => {
	const shop = await aShop(owner);
	const [member, stranger] = [await signUp(), await signUp()];
	await joinWorkspace(owner, member, 'member');
	expect((await api(`${shop.path}/payouts/sums`, { token: member.token })).status).toBe(200);
	expect((await api(`${shop.path}/payouts/sums`, { token: stranger.token })).status).toBe(403);
	expect((await api(`${shop.path}/payouts/sums`)).status).toBe(401);
	expect((await api(`${shop.path}/payouts/sums?currency=USD`, { token: owner.token })).status).toBe(400);
});
