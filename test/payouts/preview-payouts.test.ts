import { env } from 'cloudflare:workers';
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { app } from '../../src/http/app.ts';
import { countingTrips } from '../../testing/d1/metered.ts';
import { aPartner, aRefund, aShop, anEarnedCommission, type Earned, type Shop, type TestPartner } from '../support/ledger.ts';
import { aSignedInPartner } from '../support/portal.ts';
import { aMember, api, type Owner, signUp } from '../support/world.ts';

interface Planned {
	readonly partner: { readonly id: number; readonly name: string };
	readonly currency: string;
	readonly amount_cents: number;
	readonly recovered_cents: number;
	readonly commission_cents: number;
	readonly surplus_cents: number;
	readonly commission_ids: readonly number[];
}

interface Preview {
	readonly payouts: readonly (Planned & { readonly amount_reason: string; readonly warning: string | null })[];
	readonly without_payout_method: number;
	readonly left_out: readonly (Planned & { readonly reason: string; readonly reason_text: string })[];
	readonly left_out_count: number;
}

interface Asked {
	readonly partner_ids?: readonly number[];
	readonly before?: string;
	readonly minimum_cents?: number;
}

let owner: Owner;

beforeAll(async () => {
	owner = await signUp();
});

async function preview(place: Shop, { partner_ids: partnerIds, before, minimum_cents: minimumCents }: Asked): Promise<Preview> {
	const query = new URLSearchParams({
		...(partnerIds && { partner_ids: partnerIds.join() }),
		...(before !== undefined && { before }),
		...(minimumCents !== undefined && { minimum_cents: String(minimumCents) }),
	});
	const { status, text, body } = await api<Preview>(`${place.path}/payouts/preview?${query.toString()}`, { token: owner.token });
	expect(status, text).toBe(200);
	return body.data;
}

async function pay(place: Shop, body: object) {
	const paid = await api<(Planned & { readonly id: number; readonly created_at: string })[]>(`${place.path}/payouts`, {
		token: owner.token,
		body,
	});
	expect(paid.status, paid.text).toBe(201);
	return paid.body.data;
}

async function aDebtor(place: Shop, cents: number): Promise<TestPartner> {
	const partner = await aPartner(place, { name: 'Debtor' });
	const paid = await anEarnedCommission(place, partner, { amountCents: cents });
	await pay(place, { commission_ids: [paid.commissionId] });
	await aRefund(place, paid);
	return partner;
}

test('a preview shows whom a payout would pay and how much, and who is left out and why', async () => {
	const place = await aShop(owner);
	const [ada, bob] = [await aPartner(place, { name: 'Ada' }), await aPartner(place, { name: 'Bob' })];
	await aPartner(place, { name: 'Nothing at all' });
	const [debtor, idle] = [await aDebtor(place, 300), await aDebtor(place, 400)];
	const chosen = await anEarnedCommission(place, ada, { amountCents: 900 });
	await anEarnedCommission(place, ada, { amountCents: 50, currency: 'EUR' });
	await anEarnedCommission(place, debtor, { amountCents: 320 });
	const fromDebtor = { partner: memberOf(debtor, 'Debtor'), currency: 'USD', commission_cents: 320, surplus_cents: 0 };

	expect(await preview(place, { minimum_cents: 100 })).toEqual({
		payouts: [
			{
				partner: memberOf(ada, 'Ada'),
				currency: 'USD',
				amount_cents: 900,
				recovered_cents: 0,
				commission_cents: 900,
				surplus_cents: 0,
				commission_count: 1,
				commission_ids: [chosen.commissionId],
				amount_reason: 'The unpaid part of its commissions',
				warning: 'The partner has not entered payout details. The payout can be made, but no file will include it until they do',
			},
		],
		without_payout_method: 1,
		left_out: [
			expect.objectContaining({
				currency: 'EUR',
				reason: 'below_minimum',
				reason_text: 'The payout would be 0.50 EUR, less than the minimum of 1.00 EUR',
			}),
			expect.objectContaining({
				...fromDebtor,
				amount_cents: 20,
				recovered_cents: 300,
				reason: 'in_debt',
				reason_text: 'The payout would be 0.20 USD, less than the minimum of 1.00 USD: 3.00 USD would be deducted for an earlier debt',
			}),
			expect.objectContaining({
				partner: memberOf(idle, 'Debtor'),
				amount_cents: 0,
				commission_ids: [],
				reason: 'in_debt',
				reason_text: 'The partner has a debt of 4.00 USD, and none of their commissions can be paid',
			}),
		],
		left_out_count: 3,
	});
	expect((await preview(place, { partner_ids: [bob.id] })).payouts).toEqual([]);
	const early = await preview(place, { partner_ids: [ada.id], before: '2026-01-01' });
	expect(early.left_out.map(({ currency, reason }) => `${currency} ${reason}`)).toEqual(['EUR nothing_approved', 'USD nothing_approved']);
});

test('it shows the payout methods of partners, and who is suspended', async () => {
	const place = await aShop(owner);
	const partner = await aSignedInPartner(place);
	await api(`/api/v1/partner-accounts/${partner.id}/payout-details`, {
		method: 'PUT',
		token: partner.token,
		body: { password: partner.person.password, method: 'paypal', email: 'pat@people.example' },
	});
	await anEarnedCommission(place, partner, { amountCents: 100 });
	await api(`${place.path}/partners/${partner.id}`, { method: 'PATCH', token: owner.token, body: { status: 'suspended' } });
	const { payouts, without_payout_method: withoutMethod } = await preview(place, {});
	expect(payouts).toMatchObject([
		{ partner: { id: partner.id, status: 'suspended', payout_method: 'paypal' }, amount_cents: 100, warning: null },
	]);
	expect(withoutMethod).toBe(0);
});

test('it warns of partners without payout details, who can be paid anyway', async () => {
	const place = await aShop(owner);
	await anEarnedCommission(place, await aPartner(place), { amountCents: 100 });
	const previewed = await preview(place, {});
	expect(previewed.payouts).toMatchObject([{ warning: expect.stringMatching(/^The partner has not entered payout details\./) }]);
	expect(previewed.without_payout_method).toBe(1);
	expect(await pay(place, {})).toMatchObject([{ amount_cents: 100 }]);
});

test('commissions on hold are left out', async () => {
	const place = await aShop(owner, 30);
	await anEarnedCommission(place, await aPartner(place), { amountCents: 100 });
	const { payouts, left_out: leftOut } = await preview(place, {});
	expect(payouts).toEqual([]);
	expect(leftOut).toMatchObject([
		{
			amount_cents: 0,
			reason: 'nothing_approved',
			reason_text: 'None of the partner’s commissions can be paid: they are on hold, or the request leaves them out',
		},
	]);
});

test('a preview shows exactly what the next payout pays, and writes nothing', async () => {
	const step = fc.record({
		partner: fc.nat(2),
		amountCents: fc.integer({ min: 1, max: 900 }),
		currency: fc.constantFrom('USD', 'EUR'),
		outcome: fc.constantFrom('nothing', 'refund', 'part', 'pay', 'pay and refund', 'pay and fail', 'reject'),
	});
	const asked = fc.record(
		{
			of: fc.subarray([0, 1, 2], { minLength: 1 }),
			before: fc.constantFrom('2026-01-01', '2999-01-01'),
			minimum: fc.integer({ min: 0, max: 900 }),
		},
		{ requiredKeys: [] },
	);
	await fc.assert(
		fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 8 }), asked, async (steps, { of, before, minimum }) => {
			const place = await aShop(owner);
			const partners = [await aPartner(place), await aPartner(place), await aPartner(place)];
			for (const { partner, outcome, ...sale } of steps) {
				const whose = partners[partner];
				if (whose) await follow(place, await anEarnedCommission(place, whose, sale), outcome);
			}
			const request: Asked = {
				...(of && { partner_ids: of.flatMap((index) => partners[index]?.id ?? []) }),
				...(before !== undefined && { before }),
				...(minimum !== undefined && { minimum_cents: minimum }),
			};
			const previewed = await preview(place, request);
			expect(await preview(place, request)).toEqual(previewed);
			const paid = await pay(place, request);
			const alike = previewed.payouts.map(({ partner: { id, name }, warning: _warning, ...payout }) => ({
				...payout,
				partner: { id, name },
			}));
			expect(sorted(alike)).toEqual(sorted(paid.map((payout) => ({ ...payout, ...ONLY_OF_MADE }))));
		}),
		{ numRuns: 12 },
	);
}, 60_000);

const ONLY_OF_MADE = {
	id: undefined,
	status: undefined,
	created_at: undefined,
	sent_at: undefined,
	reference: undefined,
	failed_at: undefined,
	failure_reason: undefined,
};

async function follow(place: Shop, earned: Earned, outcome: string): Promise<void> {
	if (outcome.startsWith('pay')) {
		const [payout] = await pay(place, { commission_ids: [earned.commissionId] });
		if (outcome.endsWith('fail'))
			await api(`${place.path}/payouts/${payout?.id}/failed`, { token: owner.token, body: { reason: 'closed' } });
	}
	if (outcome.endsWith('refund')) await aRefund(place, earned);
	if (outcome === 'part') await aRefund(place, earned, 1);
	if (outcome === 'reject')
		await api(`${place.path}/commissions/reject`, { token: owner.token, body: { commission_ids: [earned.commissionId] } });
}

function memberOf({ id }: TestPartner, name: string) {
	return { id, name, status: 'active', payout_method: null };
}

function sorted<Payout extends Pick<Planned, 'partner' | 'currency'>>(payouts: readonly Payout[]): Payout[] {
	return payouts.toSorted((a, b) => a.partner.id - b.partner.id || a.currency.localeCompare(b.currency));
}

test('members may preview, in two trips; invalid queries are refused', async () => {
	const place = await aShop(owner);
	const path = `${place.path}/payouts/preview`;
	const member = await aMember(owner, 'member');
	const DB = countingTrips(env.DB);
	const request = new Request(`http://service.test${path}`, { headers: { Authorization: `Bearer ${member.token}` } });
	const answer = await app.fetch(
		request,
		{ ...env, DB },
		{ waitUntil: () => undefined, passThroughOnException: () => undefined, props: {} },
	);
	expect([answer.status, DB.trips()]).toEqual([200, 2]);

	const foreign = await aPartner(await aShop(owner));
	const errorOf = async (query: string) => {
		const { status, body } = await api(`${path}?${query}`, { token: owner.token });
		return [status, body.error];
	};
	expect(await errorOf(`partner_ids=${foreign.id}`)).toEqual([404, `Partner ${foreign.id} not found`]);
	expect(await errorOf('partner_ids=1,,2')).toEqual([400, 'partner_ids must be 1 to 500 ids, separated by commas']);
	expect(await errorOf('minimum_cents=1.5')).toEqual([400, 'minimum_cents must be an integer from 0 to 99999999999']);
	expect(await errorOf('commission_ids=1')).toEqual([400, 'Unknown query parameter: commission_ids']);
});

test("the program's own minimum applies by default, only in the program's currency, and not to selected commissions", async () => {
	const place = await aShop(owner);
	const changed = await api<{ payout_minimum_cents: number }>(place.path, {
		method: 'PATCH',
		token: owner.token,
		body: { payout_minimum_cents: 500 },
	});
	expect(changed.body.data.payout_minimum_cents).toBe(500);
	const [small, enough] = [await aPartner(place), await aPartner(place)];
	const chosen = await anEarnedCommission(place, small, { amountCents: 100 });
	await anEarnedCommission(place, small, { amountCents: 399 });
	await anEarnedCommission(place, small, { amountCents: 1, currency: 'EUR' });
	await anEarnedCommission(place, enough, { amountCents: 500 });
	const { payouts, left_out: leftOut } = await preview(place, {});
	expect(new Set(payouts.map(({ amount_cents: cents, currency }) => `${cents} ${currency}`))).toEqual(new Set(['500 USD', '1 EUR']));
	expect(leftOut).toMatchObject([
		{ reason: 'below_minimum', reason_text: 'The payout would be 4.99 USD, less than the minimum of 5.00 USD' },
	]);
	expect((await pay(place, {})).map(({ amount_cents: cents }) => cents).toSorted((a, b) => a - b)).toEqual([1, 500]);
	expect(await pay(place, { minimum_cents: 500 })).toEqual([]);
	expect(await pay(place, { commission_ids: [chosen.commissionId] })).toMatchObject([{ amount_cents: 100 }]);
	expect(await pay(place, { minimum_cents: 0 })).toMatchObject([{ amount_cents: 399 }]);
});
