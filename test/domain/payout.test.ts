import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
	choosePayable,
	paidOf,
	PAYOUT_LIMIT,
	type PayableCommission,
	remainderOf,
	requireEach,
	whyNotApprovable,
	whyNotPayable,
	whyNotRejectable,
} from '../../src/domain/payout.ts';

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

describe('to pay a commission that is', () => {
	test.each<[string, Partial<PayableCommission>, string | undefined]>([
		['approved', {}, undefined],
		['approved before the end of its hold', { holdUntil: NOW + 1 }, undefined],
		['approved, of 0 cents', { amountCents: 0 }, undefined],
		...(['pending', 'paid', 'rejected', 'reversed'] as const).map((status): [string, Partial<PayableCommission>, string] => [
			status,
			{ status },
			`is ${status}: only approved commissions, and what is left of partly refunded ones, can be paid`,
		]),
		['partly refunded', { status: 'refunded', deductedCents: 40, statusBeforeRefund: 'pending' }, undefined],
		[
			'partly refunded, its hold just over',
			{ status: 'refunded', deductedCents: 40, statusBeforeRefund: 'pending', holdUntil: NOW },
			undefined,
		],
		[
			'partly refunded, on hold',
			{ status: 'refunded', deductedCents: 40, statusBeforeRefund: 'pending', holdUntil: NOW + 1 },
			'is refunded and what is left of it is on hold until 1970-01-01T00:16:40.001Z',
		],
		[
			'partly refunded, its hold waived',
			{ status: 'refunded', deductedCents: 40, statusBeforeRefund: 'approved', holdUntil: NOW + 1 },
			undefined,
		],
		[
			'refunded without rest',
			{ status: 'refunded', deductedCents: 100, statusBeforeRefund: 'approved' },
			'is refunded and nothing of it is left to pay',
		],
		[
			'refunded after it was paid',
			{ status: 'refunded', deductedCents: 40, statusBeforeRefund: 'paid', paidAt: 1 },
			'is refunded and was paid already',
		],
	])('%s', (_, fields, reason) => {
		expect(whyNotPayable(commission(fields), NOW)).toBe(reason);
	});
});

test.each([
	['pending', true, true],
	['approved', false, true],
	['paid', false, false],
	['rejected', false, false],
	['reversed', false, false],
	['refunded', false, false],
] as const)('a commission that is %s: approvable %s, rejectable %s', (status, isApprovable, isRejectable) => {
	expect(whyNotApprovable(commission({ status }))).toBe(
		isApprovable ? undefined : `is ${status}: only pending commissions can be approved`,
	);
	expect(whyNotRejectable(commission({ status }))).toBe(
		isRejectable ? undefined : `is ${status}: only pending and approved commissions can be rejected`,
	);
});

test('one payout has at most as many commissions as the description says', () => expect(PAYOUT_LIMIT).toBe(10_000));

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
	// The minimum itself is enough; what an account is paid is the lesser of its remainders and its balance.
	expect(choosePayable(all, balances, 120, NOW).map(({ id }) => id)).toEqual([1, 3]);
	expect(choosePayable(all, balances, 121, NOW)).toEqual([]);
	expect(choosePayable(all, balances, 60, NOW).map(({ id }) => id)).toEqual([1, 3, 2]);
});

test('an account without any balance is paid nothing, so that it misses every minimum but 0', () => {
	const lone = [commission({ amountCents: 500 })];
	expect(choosePayable(lone, [], 1, NOW)).toEqual([]);
	expect(choosePayable(lone, [], 0, NOW)).toEqual(lone);
});

test('whatever there is, only what is payable is chosen, all of an account or nothing, and never one below the minimum', () => {
	const cents = fc.integer({ min: 0, max: 300 });
	const commissions = fc.array(
		fc.record({
			partnerProgramId: fc.integer({ min: 1, max: 2 }),
			currency: fc.constantFrom('USD', 'EUR'),
			status: fc.constantFrom('approved' as const, 'pending' as const, 'paid' as const, 'refunded' as const),
			amountCents: cents,
			deductedCents: fc.constantFrom(0, 10),
		}),
		{ maxLength: 8 },
	);
	const balances = fc.uniqueArray(
		fc.record({
			partnerProgramId: fc.integer({ min: 1, max: 2 }),
			currency: fc.constantFrom('USD', 'EUR'),
			balanceCents: fc.integer({ min: -200, max: 400 }),
		}),
		{ selector: ({ partnerProgramId, currency }) => `${partnerProgramId}${currency}` },
	);
	fc.assert(
		fc.property(commissions, balances, cents, (fields, accounts, minimumCents) => {
			const all = fields.map((each, index) => commission({ id: index + 1, ...each }));
			const chosen = choosePayable(all, accounts, minimumCents, NOW);
			for (const partnerProgramId of [1, 2]) {
				for (const currency of ['USD', 'EUR']) {
					const isOfAccount = (each: PayableCommission) => each.partnerProgramId === partnerProgramId && each.currency === currency;
					const payable = all.filter((each) => isOfAccount(each) && whyNotPayable(each, NOW) === undefined);
					const remainders = payable.reduce((sum, each) => sum + remainderOf(each), 0);
					const account = accounts.find((each) => each.partnerProgramId === partnerProgramId && each.currency === currency);
					const isEnough = paidOf(remainders, account?.balanceCents ?? 0) >= minimumCents;
					expect(chosen.filter(isOfAccount)).toEqual(isEnough ? payable : []);
				}
			}
		}),
	);
});

describe('of commissions that are named, each must be there and in the right state', () => {
	const found = [commission({ id: 1 }), commission({ id: 2, status: 'paid' }), commission({ id: 3, status: 'rejected' })];
	const requiring = (ids: readonly number[]) => () => requireEach(ids, found, (each) => whyNotPayable(each, NOW));

	test('then nothing is said', () => {
		expect(requiring([1])).not.toThrow();
		expect(requiring([])).not.toThrow();
	});

	test('the first unknown one is refused with 404', () => {
		expect(requiring([1, 9, 2])).toThrow(expect.objectContaining({ code: 'not_found', status: 404, message: 'Commission 9 not found' }));
	});

	test('the first in a wrong state is refused with 409 and its state', () => {
		expect(requiring([1, 3, 2, 9])).toThrow(
			expect.objectContaining({
				code: 'conflict',
				status: 409,
				message: expect.stringMatching(/^Commission 3 is rejected: only approved /),
			}),
		);
	});
});
