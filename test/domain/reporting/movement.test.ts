import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MAX_AMOUNT_CENTS } from '../../../src/domain/money.ts';
import { planMovement, type RefundableCommission } from '../../../src/domain/refunds/reversal.ts';

const COMMISSION: RefundableCommission = { amountCents: 200, deductedCents: 0, status: 'approved', statusBeforeRefund: null, paidAt: null };
const given = (refundedCents: number) => ({ amountCents: 1_000, refundedCents });

describe("if the processor's reports change the refunded amount", () => {
	const refunded: RefundableCommission = { ...COMMISSION, status: 'refunded', deductedCents: 80, statusBeforeRefund: 'pending' };

	test('a part reduces the commission, and everything reverses it', () => {
		expect(planMovement(given(0), COMMISSION, 400)).toEqual({
			outcome: 'refunded',
			amountCents: 400,
			refundedCents: 400,
			change: { commission: COMMISSION, status: 'refunded', statusBeforeRefund: 'approved', deductionCents: 80 },
		});
		expect(planMovement(given(400), refunded, 1_000)).toEqual({
			outcome: 'reversed',
			amountCents: 600,
			refundedCents: 1_000,
			change: { commission: refunded, status: 'reversed', statusBeforeRefund: 'pending', deductionCents: 120 },
		});
	});

	test('a smaller amount reinstates a part of the commission, which stays refunded', () => {
		const reversed: RefundableCommission = { ...refunded, status: 'reversed', deductedCents: 200 };
		expect(planMovement(given(1_000), reversed, 400)).toEqual({
			outcome: 'reinstated',
			amountCents: 600,
			refundedCents: 400,
			change: { commission: reversed, status: 'refunded', statusBeforeRefund: 'pending', deductionCents: 120 },
		});
	});

	test.each<[Partial<RefundableCommission>, string]>([
		[{ statusBeforeRefund: 'pending' }, 'pending'],
		[{ statusBeforeRefund: 'approved' }, 'approved'],
		[{ statusBeforeRefund: 'paid', paidAt: 5 }, 'paid'],
		// The rest was paid after the refund.
		[{ statusBeforeRefund: 'approved', paidAt: 5 }, 'paid'],
	])('zero restores a commission of %j to %s', (fields, status) => {
		const commission = { ...refunded, ...fields };
		expect(planMovement(given(400), commission, 0)).toEqual({
			outcome: 'reinstated',
			amountCents: 400,
			refundedCents: 0,
			change: { commission, status, statusBeforeRefund: null, deductionCents: 80 },
		});
	});

	test.each<[string, RefundableCommission | undefined]>([
		['a sale without commission', undefined],
		['a rejected commission', { ...COMMISSION, status: 'rejected' }],
	])('%s stays unchanged, but the sale changes', (_what, commission) => {
		expect(planMovement(given(0), commission, 400)).toEqual({
			outcome: 'no_commission',
			amountCents: 400,
			refundedCents: 400,
			change: undefined,
		});
		expect(planMovement(given(400), commission, 100)).toEqual({
			outcome: 'reinstated',
			amountCents: 300,
			refundedCents: 100,
			change: undefined,
		});
	});

	test('the same amount changes nothing', () => {
		expect(planMovement(given(0), COMMISSION, 0)).toBeUndefined();
		expect(planMovement(given(400), refunded, 400)).toBeUndefined();
		expect(planMovement(given(400), undefined, 400)).toBeUndefined();
	});

	test('the deduction is always the half-up proportion of the refunded amount, as it rises and falls', () => {
		const cents = fc.integer({ min: 1, max: MAX_AMOUNT_CENTS });
		fc.assert(
			fc.property(
				cents,
				fc.nat(MAX_AMOUNT_CENTS),
				fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 8 }),
				(amountCents, of, parts) => {
					let sale = { amountCents, refundedCents: 0 };
					let commission: RefundableCommission = { ...COMMISSION, amountCents: of };
					for (const part of [...parts, 0]) {
						const movement = planMovement(sale, commission, Math.round(part * amountCents));
						if (!movement) continue;
						if (!movement.change) throw new Error('There is a commission');
						const { status, statusBeforeRefund, deductionCents } = movement.change;
						expect(movement.amountCents).toBeGreaterThan(0);
						expect(deductionCents).toBeGreaterThanOrEqual(0);
						const sign = movement.outcome === 'reinstated' ? -1 : 1;
						expect(movement.refundedCents).toBe(sale.refundedCents + sign * movement.amountCents);
						commission = { ...commission, status, statusBeforeRefund, deductedCents: commission.deductedCents + sign * deductionCents };
						sale = { amountCents, refundedCents: movement.refundedCents };
						const exact = (2n * BigInt(of) * BigInt(sale.refundedCents) + BigInt(amountCents)) / (2n * BigInt(amountCents));
						expect(BigInt(commission.deductedCents)).toBe(exact);
					}
					expect(commission).toEqual({ ...COMMISSION, amountCents: of });
				},
			),
			{ numRuns: 1_000 },
		);
	});
});
