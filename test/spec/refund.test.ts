import { beforeAll, describe, expect, test } from 'vitest';
import { aFunnel, aSale, balanceOf, type Funnel, rows, track } from '../support/funnel.ts';
import { expectSoundLedger } from '../support/sound-ledger.ts';
import { api, unique } from '../support/world.ts';

// Contract, section 3 and 4.4; decisions 14 to 18.

let funnel: Funnel;
beforeAll(async () => {
	funnel = await aFunnel();
});

function refund(transactionId: unknown, overrides: Record<string, unknown> = {}, key = funnel.apiToken) {
	return track('refund', { transaction_id: transactionId, ...overrides }, key);
}

/** The status must be 200. */
async function refunded(transactionId: string, overrides: Record<string, unknown> = {}) {
	const { status, body } = await refund(transactionId, overrides);
	expect(status, JSON.stringify(body)).toBe(200);
	return body;
}

async function stateOf(commissionId: number | null) {
	const [row] = await rows(
		`SELECT c.status, c.deducted_cents, c.status_before_refund, c.refund_reason, s.refunded_cents
		FROM commissions c JOIN affiliate_sale_events s ON s.id = c.sale_id WHERE c.id = ?`,
		commissionId,
	);
	return row;
}

describe('a refund that is refused', () => {
	test.each([
		[{ transaction_id: undefined }, 'transaction_id is required'],
		[{ transaction_id: null }, 'transaction_id is required'],
		[{ transaction_id: 5 }, 'transaction_id is required'],
		[{ transaction_id: ' ' }, 'transaction_id is required'],
		[{ transaction_id: '', refund_amount_cents: -1 }, 'transaction_id is required'],
		[{ refund_amount_cents: -1 }, 'refund_amount_cents must be a positive integer, or 0 or left out for a full refund'],
		[{ refund_amount_cents: 1.5 }, 'refund_amount_cents must be a positive integer, or 0 or left out for a full refund'],
		[{ refund_amount_cents: '100' }, 'refund_amount_cents must be a positive integer, or 0 or left out for a full refund'],
		[{ refund_amount_cents: 1e300 }, 'refund_amount_cents must be a positive integer, or 0 or left out for a full refund'],
		[{ refund_reason: 5 }, 'refund_reason must be a string'],
		[{ refund_reason: 'x'.repeat(1_001) }, 'refund_reason must be at most 1000 characters'],
		[{ refund_id: 5 }, 'refund_id must be a string'],
		[{ refund_id: 'x'.repeat(256) }, 'refund_id must be at most 255 characters'],
		[{ additional_data: { test_mode: 'true' } }, 'additional_data.test_mode must be true or false'],
	])('400 %j: %s', async (overrides, error) => {
		const { transactionId } = await aSale(funnel);
		const { status, body } = await refund(transactionId, overrides);
		expect([status, body]).toEqual([400, { error }]);
		expect(
			await rows(
				'SELECT r.id FROM refund_events r JOIN affiliate_sale_events s ON s.id = r.sale_id WHERE s.processor_event_id = ?',
				transactionId,
			),
		).toEqual([]);
	});

	test('404: a sale that does not exist, or belongs to another program', async () => {
		const other = await aFunnel();
		const { transactionId } = await aSale(other);
		for (const id of [unique('txn'), transactionId, transactionId.toUpperCase()]) {
			const { status, body } = await refund(id);
			expect([status, body]).toEqual([404, { error: 'Sale not found for transaction_id' }]);
		}
		expect(await balanceOf(other)).toBe(2_000);
	});

	test('401 without a key, before any error in the body', async () => {
		expect((await track('refund', {})).status).toBe(401);
		expect((await refund(undefined, {}, 'wrong')).status).toBe(401);
	});
});

describe('a refund', () => {
	test.each([
		['without amount', {}],
		['of 0', { refund_amount_cents: 0 }],
	])('%s reverses the whole commission', async (_, amount) => {
		const { transactionId, commissionId } = await aSale(funnel);
		const before = await balanceOf(funnel);
		expect(await refunded(transactionId, { ...amount, refund_reason: 'Too small\nand too red' })).toEqual({
			success: true,
			status: 'reversed',
			deductionAmount: 20,
			commission_id: commissionId,
		});
		expect(await balanceOf(funnel)).toBe(before - 2_000);
		expect(await stateOf(commissionId)).toEqual({
			status: 'reversed',
			deducted_cents: 2_000,
			status_before_refund: 'approved',
			refund_reason: 'Too small\nand too red',
			refunded_cents: 10_000,
		});
		expect(await refunded(transactionId, amount)).toEqual({
			success: true,
			status: 'skipped',
			reason: 'Commission already reversed',
			commission_id: commissionId,
		});
		expect(await refunded(transactionId, { refund_id: 'r1', refund_amount_cents: 5 })).toMatchObject({ status: 'skipped' });
		expect(await balanceOf(funnel)).toBe(before - 2_000);
	});

	test.each([
		[2_500, 'refunded', 5, 2_500],
		[1, 'refunded', 0, 1],
		[2, 'refunded', 0, 2],
		[3, 'refunded', 0.01, 3],
		[9_999, 'refunded', 20, 9_999],
		[10_000, 'refunded', 20, 10_000],
		[10_001, 'refunded', 20, 10_000],
		[99_999_999_999_999, 'refunded', 20, 10_000],
	])('of %i of 10000 cents is %s and deducts %d', async (amount, status, deductionAmount, effective) => {
		const { transactionId, commissionId } = await aSale(funnel);
		expect(await refunded(transactionId, { refund_amount_cents: amount })).toEqual({
			success: true,
			status,
			deductionAmount,
			commission_id: commissionId,
		});
		expect(await stateOf(commissionId)).toMatchObject({ status, deducted_cents: deductionAmount * 100, refunded_cents: effective });
		await expectSoundLedger(funnel);
	});

	test.each([
		['USD', 12.34],
		['JPY', 1_234],
		['KWD', 1.234],
		['ISK', 1_234],
	])('in %s returns major units: %d', async (currency, deductionAmount) => {
		const place = await aFunnel({ commission: { type: 'flat', amount_cents: 1_234, currency } });
		const { transactionId } = await aSale(place, { currency });
		const { body } = await refund(transactionId, {}, place.apiToken);
		expect(body['deductionAmount']).toBe(deductionAmount);
	});

	test('of a commission of 0 cents deducts 0', async () => {
		const place = await aFunnel({ commission: { type: 'percent', percent: 0 } });
		const { transactionId } = await aSale(place);
		expect((await refund(transactionId, {}, place.apiToken)).body).toMatchObject({ status: 'reversed', deductionAmount: 0 });
		await expectSoundLedger(place);
	});

	test('of a pending commission keeps pending as its earlier status', async () => {
		const place = await aFunnel({ commission: { type: 'percent', percent: 20, hold_days: 7 } });
		const { transactionId, commissionId } = await aSale(place);
		await refund(transactionId, { refund_amount_cents: 5_000 }, place.apiToken);
		expect(await stateOf(commissionId)).toMatchObject({ status: 'refunded', status_before_refund: 'pending', deducted_cents: 1_000 });
	});

	test('of a rejected commission is skipped but recorded, so that net revenue is right', async () => {
		const { transactionId, saleId, commissionId } = await aSale(funnel);
		const rejected = await api(`/api/v1/programs/${funnel.id}/commissions/reject`, {
			token: funnel.owner.token,
			body: { commission_ids: [commissionId] },
		});
		expect(rejected.status, rejected.text).toBe(200);
		const before = await balanceOf(funnel);
		const answer = {
			success: true,
			status: 'skipped',
			reason: 'Commission was rejected: there is nothing to reverse',
			commission_id: commissionId,
		};
		const reported = [
			{ refund_id: 'r1', refund_amount_cents: 3_000 },
			{ refund_id: 'r1', refund_amount_cents: 3_000 },
			{ refund_id: 'r2' },
		];
		for (const overrides of reported) expect(await refunded(transactionId, overrides)).toEqual(answer);
		expect(await balanceOf(funnel)).toBe(before);
		expect(await stateOf(commissionId)).toMatchObject({ status: 'rejected', deducted_cents: 0, refunded_cents: 10_000 });
		const events = await rows('SELECT outcome, amount_cents, deduction_cents FROM refund_events WHERE sale_id = ? ORDER BY id', saleId);
		expect(events.map(Object.values)).toEqual([
			['no_commission', 3_000, null],
			['no_commission', 7_000, null],
		]);
		expect(
			await rows(
				"SELECT 1 FROM outbox WHERE kind = 'sale_refunded' AND subject_id IN (SELECT id FROM refund_events WHERE sale_id = ?)",
				saleId,
			),
		).toHaveLength(2);
	});

	test('of a partly refunded, rejected commission deducts nothing more, and is recorded', async () => {
		const { transactionId, commissionId } = await aSale(funnel);
		await refunded(transactionId, { refund_id: 'r1', refund_amount_cents: 3_000 });
		await api(`/api/v1/programs/${funnel.id}/commissions/reject`, { token: funnel.owner.token, body: { commission_ids: [commissionId] } });
		const before = await balanceOf(funnel);
		expect(await refunded(transactionId, { refund_id: 'r2' })).toMatchObject({ status: 'skipped' });
		expect(await balanceOf(funnel)).toBe(before);
		expect(await stateOf(commissionId)).toMatchObject({ status: 'rejected', deducted_cents: 600, refunded_cents: 10_000 });
		await expectSoundLedger(funnel);
	});
});

describe('several refunds of one sale (decision 16)', () => {
	test('with a refund_id each add up to at most the sale; a repeated id is skipped', async () => {
		const { transactionId, commissionId } = await aSale(funnel, { amount_cents: 9_999 });
		const deductions = [];
		for (const refund_id of ['r1', 'r2', 'r3']) {
			const body = await refunded(transactionId, { refund_id, refund_amount_cents: 3_333 });
			expect(body['status']).toBe('refunded');
			deductions.push(body['deductionAmount']);
		}
		expect(deductions).toEqual([6.67, 6.66, 6.67]);
		expect(await refunded(transactionId, { refund_id: 'r2', refund_amount_cents: 1 })).toEqual({
			success: true,
			status: 'skipped',
			reason: 'A refund with this refund_id was already processed',
			commission_id: commissionId,
		});
		expect(await refunded(transactionId, { refund_id: 'r4', refund_amount_cents: 1 })).toMatchObject({
			status: 'skipped',
			reason: 'Commission already refunded: nothing of the sale is left to refund',
		});
		expect(await stateOf(commissionId)).toMatchObject({ status: 'refunded', deducted_cents: 2_000, refunded_cents: 9_999 });
		await expectSoundLedger(funnel);
	});

	test('with an id and too large an amount deducts the rest; without an amount it refunds the rest and ends in reversed', async () => {
		const first = await aSale(funnel);
		await refunded(first.transactionId, { refund_id: 'r1', refund_amount_cents: 7_000 });
		expect(await refunded(first.transactionId, { refund_id: 'r2', refund_amount_cents: 7_000 })).toMatchObject({
			status: 'refunded',
			deductionAmount: 6,
		});
		const second = await aSale(funnel);
		await refunded(second.transactionId, { refund_id: 'r1', refund_amount_cents: 7_000 });
		expect(await refunded(second.transactionId, { refund_id: 'r2' })).toMatchObject({ status: 'reversed', deductionAmount: 6 });
		expect(await stateOf(second.commissionId)).toMatchObject({
			status: 'reversed',
			status_before_refund: 'approved',
			deducted_cents: 2_000,
		});
	});

	test('after one without an id, or without an id after others, are skipped, and the reason names refund_id', async () => {
		const { transactionId, commissionId } = await aSale(funnel);
		await refunded(transactionId, { refund_amount_cents: 1_000 });
		for (const again of [{}, { refund_amount_cents: 1_000 }, { refund_id: 'r1' }, { refund_id: 'r1', refund_amount_cents: 1 }]) {
			const body = await refunded(transactionId, again);
			expect(body).toEqual({ success: true, status: 'skipped', reason: expect.stringContaining('refund_id'), commission_id: commissionId });
		}
		const second = await aSale(funnel);
		await refunded(second.transactionId, { refund_id: 'r1', refund_amount_cents: 1_000 });
		expect(await refunded(second.transactionId)).toMatchObject({ status: 'skipped', reason: expect.stringContaining('refund_id') });
		expect(await refunded(second.transactionId, { refund_id: 'r2', refund_amount_cents: 1_000 })).toMatchObject({ status: 'refunded' });
	});

	test('a refund_id is unique within its sale, and blank counts as none', async () => {
		const [one, two] = [await aSale(funnel), await aSale(funnel)];
		for (const { transactionId } of [one, two]) {
			expect(await refunded(transactionId, { refund_id: 'same', refund_amount_cents: 10 })).toMatchObject({ status: 'refunded' });
		}
		const three = await aSale(funnel);
		await refunded(three.transactionId, { refund_id: ' ', refund_amount_cents: 10 });
		expect(await rows('SELECT refund_id FROM refund_events WHERE sale_id = ?', three.saleId)).toEqual([{ refund_id: null }]);
	});
});

describe('a sale without commission (decision 17)', () => {
	test('returns no_commission and records the refund once', async () => {
		const place = await aFunnel({ commission: undefined });
		const { transactionId, saleId, commissionId } = await aSale(place);
		expect(commissionId).toBeNull();
		const first = await refund(transactionId, { refund_amount_cents: 4_000, refund_reason: 'Late' }, place.apiToken);
		expect([first.status, first.body]).toEqual([
			200,
			{ success: true, status: 'no_commission', message: 'Refund recorded. This sale has no commission to reverse.' },
		]);
		const second = await refund(transactionId, {}, place.apiToken);
		expect(second.body).toMatchObject({ success: true, status: 'no_commission', message: expect.stringContaining('already recorded') });
		expect(await rows('SELECT amount_cents, deduction_cents, outcome, reason FROM refund_events WHERE sale_id = ?', saleId)).toEqual([
			{ amount_cents: 4_000, deduction_cents: null, outcome: 'no_commission', reason: 'Late' },
		]);
		expect(await rows('SELECT refunded_cents FROM affiliate_sale_events WHERE id = ?', saleId)).toEqual([{ refunded_cents: 4_000 }]);
	});

	test('adds up refunds with ids, up to its amount', async () => {
		const place = await aFunnel({ commission: undefined });
		const { transactionId, saleId } = await aSale(place);
		for (const refund_id of ['r1', 'r2', 'r2']) await refund(transactionId, { refund_id, refund_amount_cents: 4_000 }, place.apiToken);
		await refund(transactionId, { refund_id: 'r3' }, place.apiToken);
		await refund(transactionId, { refund_id: 'r4' }, place.apiToken);
		const stored = await rows('SELECT refund_id, amount_cents FROM refund_events WHERE sale_id = ? ORDER BY id', saleId);
		expect(stored.map(Object.values)).toEqual([
			['r1', 4_000],
			['r2', 4_000],
			['r3', 2_000],
		]);
	});
});
