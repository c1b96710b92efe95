import { env } from 'cloudflare:workers';
import { beforeAll, expect, test } from 'vitest';
import { holdingQueue } from '../../testing/queues.ts';
import { callWith } from '../support/bindings.ts';
import { aPartner, aRefund, aShop, anEarnedCommission, balancesOf, ledgerOf, type Shop, statusesOf } from '../support/ledger.ts';
import { api, type Owner, signUp } from '../support/world.ts';

interface Payout {
	readonly id: number;
	readonly partner: { readonly id: number; readonly name: string };
	readonly currency: string;
	readonly amount_cents: number;
	readonly recovered_cents: number;
	readonly commission_cents: number;
	readonly surplus_cents: number;
	readonly amount_reason: string;
	readonly commission_ids: readonly number[];
	readonly created_at: string;
}

let owner: Owner;
let shop: Shop;

beforeAll(async () => {
	owner = await signUp();
	shop = await aShop(owner);
});

function pay(place: Shop, body: Record<string, unknown>) {
	return api<Payout[]>(`${place.path}/payouts`, { token: owner.token, body });
}

async function commissionOf(place: Shop, id: number) {
	const { body } = await api<{ id: number; status: string; paid_at: string | null; payout_id: number | null; state_reason: string }[]>(
		`${place.path}/commissions?limit=200`,
		{ token: owner.token },
	);
	return body.data.find((row) => row.id === id);
}

test('a payout pays the selected commissions and deducts them from the balance', async () => {
	const partner = await aPartner(shop, { name: 'Paid Partner' });
	const earned = [];
	for (const amountCents of [300, 500, 900]) earned.push((await anEarnedCommission(shop, partner, { amountCents })).commissionId);
	const chosen = earned.slice(0, 2);
	// The messages are held, so that they can be read in the outbox.
	const EFFECTS = holdingQueue();
	const sent = { token: owner.token, body: { commission_ids: chosen.toReversed() } };
	const { status, body } = await callWith({ EFFECTS }, `${shop.path}/payouts`, sent);
	expect(status).toBe(201);
	expect(body['data']).toEqual([
		{
			id: expect.any(Number),
			status: 'made',
			partner: { id: partner.id, name: 'Paid Partner' },
			currency: 'USD',
			amount_cents: 800,
			recovered_cents: 0,
			commission_cents: 800,
			surplus_cents: 0,
			amount_reason: 'The unpaid part of its commissions',
			commission_count: 2,
			commission_ids: chosen,
			created_at: expect.stringMatching(/Z$/),
			sent_at: null,
			reference: null,
			failed_at: null,
			failure_reason: null,
		},
	]);
	const paid = await commissionOf(shop, chosen[0] ?? 0);
	const payoutId = paid?.payout_id ?? 0;
	expect(await balancesOf(shop, partner)).toEqual({ USD: 900 });
	expect((await ledgerOf(partner)).slice(3)).toEqual(['payout -300 -300 1400', 'payout -500 -500 900']);
	expect(body['data']).toMatchObject([{ id: payoutId, created_at: paid?.paid_at }]);
	expect(paid).toMatchObject({
		status: 'paid',
		state_reason: `Paid in payout ${payoutId}`,
	});
	const { results } = await env.DB.prepare("SELECT id FROM outbox WHERE kind = 'payout_made' AND subject_id = ?").bind(payoutId).all();
	expect(results).toHaveLength(1);
});

test('one request makes one payout per partner and currency', async () => {
	const place = await aShop(owner);
	const [ada, bob] = [await aPartner(place, { name: 'Ada' }), await aPartner(place, { name: 'Bob' })];
	await anEarnedCommission(place, ada, { amountCents: 100 });
	await anEarnedCommission(place, ada, { amountCents: 150 });
	await anEarnedCommission(place, ada, { amountCents: 700, currency: 'EUR' });
	await anEarnedCommission(place, bob, { amountCents: 900, currency: 'JPY' });
	const { status, body } = await pay(place, {});
	expect(status).toBe(201);
	const paid = body.data.map((payout) => `${payout.partner.name} ${payout.amount_cents} ${payout.currency}`);
	expect(new Set(paid)).toEqual(new Set(['Ada 250 USD', 'Ada 700 EUR', 'Bob 900 JPY']));
	expect(await balancesOf(place, ada)).toEqual({ USD: 0, EUR: 0 });
	expect(await balancesOf(place, bob)).toEqual({ JPY: 0 });
	expect((await pay(place, {})).body.data).toEqual([]);
});

test('a debt is recovered from the next payout, and only once', async () => {
	const partner = await aPartner(shop);
	const paid = await anEarnedCommission(shop, partner, { amountCents: 1_000 });
	await pay(shop, { commission_ids: [paid.commissionId] });
	await aRefund(shop, paid);
	expect(await balancesOf(shop, partner)).toEqual({ USD: -1_000 });

	const small = await anEarnedCommission(shop, partner, { amountCents: 300 });
	const first = await pay(shop, { commission_ids: [small.commissionId] });
	expect(first.body.data).toMatchObject([{ amount_cents: 0, recovered_cents: 300, commission_cents: 300 }]);
	expect(await balancesOf(shop, partner)).toEqual({ USD: -700 });

	const large = await anEarnedCommission(shop, partner, { amountCents: 2_000 });
	const second = await pay(shop, { commission_ids: [large.commissionId] });
	expect(second.body.data).toMatchObject([{ amount_cents: 1_300, recovered_cents: 700, commission_cents: 2_000 }]);
	expect(await balancesOf(shop, partner)).toEqual({ USD: 0 });
	expect(await ledgerOf(partner)).toEqual([
		'credit 1000 1000 1000',
		'payout -1000 -1000 0',
		'reversal -1000 -1000 -1000',
		'credit 300 300 -700',
		'payout -300 -300 -1000',
		'recovery 300 300 -700',
		'credit 2000 2000 1300',
		'payout -2000 -2000 -700',
		'recovery 700 700 0',
	]);
});

test('the rest of a partly refunded commission can be paid once; it stays refunded', async () => {
	const partner = await aPartner(shop);
	const earned = await anEarnedCommission(shop, partner, { amountCents: 1_000 });
	await aRefund(shop, earned, 400);
	const paid = await pay(shop, { partner_ids: [partner.id] });
	expect(paid.body.data).toMatchObject([{ amount_cents: 600, commission_ids: [earned.commissionId] }]);
	expect(await commissionOf(shop, earned.commissionId)).toMatchObject({
		status: 'refunded',
		payout_id: paid.body.data[0]?.id,
		state_reason: `The sale was partly refunded. The rest was paid in payout ${paid.body.data[0]?.id}`,
	});
	expect(await balancesOf(shop, partner)).toEqual({ USD: 0 });
	const again = await pay(shop, { commission_ids: [earned.commissionId] });
	expect([again.status, again.body.error]).toEqual([409, `Commission ${earned.commissionId} is refunded and was already paid`]);
	expect((await pay(shop, { partner_ids: [partner.id] })).body.data).toEqual([]);
});

test('pending commissions, rests on hold, and commissions without a rest are not paid', async () => {
	const slow = await aShop(owner, 30);
	const partner = await aPartner(slow);
	const [pending, rest, nothing, approved] = [
		await anEarnedCommission(slow, partner, { amountCents: 100 }),
		await anEarnedCommission(slow, partner, { amountCents: 200 }),
		await anEarnedCommission(slow, partner, { amountCents: 300 }),
		await anEarnedCommission(slow, partner, { amountCents: 400 }),
	];
	await aRefund(slow, rest, 50);
	await aRefund(slow, nothing, 300);
	await api(`${slow.path}/commissions/approve`, { token: owner.token, body: { commission_ids: [approved.commissionId] } });
	const refusals = [
		[pending, /is pending: only approved commissions/],
		[rest, /is partly refunded and the rest is on hold until /],
		[nothing, /is refunded and has nothing left to pay/],
	] as const;
	for (const [earned, reason] of refusals) {
		const refused = await pay(slow, { commission_ids: [approved.commissionId, earned.commissionId] });
		expect(refused.status).toBe(409);
		expect(refused.body.error).toMatch(new RegExp(`^Commission ${earned.commissionId} `));
		expect(refused.body.error).toMatch(reason);
	}
	expect((await pay(slow, {})).body.data).toMatchObject([{ commission_ids: [approved.commissionId], amount_cents: 400 }]);
});

test('a commission of 0 cents can be paid', async () => {
	const place = await aShop(owner);
	const partner = await aPartner(place);
	await env.DB.prepare('UPDATE commission_rules SET archived_at = 1 WHERE program_id = ?').bind(place.id).run();
	const made = await api(`${place.path}/commission-rules`, { token: owner.token, body: { type: 'percent', percent: 0 } });
	expect(made.status, made.text).toBe(201);
	const earned = await anEarnedCommission(place, partner, { amountCents: 100 });
	const { body } = await pay(place, {});
	expect(body.data).toMatchObject([{ amount_cents: 0, recovered_cents: 0, commission_ids: [earned.commissionId] }]);
});

test('all or nothing: an unknown commission, or one of another program, stops the payout', async () => {
	const partner = await aPartner(shop);
	const mine = await anEarnedCommission(shop, partner, { amountCents: 100 });
	const other = await aShop(owner);
	const foreign = await anEarnedCommission(other, await aPartner(other), { amountCents: 100 });
	const refused = await pay(shop, { commission_ids: [mine.commissionId, foreign.commissionId] });
	expect([refused.status, refused.body.error]).toEqual([404, `Commission ${foreign.commissionId} not found`]);
	expect(await balancesOf(shop, partner)).toEqual({ USD: 100 });
	const nobody = await pay(other, { partner_ids: [partner.id] });
	expect([nobody.status, nobody.body.error]).toEqual([404, `Partner ${partner.id} not found`]);
});

test('filters: partners, a day or instant before which, and a minimum amount', async () => {
	const place = await aShop(owner);
	const [rich, poor, debtor] = [await aPartner(place), await aPartner(place), await aPartner(place)];
	await anEarnedCommission(place, rich, { amountCents: 600 });
	await anEarnedCommission(place, rich, { amountCents: 500 });
	await anEarnedCommission(place, poor, { amountCents: 400 });
	const spent = await anEarnedCommission(place, debtor, { amountCents: 800 });
	await pay(place, { commission_ids: [spent.commissionId] });
	await aRefund(place, spent);
	await anEarnedCommission(place, debtor, { amountCents: 1_500 });

	expect((await pay(place, { before: '2026-01-01' })).body.data).toEqual([]);
	expect((await pay(place, { before: new Date().toISOString().slice(0, 10) })).body.data).toEqual([]);
	const paid = await pay(place, { minimum_cents: 1_000, before: new Date(Date.now() + 60_000).toISOString() });
	expect(paid.body.data).toMatchObject([{ partner: { id: rich.id }, amount_cents: 1_100 }]);
	const named = await pay(place, { partner_ids: [debtor.id], minimum_cents: 700 });
	expect(named.body.data).toMatchObject([{ partner: { id: debtor.id }, amount_cents: 700, recovered_cents: 800 }]);
	expect(await balancesOf(place, poor)).toEqual({ USD: 400 });
});

test.each([
	[{ commission_ids: [1], before: '2026-01-01' }, 'commission_ids cannot be combined with partner_ids, before or minimum_cents'],
	[{ comission_ids: [1] }, 'Unknown field: comission_ids'],
	[{ before: 'yesterday' }, 'before must be an ISO 8601 date (2026-01-31) or time (2026-01-31T12:00:00Z)'],
	[{ minimum_cents: -1 }, 'minimum_cents must be an integer from 0 to 99999999999'],
])('an invalid payout %j is refused: %s', async (body, error) => {
	const answer = await pay(shop, body);
	expect([answer.status, answer.body.error]).toEqual([400, error]);
});

test('concurrent payouts of the same commissions: exactly one pays', async () => {
	const partner = await aPartner(shop);
	const ids: number[] = [];
	for (const amountCents of [100, 200, 300]) ids.push((await anEarnedCommission(shop, partner, { amountCents })).commissionId);
	const answers = await Promise.all([1, 2, 3, 4, 5].map(() => pay(shop, { commission_ids: ids })));
	expect(statusesOf(answers)).toEqual([201, 409, 409, 409, 409]);
	expect(answers.find((answer) => answer.status === 409)?.body.error).toMatch(new RegExp(`^Commission ${ids[0]} is paid: `));
	expect(await balancesOf(shop, partner)).toEqual({ USD: 0 });
});

test('concurrent payouts of everything due: exactly one pays, the others find nothing', async () => {
	const place = await aShop(owner);
	const [ada, bob] = [await aPartner(place), await aPartner(place)];
	await anEarnedCommission(place, ada, { amountCents: 100 });
	await anEarnedCommission(place, bob, { amountCents: 200 });
	const answers = await Promise.all([1, 2, 3, 4, 5].map((minimum) => pay(place, { minimum_cents: minimum })));
	expect(answers.map((answer) => answer.status)).toEqual([201, 201, 201, 201, 201]);
	expect(answers.map((answer) => answer.body.data.length).toSorted((a, b) => a - b)).toEqual([0, 0, 0, 0, 2]);
	expect([await balancesOf(place, ada), await balancesOf(place, bob)]).toEqual([{ USD: 0 }, { USD: 0 }]);
});

test('concurrent sales, refunds and payouts: the balance is the sum of the ledger, and nothing is paid twice', async () => {
	const place = await aShop(owner);
	const partner = await aPartner(place);
	const earned = [];
	for (const amountCents of [110, 230, 370, 490]) earned.push(await anEarnedCommission(place, partner, { amountCents }));
	await Promise.all([
		pay(place, {}),
		...earned.slice(0, 2).map((sale) => aRefund(place, sale, 10)),
		pay(place, {}),
		anEarnedCommission(place, partner, { amountCents: 70 }),
		pay(place, { minimum_cents: 50 }),
		aRefund(place, earned[2] ?? { commissionId: 0, saleId: 0, transactionId: '' }),
	]);
	await pay(place, {});
	const { results } = await env.DB.prepare(
		`SELECT (SELECT sum(applied_cents) FROM ledger_entries WHERE partner_program_id = ?1) AS entries,
			(SELECT balance_cents FROM partner_program_balances WHERE partner_program_id = ?1) AS balance,
			(SELECT sum(amount_cents) FROM payouts WHERE partner_program_id = ?1) AS paid,
			(SELECT count(*) FROM ledger_entries WHERE partner_program_id = ?1 AND kind = 'payout') AS payments,
			(SELECT count(*) FROM commissions WHERE partner_program_id = ?1 AND payout_id IS NOT NULL) AS paid_commissions`,
	)
		.bind(partner.partner_program_id)
		.all<{ entries: number; balance: number; paid: number; payments: number; paid_commissions: number }>();
	const [sums] = results;
	expect(sums?.balance).toBe(sums?.entries);
	expect(sums?.payments).toBe(sums?.paid_commissions);
	// 390 of the 1,270 earned were refunded. If more than the rest was paid, the difference is a debt.
	expect((sums?.paid ?? 0) + (sums?.balance ?? 0)).toBe(1_270 - 390);
});
