import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Context, openContext } from '../../src/context.ts';
import { approveCommissions } from '../../src/commissions/approve-commissions.ts';
import { rejectCommissions } from '../../src/commissions/reject-commissions.ts';
import { interrupted, losingAnswers } from '../../testing/d1/failing.ts';
import { aPartner, aRefund, aShop, anEarnedCommission, ledgerOf, type Shop, standingsOf, statusesOf } from '../support/ledger.ts';
import { managedBy } from '../support/managed.ts';
import { expectSoundLedger } from '../support/sound-ledger.ts';
import { api, type Owner, signUp } from '../support/world.ts';

let owner: Owner;

beforeAll(async () => {
	owner = await signUp();
});

type Verb = 'approve' | 'reject';

function decide(place: Shop, verb: Verb, filter: Record<string, unknown>, expectedCount: number, reason?: string) {
	return api<{ id: number; status: string }[]>(`${place.path}/commissions/${verb}`, {
		token: owner.token,
		body: { filter, expected_count: expectedCount, reason },
	});
}

/** A program with a hold. The first partner has commissions of 100 and 200, the second one of 400. */
async function aFullShop() {
	const place = await aShop(owner, 30);
	const [ada, bob] = [await aPartner(place), await aPartner(place)];
	const first = await anEarnedCommission(place, ada, { amountCents: 100 });
	const second = await anEarnedCommission(place, ada, { amountCents: 200, currency: 'EUR' });
	const other = await anEarnedCommission(place, bob, { amountCents: 400 });
	return { place, ada, bob, first, second, other };
}

async function statesOf(place: Shop): Promise<string[]> {
	const { body } = await api<{ status: string }[]>(`${place.path}/commissions`, { token: owner.token });
	return body.data.map(({ status }) => status).toReversed();
}

function behind(DB: D1Database): Context {
	return openContext({ ...env, DB }, { waitUntil: () => undefined });
}

async function auditOf(place: Shop): Promise<unknown[]> {
	const { results } = await env.DB.prepare(
		"SELECT detail FROM audit_entries WHERE program_id = ? AND action IN ('commission.approve', 'commission.reject') ORDER BY id",
	)
		.bind(place.id)
		.all<{ detail: string }>();
	return results.map(({ detail }) => JSON.parse(detail));
}

describe('the filter selects the same as in the list', () => {
	test.each([
		['partner_id', ({ ada }) => ({ partner_id: ada.id }), ['approved', 'approved', 'pending']],
		['currency', () => ({ currency: 'usd' }), ['approved', 'pending', 'approved']],
		['a transaction', ({ second }) => ({ search: second.transactionId }), ['pending', 'approved', 'pending']],
		['a partner by its address', ({ bob }) => ({ search: bob.email }), ['pending', 'pending', 'approved']],
		['from', () => ({ from: '2020-01-01', status: 'pending' }), ['approved', 'approved', 'approved']],
		['partner and currency', ({ ada }) => ({ partner_id: ada.id, currency: 'EUR' }), ['pending', 'approved', 'pending']],
		['nothing', () => ({}), ['approved', 'approved', 'approved']],
	] satisfies [string, (shop: Awaited<ReturnType<typeof aFullShop>>) => Record<string, unknown>, string[]][])(
		'%s',
		async (_, filterOf, states) => {
			const shop = await aFullShop();
			const count = states.filter((status) => status === 'approved').length;
			const answer = await decide(shop.place, 'approve', filterOf(shop), count);
			expect([answer.status, answer.body.data?.length], answer.text).toEqual([200, count]);
			expect(await statesOf(shop.place)).toEqual(states);
		},
	);

	test.each([
		['to', { to: '2020-01-01' }],
		['status', { status: 'paid' }],
		['an unknown partner', { partner_id: 999_999_999 }],
	])('%s selects none', async (_, filter) => {
		const { place } = await aFullShop();
		const answer = await decide(place, 'approve', filter, 3);
		expect([answer.status, answer.body.error]).toEqual([409, '0 commissions match and can be approved, not 3. Reload and try again']);
		expect(await statesOf(place)).toEqual(['pending', 'pending', 'pending']);
	});
});

test('only commissions that can be decided are decided, and only the rest of a partly refunded one', async () => {
	const { place, ada, first, second, other } = await aFullShop();
	await aRefund(place, first, 40);
	await aRefund(place, second);
	expect((await decide(place, 'approve', {}, 1)).body.data).toEqual([{ id: other.commissionId, status: 'approved' }]);
	const rejected = await decide(place, 'reject', {}, 2, 'Own purchases');
	expect(rejected.body.data.map(({ id }) => id).toSorted((a, b) => a - b)).toEqual([first.commissionId, other.commissionId]);
	expect(await statesOf(place)).toEqual(['rejected', 'reversed', 'rejected']);
	expect(await ledgerOf(ada)).toEqual(['credit 100 100 100', 'reversal -40 -40 60', 'rejection -60 -60 0']);
	await expectSoundLedger({ partnerProgramId: ada.partner_program_id });
});

test('a paid commission, partly refunded or not, stays unchanged', async () => {
	const place = await aShop(owner);
	const partner = await aPartner(place);
	const [refunded] = [
		await anEarnedCommission(place, partner, { amountCents: 100 }),
		await anEarnedCommission(place, partner, { amountCents: 200 }),
	];
	await api(`${place.path}/payouts`, { token: owner.token, body: {} });
	await aRefund(place, refunded, 10);
	const open = await anEarnedCommission(place, partner, { amountCents: 400 });
	expect((await decide(place, 'reject', {}, 1)).body.data).toEqual([{ id: open.commissionId, status: 'rejected' }]);
	expect(await statesOf(place)).toEqual(['refunded', 'paid', 'rejected']);
});

test('commissions of another program are not decided', async () => {
	const [{ place, ada }, mine] = [await aFullShop(), await aShop(owner)];
	expect((await decide(mine, 'reject', { partner_id: ada.id }, 2)).body.error).toBe(
		'0 commissions match and can be rejected, not 2. Reload and try again',
	);
	expect(await statesOf(place)).toEqual(['pending', 'pending', 'pending']);
});

test('a newer sale is not decided unseen', async () => {
	const { place, ada, bob } = await aFullShop();
	await anEarnedCommission(place, bob, { amountCents: 800 });
	for (const [verb, made] of [
		['approve', 'approved'],
		['reject', 'rejected'],
	] as const) {
		const answer = await decide(place, verb, {}, 3);
		expect([answer.status, answer.body.error]).toEqual([409, `4 commissions match and can be ${made}, not 3. Reload and try again`]);
	}
	expect(await statesOf(place)).toEqual(['pending', 'pending', 'pending', 'pending']);
	expect(await standingsOf(place, ada)).toEqual({
		USD: { available: 0, pending: 100, debt: 0 },
		EUR: { available: 0, pending: 200, debt: 0 },
	});
	expect(await auditOf(place)).toEqual([]);
});

describe('races', () => {
	test.each(['approve', 'reject'] as const)('if several people %s the same at once, one succeeds', async (verb) => {
		const { place, ada, bob } = await aFullShop();
		const answers = await Promise.all([1, 2, 3].map(() => decide(place, verb, { status: 'pending' }, 3)));
		expect(statusesOf(answers)).toEqual([200, 409, 409]);
		expect(await auditOf(place)).toHaveLength(1);
		for (const { partner_program_id: partnerProgramId } of [ada, bob]) await expectSoundLedger({ partnerProgramId });
	});

	test('if one approves and another rejects, each commission ends in a state that one of them was shown', async () => {
		const { place } = await aFullShop();
		const [approved, rejected] = await Promise.all([decide(place, 'approve', {}, 3), decide(place, 'reject', {}, 3)]);
		// An approved commission can still be rejected, but not the reverse.
		expect(rejected.status).toBe(200);
		expect([200, 409]).toContain(approved.status);
		expect(await statesOf(place)).toEqual(['rejected', 'rejected', 'rejected']);
	});

	test('a sale between reading and writing stays unchanged', async () => {
		const { place, ada, bob } = await aFullShop();
		const program = await managedBy(owner, place);
		const ctx = behind(interrupted(env.DB, () => anEarnedCommission(place, bob, { amountCents: 800 })));
		expect(await rejectCommissions(ctx, program, { filter: {}, expectedCount: 3 }, undefined)).toHaveLength(3);
		expect(await statesOf(place)).toEqual(['rejected', 'rejected', 'rejected', 'pending']);
		for (const { partner_program_id: partnerProgramId } of [ada, bob]) await expectSoundLedger({ partnerProgramId });
	});

	test('if one is refunded between reading and writing, nothing is decided', async () => {
		const { place, first } = await aFullShop();
		const program = await managedBy(owner, place);
		const ctx = behind(interrupted(env.DB, () => aRefund(place, first)));
		await expect(rejectCommissions(ctx, program, { filter: {}, expectedCount: 3 }, undefined)).rejects.toThrow(
			'2 commissions match and can be rejected, not 3. Reload and try again',
		);
		expect(await statesOf(place)).toEqual(['reversed', 'pending', 'pending']);
	});
});

test('a decision whose answer is lost after the commit is made once, and returns its result', async () => {
	const { place, ada, first, second } = await aFullShop();
	const program = await managedBy(owner, place);
	const choice = { filter: { partnerId: ada.id }, expectedCount: 2 };
	const ids = [first.commissionId, second.commissionId];
	expect((await approveCommissions(behind(losingAnswers(env.DB)), program, choice)).map(({ id }) => id).toSorted((a, b) => a - b)).toEqual(
		ids,
	);
	expect(
		(await rejectCommissions(behind(losingAnswers(env.DB)), program, choice, undefined)).map(({ id }) => id).toSorted((a, b) => a - b),
	).toEqual(ids);
	expect(await ledgerOf(ada)).toEqual(['credit 100 100 100', 'rejection -100 -100 0']);
});

test('the audit log has the filter, the count and the commissions, but not the search text', async () => {
	const { place, bob, other } = await aFullShop();
	await decide(place, 'approve', { search: bob.email, status: 'pending', to: '2099-01-01', partner_id: bob.id, currency: 'USD' }, 1);
	const [entry] = await auditOf(place);
	expect(entry).toMatchObject({
		filter: { status: 'pending', partner_id: bob.id, currency: 'USD', to: '2099-01-01', by_search: true },
		count: 1,
		commission_ids: [other.commissionId],
	});
	expect(JSON.stringify(entry)).not.toContain(bob.email);
});

const CHOICE = 'Send either commission_ids, or filter and expected_count';

test.each([
	[{}, CHOICE],
	[{ filter: {} }, CHOICE],
	[{ expected_count: 1 }, CHOICE],
	[{ commission_ids: [1], filter: {}, expected_count: 1 }, CHOICE],
	[{ commission_ids: [1], expected_count: 1 }, CHOICE],
	[{ filter: {}, expected_count: 0 }, 'expected_count must be an integer from 1 to 500'],
	[{ filter: {}, expected_count: 501 }, 'expected_count must be an integer from 1 to 500'],
	[{ filter: { payout_id: 1 }, expected_count: 1 }, 'Unknown field: payout_id'],
	[{ filter: { status: 'done' }, expected_count: 1 }, 'filter.status must be one of pending, approved, paid, rejected, reversed, refunded'],
	[{ filter: { from: 'soon' }, expected_count: 1 }, 'filter.from must be an ISO 8601 date (2026-01-31) or time (2026-01-31T12:00:00Z)'],
])('an invalid selection is refused (%#)', async (body, error) => {
	const place = await aShop(owner);
	const answer = await api(`${place.path}/commissions/approve`, { token: owner.token, body });
	expect([answer.status, answer.body.error]).toEqual([400, error]);
});
