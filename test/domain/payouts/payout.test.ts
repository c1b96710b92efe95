import { describe, expect, test } from 'vitest';
import {
	type Account,
	amountReasonOf,
	choosePayable,
	leftOutReasonOf,
	paidOf,
	planPayouts,
	PAYOUT_LIMIT,
	type PayableCommission,
	requireEach,
	balanceOf,
	whyNotApprovable,
	whyNotPayable,
	whyNotRejectable,
} from '../../../src/domain/payouts/payout.ts';

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

describe('a commission can be paid or not:', () => {
	test.each<[string, Partial<PayableCommission>, string | undefined]>([
		['approved', {}, undefined],
		['approved before the end of its hold', { holdUntil: NOW + 1 }, undefined],
		['approved, of 0 cents', { amountCents: 0 }, undefined],
		...(['pending', 'paid', 'rejected', 'reversed'] as const).map((status): [string, Partial<PayableCommission>, string] => [
			status,
			{ status },
			`is ${status}: only approved commissions and the rest of partly refunded ones can be paid`,
		]),
		['partly refunded', { status: 'refunded', deductedCents: 40, statusBeforeRefund: 'pending' }, undefined],
		['partly refunded, hold ended', { status: 'refunded', deductedCents: 40, statusBeforeRefund: 'pending', holdUntil: NOW }, undefined],
		[
			'partly refunded, on hold',
			{ status: 'refunded', deductedCents: 40, statusBeforeRefund: 'pending', holdUntil: NOW + 1 },
			'is partly refunded and the rest is on hold until 1970-01-01T00:16:40.001Z',
		],
		[
			'partly refunded, with its hold waived',
			{ status: 'refunded', deductedCents: 40, statusBeforeRefund: 'approved', holdUntil: NOW + 1 },
			undefined,
		],
		[
			'fully refunded',
			{ status: 'refunded', deductedCents: 100, statusBeforeRefund: 'approved' },
			'is refunded and has nothing left to pay',
		],
		[
			'refunded after its payout',
			{ status: 'refunded', deductedCents: 40, statusBeforeRefund: 'paid', paidAt: 1 },
			'is refunded and was already paid',
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
] as const)('a commission that is %s: approvable %s, rejectable %s', (status, isApprovable, isRejectable) => {
	expect(whyNotApprovable(commission({ status }))).toBe(
		isApprovable ? undefined : `is ${status}: only pending commissions can be approved`,
	);
	expect(whyNotRejectable(commission({ status }))).toBe(
		isRejectable ? undefined : `is ${status}: only pending and approved commissions and the rest of partly refunded ones can be rejected`,
	);
});

test('the rest of a commission on hold needs no approval, and the error says when it can be paid', () => {
	const rest = commission({ status: 'refunded', statusBeforeRefund: 'pending', deductedCents: 40, holdUntil: Date.UTC(2026, 10, 24) });
	expect(whyNotApprovable(rest)).toMatch(/^is partly refunded: .* needs no approval and can be paid from 2026-11-24T00:00:00.000Z$/);
});

test.each<Partial<PayableCommission>>([
	{ status: 'refunded', statusBeforeRefund: 'pending', deductedCents: 100 },
	{ status: 'refunded', statusBeforeRefund: 'pending', deductedCents: 40, paidAt: 1 },
	{ status: 'rejected', statusBeforeRefund: 'pending', deductedCents: 40 },
])('nothing is left to approve of %j', (fields) => {
	expect(whyNotApprovable(commission(fields))).toBe(`is ${fields.status}: only pending commissions can be approved`);
});

test('a paid commission is not called refunded', () => {
	expect(whyNotRejectable(commission({ status: 'paid', paidAt: 1 }))).toMatch(/^is paid: only pending/);
});

test.each<[Partial<PayableCommission>, string | undefined]>([
	[{ deductedCents: 40 }, undefined],
	[{ deductedCents: 40, statusBeforeRefund: 'pending', holdUntil: NOW + 1 }, undefined],
	[{ deductedCents: 100 }, 'is refunded and has nothing left to reject'],
	[{ deductedCents: 40, paidAt: 1 }, 'is refunded and was already paid'],
	[{ deductedCents: 100, paidAt: 1 }, 'is refunded and was already paid'],
])('a partly refunded commission cannot be approved; to reject it, %j: %s', (fields, reason) => {
	const refunded = commission({ status: 'refunded', statusBeforeRefund: 'approved', ...fields });
	expect(whyNotApprovable(refunded)).toMatch(fields.statusBeforeRefund ? /^is partly refunded/ : /^is refunded: only pending/);
	expect(whyNotRejectable(refunded)).toBe(reason);
});

test('a payout has at most as many commissions as documented', () => expect(PAYOUT_LIMIT).toBe(10_000));

test.each([
	[500, 0, 500],
	[500, 20, 520],
	[0, 20, 20],
	[500, -200, 300],
	[500, -500, 0],
	[500, -800, 0],
	[0, -300, 0],
])('of %i cents of commissions, with a surplus of %i, %i are paid', (commissionCents, surplusCents, paid) => {
	expect(paidOf(commissionCents, surplusCents)).toBe(paid);
});

test.each([
	[100, 0, 100, 0],
	[100, 30, 70, 0],
	[90, 100, 0, 10],
	[100, 100, 0, 0],
	[-50, 0, 0, 50],
	[-50, 20, 0, 70],
	[0, 0, 0, 0],
])('a balance of %i with %i on hold is %i available and a debt of %i', (balanceCents, pendingCents, availableCents, debtCents) => {
	expect(balanceOf(balanceCents, pendingCents)).toEqual({ availableCents, pendingCents, debtCents });
});

test.each([
	[{ amountCents: 500, recoveredCents: 0, surplusCents: 0 }, 'The unpaid part of its commissions'],
	[{ amountCents: 0, recoveredCents: 0, surplusCents: 0 }, 'The unpaid part of its commissions'],
	[
		{ amountCents: 500, recoveredCents: 20, surplusCents: 0 },
		'The unpaid part of its commissions, less 0.20 USD deducted for an earlier debt',
	],
	[{ amountCents: 0, recoveredCents: 20, surplusCents: 0 }, 'Nothing to pay: 0.20 USD deducted for an earlier debt'],
	[{ amountCents: 20, recoveredCents: 0, surplusCents: 20 }, 'Was credited back because a refund or payout failed or a dispute was won'],
	[
		{ amountCents: 500, recoveredCents: 0, surplusCents: 20 },
		'The unpaid part of its commissions, and 0.20 USD credited back because a refund or payout failed or a dispute was won',
	],
])('the reason of a payout of %j: %s', (payout, reason) => {
	expect(amountReasonOf({ ...payout, currency: 'USD' })).toBe(reason);
});

function chosenFrom(all: readonly PayableCommission[], accounts: readonly Account[], minimumCents: number) {
	const { commissions, surplusAccounts } = choosePayable(all, accounts, minimumCents, NOW);
	return { ids: commissions.map(({ id }) => id), accounts: surplusAccounts };
}

describe('commissions selected by a filter', () => {
	test('must reach the minimum in each account separately', () => {
		const all = [
			commission({ id: 1, amountCents: 60 }),
			commission({ id: 2, amountCents: 60, currency: 'EUR' }),
			commission({ id: 3, amountCents: 60 }),
			commission({ id: 4, amountCents: 500, partnerProgramId: 2 }),
			commission({ id: 5, amountCents: 900, status: 'pending', currency: 'EUR' }),
		];
		const accounts = [
			{ partnerProgramId: 1, currency: 'USD', balanceCents: 120, unpaidCents: 120 },
			{ partnerProgramId: 1, currency: 'EUR', balanceCents: 960, unpaidCents: 960 },
			// This account has a debt of 450.
			{ partnerProgramId: 2, currency: 'USD', balanceCents: 50, unpaidCents: 500 },
		];
		expect(chosenFrom(all, accounts, 100).ids).toEqual([1, 3]);
		expect(chosenFrom(all, accounts, 0)).toEqual({ ids: [1, 3, 2, 4], accounts: [] });
		expect(chosenFrom(all, accounts, 120).ids).toEqual([1, 3]);
		expect(chosenFrom(all, accounts, 121).ids).toEqual([]);
		expect(chosenFrom(all, accounts, 60).ids).toEqual([1, 3, 2]);
	});

	test('do not count credits on hold against a debt', () => {
		const all = [commission({ id: 1, amountCents: 40 }), commission({ id: 2, amountCents: 100, status: 'pending' })];
		const accounts = [{ partnerProgramId: 1, currency: 'USD', balanceCents: 90, unpaidCents: 140 }];
		expect(chosenFrom(all, accounts, 1).ids).toEqual([]);
		expect(chosenFrom(all, accounts, 0).ids).toEqual([1]);
	});

	test('are paid with the surplus, which is also paid alone; a surplus of 0 makes no payout', () => {
		const surplus = { partnerProgramId: 1, currency: 'USD', balanceCents: 130, unpaidCents: 100 };
		const nothing = { partnerProgramId: 2, currency: 'USD', balanceCents: 100, unpaidCents: 100 };
		const debt = { partnerProgramId: 3, currency: 'USD', balanceCents: -5, unpaidCents: 0 };
		const accounts = [surplus, nothing, debt];
		expect(chosenFrom([], accounts, 0)).toEqual({ ids: [], accounts: [surplus] });
		expect(chosenFrom([], accounts, 30).accounts).toEqual([surplus]);
		expect(chosenFrom([], accounts, 31).accounts).toEqual([]);
		expect(chosenFrom([commission({ amountCents: 20 })], accounts, 50)).toEqual({ ids: [1], accounts: [] });
	});
});

describe('commissions selected by id must all exist in the right state', () => {
	const found = [commission({ id: 1 }), commission({ id: 2, status: 'paid' }), commission({ id: 3, status: 'rejected' })];
	const requiring = (ids: readonly number[]) => () => requireEach('Commission', ids, found, (each) => whyNotPayable(each, NOW));

	test('if they do, there is no error', () => {
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

function planned(fields: Partial<Account>, amounts: readonly number[], minimumCents: number) {
	const account = { partnerProgramId: 1, currency: 'USD', balanceCents: 0, unpaidCents: 0, ...fields };
	const found = amounts.map((amountCents, index) => commission({ id: index + 1, amountCents }));
	const [its] = planPayouts(found, [account], minimumCents, NOW);
	if (!its) throw new Error('Nothing was planned');
	const { amountCents, recoveredCents, commissionCents, surplusCents, leftOut } = its;
	return {
		figures: [amountCents, recoveredCents, commissionCents, surplusCents],
		leftOut,
		reason: leftOut && leftOutReasonOf(its, minimumCents),
	};
}

describe('an account', () => {
	const NOTHING = 'None of the partner’s commissions can be paid: they are on hold, or the request leaves them out';

	test.each<[string, Partial<Account>, number[], number, number[], string | undefined, string | undefined]>([
		['credits', { balanceCents: 90, unpaidCents: 90 }, [60, 30], 90, [90, 0, 90, 0], undefined, undefined],
		['credits of 0', {}, [0], 0, [0, 0, 0, 0], undefined, undefined],
		['only a surplus', { balanceCents: 20 }, [], 20, [20, 0, 0, 20], undefined, undefined],
		['credits and a surplus', { balanceCents: 80, unpaidCents: 60 }, [60], 0, [80, 0, 60, 20], undefined, undefined],
		['a debt that uses up everything', { balanceCents: -40, unpaidCents: 60 }, [60], 0, [0, 60, 60, 0], undefined, undefined],
		[
			'too little',
			{ balanceCents: 90, unpaidCents: 90 },
			[90],
			91,
			[90, 0, 90, 0],
			'below_minimum',
			'The payout would be 0.90 USD, less than the minimum of 0.91 USD',
		],
		[
			'a surplus that is too small',
			{ balanceCents: 5 },
			[],
			6,
			[5, 0, 0, 5],
			'below_minimum',
			'The payout would be 0.05 USD, less than the minimum of 0.06 USD',
		],
		[
			'too little after recovering a debt',
			{ balanceCents: 20, unpaidCents: 60 },
			[60],
			30,
			[20, 40, 60, 0],
			'in_debt',
			'The payout would be 0.20 USD, less than the minimum of 0.30 USD: 0.40 USD would be deducted for an earlier debt',
		],
		[
			'only a debt',
			{ balanceCents: -40 },
			[],
			0,
			[0, 0, 0, 0],
			'in_debt',
			'The partner has a debt of 0.40 USD, and none of their commissions can be paid',
		],
		['credits on hold', { balanceCents: 60, unpaidCents: 60 }, [], 0, [0, 0, 0, 0], 'nothing_approved', NOTHING],
		['nothing', {}, [], 0, [0, 0, 0, 0], 'nothing_approved', NOTHING],
	])('with %s', (_, account, amounts, minimumCents, figures, leftOut, reason) => {
		expect(planned(account, amounts, minimumCents)).toEqual({ figures, leftOut, reason });
	});
});
