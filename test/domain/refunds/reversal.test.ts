import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ReportedReversal } from '../../../src/domain/refunds/refunded-amount.ts';
import { MAX_AMOUNT_CENTS } from '../../../src/domain/money.ts';
import { ALREADY_REJECTED, planRefund, type RefundableCommission, type RefundableSale } from '../../../src/domain/refunds/reversal.ts';

const SALE: RefundableSale = {
	amountCents: 1_000,
	currency: 'USD',
	chargedCents: null,
	chargedCurrency: null,
	refundedCents: 0,
	reportedRefundCents: 0,
	reportedReversals: [],
	hasRefundWithoutId: false,
	hasRefundWithId: false,
	hasThisRefundId: false,
};
const COMMISSION: RefundableCommission = { amountCents: 200, deductedCents: 0, status: 'approved', statusBeforeRefund: null, paidAt: null };
const FULL = { amountCents: undefined, refundId: undefined };

const reportedRefund = (reversalId: string, amountCents: number, undoneAt: number | null = null): ReportedReversal => ({
	kind: 'refund',
	reversalId,
	amountCents,
	currency: 'USD',
	happenedAt: 1,
	undoneAt,
	stoodAt: null,
	chargeId: null,
	chargeCents: null,
});

describe('a refund of a commission', () => {
	test.each<[RefundableCommission['status'], string]>([
		['pending', 'pending'],
		['approved', 'approved'],
		['paid', 'paid'],
	])('that is %s keeps that as its earlier status', (status, statusBeforeRefund) => {
		expect(planRefund(SALE, { ...COMMISSION, status }, FULL)).toMatchObject({
			outcome: 'reversed',
			change: { deductionCents: 200, statusBeforeRefund },
		});
	});

	test.each<RefundableCommission['status']>(['reversed', 'rejected'])('that is %s is skipped', (status) => {
		const commission = { ...COMMISSION, status };
		expect(planRefund(SALE, commission, FULL)).toMatchObject({ outcome: 'skipped', commission, reason: expect.stringContaining(status) });
	});

	test('that is rejected changes only the sale, once', () => {
		const commission: RefundableCommission = { ...COMMISSION, status: 'rejected', deductedCents: 40 };
		const skipped = { outcome: 'skipped', commission, reason: ALREADY_REJECTED };
		const sale = { ...SALE, refundedCents: 200, reportedRefundCents: 200, hasRefundWithId: true };
		expect(planRefund(sale, commission, { amountCents: 300, refundId: 'r2' })).toEqual({
			...skipped,
			reportedRefundCents: 500,
			movement: { outcome: 'no_commission', amountCents: 300, refundedCents: 500, reportedRefundCents: 500, change: undefined },
		});
		const again = planRefund({ ...sale, hasThisRefundId: true }, commission, { amountCents: 300, refundId: 'r1' });
		expect(again).toEqual({ ...skipped, reportedRefundCents: undefined, movement: undefined });
		// The processor has already reported this refund. The report is kept, because the processor may undo it.
		const known = planRefund({ ...SALE, refundedCents: 300, reportedReversals: [reportedRefund('re_1', 300)] }, commission, {
			amountCents: 300,
			refundId: 're_1',
		});
		expect(known).toEqual({ ...skipped, reportedRefundCents: 300, movement: undefined });
	});

	test('that is refunded keeps the state before the first refund', () => {
		const commission: RefundableCommission = { ...COMMISSION, status: 'refunded', deductedCents: 40, statusBeforeRefund: 'paid' };
		const sale = { ...SALE, refundedCents: 200, reportedRefundCents: 200, hasRefundWithId: true };
		expect(planRefund(sale, commission, { amountCents: 300, refundId: 'r2' })).toMatchObject({
			outcome: 'refunded',
			amountCents: 300,
			change: { deductionCents: 60, statusBeforeRefund: 'paid' },
		});
	});
});

test.each([
	[{ hasThisRefundId: true, hasRefundWithId: true }, 'r1', 'A refund with this refund_id was already processed'],
	[
		{ hasRefundWithoutId: true },
		undefined,
		'Commission already refunded. To record several refunds of one sale, send a distinct refund_id',
	],
	[{ hasRefundWithoutId: true }, 'r1', 'Commission already refunded. To record several refunds of one sale, send a distinct refund_id'],
	[{ hasRefundWithId: true }, undefined, 'Commission already refunded. Send a refund_id'],
	[{ hasRefundWithId: true, refundedCents: 1_000 }, 'r2', 'Commission already refunded: nothing of the sale is left to refund'],
])('after %j a refund with the id %j is skipped: %s', (before, refundId, reason) => {
	const sale = { ...SALE, refundedCents: 100, reportedRefundCents: 100, ...before };
	const request = { amountCents: 50, refundId };
	const commission: RefundableCommission = { ...COMMISSION, status: 'refunded', statusBeforeRefund: 'approved' };
	expect(planRefund(sale, commission, request)).toMatchObject({ outcome: 'skipped', reason: expect.stringContaining(reason) });
	expect(planRefund(sale, undefined, request)).toEqual({ outcome: 'known' });
});

describe('a refund that the payment processor has already reported', () => {
	/** The processor has reported that 400 of 1000 are refunded. */
	const sale = { ...SALE, refundedCents: 400, reportedReversals: [reportedRefund('re_1', 400)] };
	const refunded: RefundableCommission = { ...COMMISSION, status: 'refunded', deductedCents: 80, statusBeforeRefund: 'approved' };

	test.each<[what: string, reversals: readonly ReportedReversal[], refundId: string | undefined, reason: string]>([
		['under its own id', sale.reportedReversals, 'mine', 'Commission already refunded: the payment processor reported this refund'],
		['without an id', sale.reportedReversals, undefined, 'Commission already refunded: the payment processor reported this refund'],
		["under the processor's id", sale.reportedReversals, 're_1', 'A refund with this refund_id was already processed'],
		[
			'under one of several processor ids',
			[reportedRefund('re_0', 300), reportedRefund('re_1', 100)],
			're_1',
			'A refund with this refund_id was already processed',
		],
		[
			'under the id of a dispute, which is not a refund',
			[{ ...reportedRefund('re_1', 400), kind: 'dispute' }],
			're_1',
			'Commission already refunded: the payment processor reported this refund',
		],
	])('%s deducts nothing more, and is recorded', (_what, reversals, refundId, reason) => {
		const plan = planRefund({ ...sale, reportedReversals: reversals }, refunded, { amountCents: 400, refundId });
		expect(plan).toEqual({ outcome: 'skipped', commission: refunded, reason, reportedRefundCents: 400 });
	});

	test('deducts the part beyond it', () => {
		expect(planRefund(sale, refunded, { amountCents: 600, refundId: 'mine' })).toEqual({
			outcome: 'refunded',
			amountCents: 200,
			refundedCents: 600,
			reportedRefundCents: 600,
			change: { commission: refunded, status: 'refunded', statusBeforeRefund: 'approved', deductionCents: 40 },
		});
	});

	test('on a reversed commission is recorded, because the processor may undo its own', () => {
		const whole = { ...sale, refundedCents: 1_000, reportedReversals: [reportedRefund('re_1', 1_000)] };
		const reversed: RefundableCommission = { ...refunded, status: 'reversed', deductedCents: 200 };
		const skipped = { outcome: 'skipped', commission: reversed, reason: 'Commission already reversed' };
		expect(planRefund(whole, reversed, FULL)).toEqual({ ...skipped, reportedRefundCents: 1_000 });
		// It is not recorded if it was reported before, or if the processor has nothing to undo.
		expect(planRefund({ ...whole, hasRefundWithoutId: true }, reversed, FULL)).toEqual({ ...skipped, reportedRefundCents: undefined });
		expect(planRefund({ ...whole, reportedReversals: [] }, reversed, FULL)).toEqual({ ...skipped, reportedRefundCents: undefined });
	});

	test('but failed does not count: a full report of it reverses nothing', () => {
		const failed = { ...SALE, reportedReversals: [reportedRefund('re_1', 400, 2)] };
		expect(planRefund(failed, COMMISSION, FULL)).toMatchObject({
			outcome: 'refunded',
			amountCents: 600,
			reportedRefundCents: 1_000,
			change: { status: 'refunded', deductionCents: 120 },
		});
	});
});

test('without a commission the refund is recorded too, up to what is left', () => {
	expect(planRefund(SALE, undefined, FULL)).toMatchObject({ outcome: 'no_commission', amountCents: 1_000 });
	expect(planRefund(SALE, undefined, { amountCents: 5_000, refundId: undefined })).toMatchObject({
		outcome: 'no_commission',
		amountCents: 1_000,
		reportedRefundCents: 1_000,
	});
	const sale = { ...SALE, refundedCents: 900, reportedRefundCents: 900, hasRefundWithId: true };
	expect(planRefund(sale, undefined, { amountCents: 500, refundId: 'r2' })).toMatchObject({
		outcome: 'no_commission',
		amountCents: 100,
		refundedCents: 1_000,
	});
});

test('for any refunds each deduction is 0 or more, and together they are the half-up proportion and never exceed the commission', () => {
	const cents = fc.oneof(fc.integer({ min: 1, max: 100 }), fc.integer({ min: 1, max: MAX_AMOUNT_CENTS }));
	const refunds = fc.array(fc.option(cents, { nil: undefined, freq: 8 }), { minLength: 1, maxLength: 12 });
	fc.assert(
		fc.property(cents, fc.oneof(fc.constant(0), cents), refunds, (saleCents, commissionCents, amounts) => {
			let sale: RefundableSale = { ...SALE, amountCents: saleCents };
			let commission: RefundableCommission = { ...COMMISSION, amountCents: commissionCents };
			for (const [index, amountCents] of amounts.entries()) {
				const plan = planRefund(sale, commission, { amountCents, refundId: `r${index}` });
				if (plan.outcome === 'skipped') {
					expect(sale.refundedCents).toBe(saleCents);
					continue;
				}
				if (plan.outcome === 'no_commission' || plan.outcome === 'known') throw new Error('There is a commission');
				expect(plan.outcome).toBe(amountCents === undefined ? 'reversed' : 'refunded');
				expect(plan.change.deductionCents).toBeGreaterThanOrEqual(0);
				sale = { ...sale, refundedCents: plan.refundedCents, reportedRefundCents: plan.reportedRefundCents, hasRefundWithId: true };
				commission = {
					...commission,
					status: plan.outcome,
					statusBeforeRefund: plan.change.statusBeforeRefund,
					deductedCents: commission.deductedCents + plan.change.deductionCents,
				};
				const exact = (2n * BigInt(commissionCents) * BigInt(sale.refundedCents) + BigInt(saleCents)) / (2n * BigInt(saleCents));
				expect(BigInt(commission.deductedCents)).toBe(exact);
				expect(commission.deductedCents).toBeLessThanOrEqual(commissionCents);
				if (plan.outcome === 'reversed') expect(commission.deductedCents).toBe(commissionCents);
			}
		}),
		{ numRuns: 2_000 },
	);
});
