import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { fillSums, keepSums, keepSumsOfMany } from '../../src/commission-sums/keep-sums.ts';
import { readSums } from '../../src/commission-sums/read-sums.ts';
import { repairSumsOf } from '../../src/commission-sums/repair-sums.ts';
import { DAY_MS, dayOf, MINUTE_MS } from '../../src/domain/calendar.ts';
import { atInstant } from '../support/at-instant.ts';
import { contextAt } from '../support/clock.ts';
import { tick } from '../support/deliver.ts';
import { applyWaiting, countWaiting } from '../support/effects.ts';
import { rows } from '../support/funnel.ts';
import { aPartner, aRefund, aShop, anEarnedCommission, type Shop, type TestPartner } from '../support/ledger.ts';
import { holdingQueue } from '../../testing/queues.ts';
import { api, type Owner, signUp } from '../support/world.ts';

// The stored sums always equal the commissions (decision 63).

const NOW = Date.now();
const TODAY = dayOf(NOW, 'UTC');
const MARCH = Date.parse('2026-03-27T00:00:00Z');

interface Sum {
	readonly status: string;
	readonly currency: string;
	readonly count: number;
	readonly amount_cents: number;
	readonly deducted_cents: number;
}

let owner: Owner;
beforeAll(async () => {
	owner = await signUp();
});

const keep = (shop: Shop, partner?: TestPartner) =>
	keepSums(contextAt(NOW), { programId: shop.id, partnerProgramId: partner?.partner_program_id ?? 0 });

async function fillAll(perBatch?: number): Promise<void> {
	while ((await fillSums(contextAt(NOW), perBatch)) > 0);
}

async function told(shop: Shop, filter: Record<string, string> = {}): Promise<string[]> {
	const { status, text, body } = await api<Sum[]>(`${shop.path}/commissions/summary?${new URLSearchParams(filter).toString()}`, {
		token: owner.token,
	});
	expect(status, text).toBe(200);
	return body.data.map((sum) => `${sum.status} ${sum.currency} ${sum.count} ${sum.amount_cents} ${sum.deducted_cents}`);
}

async function due(shop: Shop, condition = '1', ...params: readonly (string | number)[]): Promise<string[]> {
	const found = await rows<Record<string, string | number>>(
		`SELECT status, currency, count(*), sum(amount_cents), sum(deducted_cents) FROM commissions
		WHERE program_id = ? AND ${condition} GROUP BY status, currency ORDER BY status, currency`,
		shop.id,
		...params,
	);
	return found.map((row) => Object.values(row).join(' '));
}

const keptOf = (shop: Shop) => rows('SELECT * FROM commission_sums WHERE program_id = ?', shop.id);

/** How many stored sums were wrong. */
const repaired = (shop: Shop) => repairSumsOf(contextAt(NOW), [{ id: shop.id, day: TODAY }]);

const isDay = (text: string) => text.length === 10;

const decide = (shop: Shop, decision: string, body: object) => api(`${shop.path}/${decision}`, { token: owner.token, body });

async function everyState(shop: Shop, partner: TestPartner): Promise<void> {
	const earned = [];
	for (const [index, currency] of ['USD', 'EUR', 'USD', 'USD', 'JPY', 'USD'].entries())
		earned.push(await anEarnedCommission(shop, partner, { amountCents: 1_000 + index, currency }));
	const [refunded, reversed, rejected, paid] = earned;
	if (!refunded || !reversed || !rejected || !paid) throw new Error('There are six');
	await aRefund(shop, refunded, 300);
	await aRefund(shop, reversed);
	await decide(shop, 'commissions/approve', { commission_ids: [paid.commissionId] });
	await decide(shop, 'commissions/reject', { commission_ids: [rejected.commissionId] });
	await decide(shop, 'payouts', { commission_ids: [paid.commissionId] });
	await aRefund(shop, paid, 400);
}

describe.each([
	[
		'kept from the start',
		async (shop: Shop, partner: TestPartner) => {
			await keep(shop);
			await keep(shop, partner);
			await fillAll();
		},
		async () => undefined,
	],
	[
		'kept when all is there',
		async () => undefined,
		async (shop: Shop, partner: TestPartner) => {
			await keep(shop);
			await keep(shop, partner);
			await fillAll(1);
		},
	],
	[
		'not filled yet',
		async () => undefined,
		async (shop: Shop, partner: TestPartner) => {
			await keep(shop);
			await keep(shop, partner);
		},
	],
] as const)('%s', (_when, before, after) => {
	test.each([0, 5])('the sums equal the commissions, with a hold of %i days', async (holdDays) => {
		const shop = await aShop(owner, holdDays);
		const [partner, other] = [await aPartner(shop), await aPartner(shop)];
		await before(shop, partner);
		await everyState(shop, partner);
		await everyState(shop, other);
		const waiting = await countWaiting(shop);
		expect(waiting).toBeGreaterThan(0);
		await after(shop, partner);

		for (const isApplied of [false, true]) {
			if (isApplied) await applyWaiting(shop, (index) => index % 2 === 0);
			expect(await told(shop)).toEqual(await due(shop));
			expect(await told(shop, { currency: 'EUR' })).toEqual(await due(shop, "currency = 'EUR'"));
			for (const one of [partner, other])
				expect(await told(shop, { partner_id: String(one.id) })).toEqual(await due(shop, 'partner_program_id = ?', one.partner_program_id));
			expect(await repaired(shop)).toBe(0);
		}
		await applyWaiting(shop);
		expect(await told(shop)).toEqual(await due(shop));
		await fillAll();
		expect(await repaired(shop)).toBe(0);
		expect(new Set((await keptOf(shop)).map((row) => row['partner_program_id']))).toEqual(new Set([0, partner.partner_program_id]));
		expect(await told(shop)).toEqual(await due(shop));
	});
});

test('the end of a hold moves pending amounts to approved', async () => {
	const shop = await aShop(owner, 5);
	const partner = await aPartner(shop);
	await keep(shop);
	await keep(shop, partner);
	await fillAll();
	await anEarnedCommission(shop, partner, { amountCents: 700 });
	await anEarnedCommission(shop, partner, { amountCents: 300 });
	expect(await told(shop)).toEqual(['pending USD 2 1000 0']);
	await atInstant(NOW + 5 * DAY_MS + MINUTE_MS, () => tick({ EFFECTS: holdingQueue(), WEBHOOKS: holdingQueue() }));
	expect(await told(shop)).toEqual(['approved USD 2 1000 0']);
	expect(await told(shop, { partner_id: String(partner.id) })).toEqual(['approved USD 2 1000 0']);
	expect(await repaired(shop)).toBe(0);
});

test('a range of days and instants includes what was made within it, whichever part is already summed', async () => {
	const shop = await aShop(owner);
	const partner = await aPartner(shop);
	// Four days, including the first and last instants of each.
	for (let day = 0; day < 4; day += 1)
		for (const time of [0, 1, DAY_MS / 2, DAY_MS / 2, DAY_MS - 1])
			await atInstant(MARCH + day * DAY_MS + time, () => anEarnedCommission(shop, partner, { amountCents: 100 + day }));
	await applyWaiting(shop);
	await keep(shop);
	await keep(shop, partner);
	const bound = fc.integer({ min: 0, max: 96 }).map((hours) => new Date(MARCH + hours * 3_600_000).toISOString());
	const aRange = fc.record(
		{
			from: fc.oneof(
				bound,
				bound.map((at) => at.slice(0, 10)),
			),
			to: fc.oneof(
				bound,
				bound.map((at) => at.slice(0, 10)),
			),
		},
		{ requiredKeys: [] },
	);
	for (const step of ['nothing', 'a part', 'all'] as const) {
		if (step === 'a part') await rows("UPDATE commission_sum_scopes SET summed_before = '' WHERE program_id = ?", shop.id);
		if (step !== 'nothing') await fillSums(contextAt(NOW), step === 'all' ? 1_000 : 3);
		await fc.assert(
			fc.asyncProperty(aRange, fc.boolean(), async ({ from, to }, ofPartner) => {
				const conditions = [
					...(from === undefined ? [] : [isDay(from) ? `created_day >= '${from}'` : `created_at >= ${Date.parse(from)}`]),
					...(to === undefined ? [] : [isDay(to) ? `created_day <= '${to}'` : `created_at <= ${Date.parse(to)}`]),
				];
				const filter = { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) };
				expect(await told(shop, ofPartner ? { ...filter, partner_id: String(partner.id) } : filter)).toEqual(
					await due(shop, conditions.join(' AND ') || '1'),
				);
			}),
			{ numRuns: 40 },
		);
	}
});

test('sums that drifted are found and repaired; waiting changes are not drift', async () => {
	const shop = await aShop(owner);
	const partner = await aPartner(shop);
	await keep(shop);
	await fillAll();
	await anEarnedCommission(shop, partner, { amountCents: 700 });
	await applyWaiting(shop);
	await anEarnedCommission(shop, partner, { amountCents: 300 });
	await rows('UPDATE commission_sums SET approved_count = 9 WHERE program_id = ?', shop.id);
	expect(await told(shop)).not.toEqual(await due(shop));
	expect(await repaired(shop)).toBe(1);
	expect(await told(shop)).toEqual(await due(shop));
	expect(await repaired(shop)).toBe(0);
	await rows(
		"INSERT INTO commission_sums (program_id, partner_program_id, day, currency, paid_count) VALUES (?, 0, ?, 'GBP', 1)",
		shop.id,
		TODAY,
	);
	expect(await repaired(shop)).toBe(1);
	expect(await told(shop)).toEqual(await due(shop));
});

const scopesOf = (shop: Shop) =>
	rows<{ partner_program_id: number }>('SELECT partner_program_id FROM commission_sum_scopes WHERE program_id = ?', shop.id);

describe('sums are stored from then on', () => {
	test('for a program or partner with many commissions, once they are requested', async () => {
		const shop = await aShop(owner);
		const partner = await aPartner(shop);
		for (let count = 0; count < 3; count += 1) await anEarnedCommission(shop, partner, { amountCents: 100 });
		const program = { id: shop.id, timeZone: 'UTC' };
		const deferred: Promise<unknown>[] = [];
		const ctx = { ...contextAt(NOW), defer: (work: Promise<unknown>) => deferred.push(work) };
		const ask = async (few: number, partnerProgramId?: number) => {
			const [sum] = await readSums(ctx, { program, partnerProgramId }, {}, few);
			expect(sum?.count).toBe(3);
			await Promise.all(deferred.splice(0));
		};
		await ask(3);
		await ask(3, partner.partner_program_id);
		expect(await scopesOf(shop)).toEqual([]);
		await ask(2, partner.partner_program_id);
		expect(await scopesOf(shop)).toEqual([{ partner_program_id: partner.partner_program_id }]);
		await ask(2);
		await ask(2);
		expect(await scopesOf(shop)).toEqual([{ partner_program_id: 0 }, { partner_program_id: partner.partner_program_id }]);
	});

	test('for a program with many, even if nobody requests them', async () => {
		const shop = await aShop(owner);
		const partner = await aPartner(shop);
		for (let count = 0; count < 3; count += 1) await anEarnedCommission(shop, partner, { amountCents: 100 });
		await keepSumsOfMany(contextAt(NOW), [shop.id], 3);
		expect(await scopesOf(shop)).toEqual([]);
		for (let turn = 0; turn < 2; turn += 1) await keepSumsOfMany(contextAt(NOW), [shop.id], 2);
		expect(await scopesOf(shop)).toEqual([{ partner_program_id: 0 }]);
	});
});
