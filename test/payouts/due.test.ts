import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { aPartner, aRefund, aShop, anEarnedCommission, type Shop, type TestPartner } from '../support/ledger.ts';
import { fillShop, finishRun, startRun } from '../support/pay-runs.ts';
import { aSignedInPartner } from '../support/portal.ts';
import { runs } from '../support/runs.ts';
import { api, type Owner, signUp } from '../support/world.ts';

// The list and the sums of the accounts that a run would pay (decision 64).

interface Due {
	readonly partner: { readonly id: number; readonly status: string; readonly payout_method: string | null };
	readonly currency: string;
	readonly amount_cents: number;
	readonly recovered_cents: number;
	readonly commission_cents: number;
	readonly surplus_cents: number;
	readonly commissions: number;
	readonly left_out: string | null;
	readonly reason_text: string;
}

interface Sums {
	readonly payouts: number;
	readonly currencies: readonly {
		readonly currency: string;
		readonly payouts: number;
		readonly amount_cents: number;
		readonly recovered_cents: number;
		readonly commissions: number;
		readonly without_payout_method: number;
	}[];
	readonly left_out: readonly { readonly reason: string; readonly accounts: number }[];
	readonly suspended_payouts: number;
	readonly ended_payouts: number;
}

let owner: Owner;

beforeAll(async () => {
	owner = await signUp();
});

async function dueOf(shop: Shop, query: Record<string, string> = {}): Promise<Due[]> {
	const found: Due[] = [];
	for (let cursor: string | null = ''; cursor !== null;) {
		const asked: string = new URLSearchParams({ limit: '2', ...query, ...(cursor === '' ? {} : { cursor }) }).toString();
		const page: Awaited<ReturnType<typeof api<Due[]>>> = await api<Due[]>(`${shop.path}/payouts/due?${asked}`, { token: owner.token });
		expect(page.status, page.text).toBe(200);
		found.push(...page.body.data);
		cursor = page.body.meta.next_cursor;
	}
	return found;
}

async function sumsOf(shop: Shop, query: Record<string, string> = {}): Promise<Sums> {
	const answer = await api<Sums>(`${shop.path}/payouts/due/sums?${new URLSearchParams(query).toString()}`, { token: owner.token });
	expect(answer.status, answer.text).toBe(200);
	return answer.body.data;
}

test('the list has each account once over all pages, and says why one is left out', async () => {
	const shop = await aShop(owner);
	const [ada, bob, cyd] = [
		await aPartner(shop, { name: 'Ada' }),
		await aPartner(shop, { name: 'Bob' }),
		await aPartner(shop, { name: 'Cyd' }),
	];
	await anEarnedCommission(shop, ada, { amountCents: 900 });
	await anEarnedCommission(shop, ada, { amountCents: 500, currency: 'EUR' });
	await anEarnedCommission(shop, bob, { amountCents: 50 });
	await anEarnedCommission(shop, cyd, { amountCents: 100 });
	await anEarnedCommission(shop, cyd, { amountCents: 100 });
	const due = await dueOf(shop, { minimum_cents: '100' });
	expect(due).toMatchObject([
		{ partner: { id: ada.id }, currency: 'EUR', amount_cents: 500 },
		{ partner: { id: ada.id }, currency: 'USD', amount_cents: 900, commissions: 1, left_out: null },
		{ partner: { id: cyd.id }, amount_cents: 200, commissions: 2 },
	]);
	expect(await dueOf(shop, { minimum_cents: '100', show: 'left_out' })).toMatchObject([
		{
			partner: { id: bob.id },
			amount_cents: 50,
			left_out: 'below_minimum',
			reason_text: 'The payout would be 0.50 USD, less than the minimum of 1.00 USD',
		},
	]);
	expect(await sumsOf(shop, { minimum_cents: '100' })).toMatchObject({
		payouts: 3,
		currencies: [
			{ currency: 'EUR', payouts: 1, amount_cents: 500, without_payout_method: 1 },
			{ currency: 'USD', payouts: 2, amount_cents: 1_100, commissions: 3 },
		],
	});
});

test('filters: partner, search, group, method, membership', async () => {
	const shop = await aShop(owner);
	const signedIn = await aSignedInPartner(shop);
	await api(`/api/v1/partner-accounts/${signedIn.id}/payout-details`, {
		method: 'PUT',
		token: signedIn.token,
		body: { password: signedIn.person.password, method: 'paypal', email: 'pat@people.example' },
	});
	const group = await api<{ id: number }>(`${shop.path}/groups`, { token: owner.token, body: { name: 'Gold' } });
	const gold = await aPartner(shop, { name: 'Goldie', group_id: group.body.data.id });
	const [suspended, ended] = [await aPartner(shop, { name: 'Sue' }), await aPartner(shop, { name: 'Eve' })];
	for (const partner of [signedIn, gold, suspended, ended]) await anEarnedCommission(shop, partner, { amountCents: 100 });
	await api(`${shop.path}/partners/${suspended.id}`, { method: 'PATCH', token: owner.token, body: { status: 'suspended' } });
	await api(`${shop.path}/partners/${ended.id}`, { method: 'DELETE', token: owner.token });
	const found = async (query: Record<string, string>) => {
		const ids = (await dueOf(shop, query)).map(({ partner }) => partner.id);
		expect((await sumsOf(shop, query)).payouts).toBe(ids.length);
		return ids;
	};
	expect(await found({})).toEqual([signedIn.id, gold.id]);
	expect(await found({ method: 'paypal' })).toEqual([signedIn.id]);
	expect(await found({ method: 'none' })).toEqual([gold.id]);
	expect(await found({ group_id: String(group.body.data.id) })).toEqual([gold.id]);
	expect(await found({ search: 'gOLD' })).toEqual([gold.id]);
	expect(await found({ status: 'suspended' })).toEqual([suspended.id]);
	expect(await found({ status: 'ended' })).toEqual([ended.id]);
	expect(await found({ partner_ids: `${gold.id},${ended.id}` })).toEqual([gold.id, ended.id]);
	expect(await sumsOf(shop)).toMatchObject({ suspended_payouts: 1, ended_payouts: 1 });
});

test('paging continues past partners who are due nothing', async () => {
	const shop = await aShop(owner);
	await fillShop(shop, { partners: 1_300, commissions: 1_300 });
	await finishRun(shop, await startRun(shop));
	const late = await aPartner(shop);
	await anEarnedCommission(shop, late, { amountCents: 100 });
	expect((await dueOf(shop)).map(({ partner }) => partner.id)).toEqual([late.id]);
});

test('after any history the list, the sums and the preview agree, and a run pays exactly that', async () => {
	const step = fc.record({
		partner: fc.nat(2),
		amountCents: fc.integer({ min: 1, max: 900 }),
		currency: fc.constantFrom('USD', 'EUR'),
		outcome: fc.constantFrom('nothing', 'refund', 'part', 'pay', 'pay and refund', 'pay and fail', 'reject'),
	});
	const asked = fc.record(
		{ before: fc.constantFrom('2026-01-01', '2999-01-01'), minimum_cents: fc.integer({ min: 0, max: 900 }) },
		{ requiredKeys: [] },
	);
	await fc.assert(
		fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 8 }), asked, async (steps, request) => {
			const shop = await aShop(owner);
			const partners = [await aPartner(shop), await aPartner(shop), await aPartner(shop)];
			for (const { partner, outcome, ...sale } of steps) await earn(shop, partners[partner], sale, outcome);
			const query = Object.fromEntries(Object.entries(request).map(([name, value]) => [name, String(value)]));
			const [due, leftOut, sums] = [await dueOf(shop, query), await dueOf(shop, { ...query, show: 'left_out' }), await sumsOf(shop, query)];
			const preview = await api<{ payouts: Due[]; left_out: Due[] }>(
				`${shop.path}/payouts/preview?${new URLSearchParams(query).toString()}`,
				{
					token: owner.token,
				},
			);
			expect(due.map(amountsOf)).toEqual(preview.body.data.payouts.map(amountsOf).toSorted());
			expect(leftOut.map(amountsOf)).toEqual(preview.body.data.left_out.map(amountsOf).toSorted());
			expect(sums.payouts).toBe(due.length);
			expect(sums.left_out.reduce((count, { accounts }) => count + accounts, 0)).toBe(leftOut.length);
			for (const { currency, amount_cents: amount, recovered_cents: recovered } of sums.currencies) {
				const own = due.filter((row) => row.currency === currency);
				expect([amount, recovered]).toEqual([total(own, 'amount_cents'), total(own, 'recovered_cents')]);
			}
			const run = await finishRun(shop, await startRun(shop, request));
			expect(run.counts['paid'] ?? 0).toBe(due.length);
			expect(run.sums).toEqual(Object.fromEntries(sums.currencies.map(({ currency, amount_cents: cents }) => [currency, cents])));
		}),
		runs(6),
	);
}, 120_000);

/** One line. All partner ids have the same length here, so lines sort by id. */
function amountsOf(row: Due): string {
	const {
		partner,
		currency,
		amount_cents: amount,
		recovered_cents: recovered,
		commission_cents: commissions,
		surplus_cents: surplus,
	} = row;
	return [String(partner.id).padStart(9, '0'), currency, amount, recovered, commissions, surplus].join(' ');
}

function total(rows: readonly Due[], field: 'amount_cents' | 'recovered_cents'): number {
	return rows.reduce((sum, row) => sum + row[field], 0);
}

async function earn(shop: Shop, partner: TestPartner | undefined, sale: { amountCents: number; currency: string }, outcome: string) {
	if (!partner) return;
	const earned = await anEarnedCommission(shop, partner, sale);
	if (outcome.startsWith('pay')) {
		const paid = await api<{ id: number }[]>(`${shop.path}/payouts`, {
			token: owner.token,
			body: { commission_ids: [earned.commissionId] },
		});
		if (outcome.endsWith('fail'))
			await api(`${shop.path}/payouts/${paid.body.data[0]?.id}/failed`, { token: owner.token, body: { reason: 'closed' } });
	}
	if (outcome.endsWith('refund')) await aRefund(shop, earned);
	if (outcome === 'part') await aRefund(shop, earned, Math.ceil(sale.amountCents / 2));
	if (outcome === 'reject')
		await api(`${shop.path}/commissions/reject`, { token: owner.token, body: { commission_ids: [earned.commissionId] } });
}
