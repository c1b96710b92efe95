import { expect, test } from 'vitest';
import { parseMoment } from '../../src/domain/moment.ts';
import { choosePayable, paidOf, type PayableCommission, whyNotPayable } from '../../src/domain/payout.ts';

const NOW = 1_000_000;

function commission(fields: Partial<PayableCommission>): PayableCommission {
	return {
		id: 1,
		partnerProgramId: 1,
		currency: 'USD',
		status: 'approved',
		amountCents: 100,
		deductedCents: 0,
		statusBeforeRefund: null,
		holdUntil: NOW - 1,
		paidAt: null,
		...fields,
	};
}

test.each<[string, Partial<PayableCommission>, boolean]>([
	['approved', {}, true],
	['approved before the end of its hold', { holdUntil: NOW + 1 }, true],
	['approved, of 0 cents', { amountCents: 0 }, true],
	['pending', { status: 'pending' }, false],
	['paid', { status: 'paid', paidAt: 1 }, false],
	['rejected', { status: 'rejected' }, false],
	['reversed', { status: 'reversed', deductedCents: 100, statusBeforeRefund: 'approved' }, false],
	['partly refunded', { status: 'refunded', deductedCents: 40, statusBeforeRefund: 'pending' }, true],
	['partly refunded, on hold', { status: 'refunded', deductedCents: 40, statusBeforeRefund: 'pending', holdUntil: NOW + 1 }, false],
	['partly refunded, its hold waived', { status: 'refunded', deductedCents: 40, statusBeforeRefund: 'approved', holdUntil: NOW + 1 }, true],
	['refunded without rest', { status: 'refunded', deductedCents: 100, statusBeforeRefund: 'approved' }, false],
	['refunded after it was paid', { status: 'refunded', deductedCents: 40, statusBeforeRefund: 'paid', paidAt: 1 }, false],
])('a commission that is %s: payable %s', (_, fields, isPayable) => {
	expect(whyNotPayable(commission(fields), NOW) === undefined).toBe(isPayable);
});

test.each([
	[500, 800, 500],
	[500, 500, 500],
	[500, 200, 200],
	[500, 0, 0],
	[500, -300, 0],
	[0, -300, 0],
])('of %i cents with a balance of %i are paid %i', (commissionCents, balanceCents, paid) => {
	expect(paidOf(commissionCents, balanceCents)).toBe(paid);
});

test('the minimum is held against each account by itself', () => {
	const all = [
		commission({ id: 1, amountCents: 60 }),
		commission({ id: 2, amountCents: 60, currency: 'EUR' }),
		commission({ id: 3, amountCents: 60 }),
		commission({ id: 4, amountCents: 500, partnerProgramId: 2 }),
		commission({ id: 5, amountCents: 900, status: 'pending', currency: 'EUR' }),
	];
	const balances = [
		{ partnerProgramId: 1, currency: 'USD', balanceCents: 120 },
		{ partnerProgramId: 1, currency: 'EUR', balanceCents: 960 },
		{ partnerProgramId: 2, currency: 'USD', balanceCents: 50 },
	];
	expect(choosePayable(all, balances, 100, NOW).map(({ id }) => id)).toEqual([1, 3]);
	expect(choosePayable(all, balances, 0, NOW).map(({ id }) => id)).toEqual([1, 3, 2, 4]);
});

test.each([
	['2026-01-31', { kind: 'day', day: '2026-01-31' }],
	['2026-02-30', undefined],
	['2026-01-31T12:00:00Z', { kind: 'instant', at: Date.UTC(2026, 0, 31, 12) }],
	['2026-01-31T12:00:00.5+02:00', { kind: 'instant', at: Date.UTC(2026, 0, 31, 10, 0, 0, 500) }],
	['2026-01-31T12:00 02:00', { kind: 'instant', at: Date.UTC(2026, 0, 31, 10) }],
	['2026-02-30T12:00:00Z', undefined],
	['2026-01-31T25:00:00Z', undefined],
	['2026-01-31T12:00:00', undefined],
	['31.1.2026', undefined],
	['', undefined],
])('the moment %j', (text, moment) => {
	expect(parseMoment(text)).toEqual(moment);
});
