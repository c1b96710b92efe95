import { describe, expect, test } from 'vitest';
import {
	type OwnCommissionFacts,
	ownReasonOf,
	nextPayoutOf,
	paidReasonOf,
	sentReasonOf,
} from '../../../src/domain/commissions/own-status.ts';

const NOW = Date.UTC(2026, 2, 10, 12);
const LATER = Date.UTC(2026, 2, 20, 23);
const EARLIER = Date.UTC(2026, 2, 1);

function reasonOf(commission: Partial<OwnCommissionFacts>): string {
	return ownReasonOf(
		{
			id: 1,
			status: 'approved',
			amountCents: 1_000,
			deductedCents: 0,
			currency: 'USD',
			statusBeforeRefund: null,
			createdAt: EARLIER,
			holdUntil: EARLIER,
			holdDays: 30,
			paidAt: null,
			payoutId: null,
			refundReason: null,
			rejectionReason: null,
			isPayoutFailed: false,
			payoutStatus: null,
			payoutSentAt: null,
			...commission,
		},
		{ now: NOW, timeZone: 'Europe/Berlin' },
	);
}

const PARTLY = { status: 'refunded', deductedCents: 300 } as const;
const IN_PAYOUT = { paidAt: EARLIER, payoutId: 7, payoutStatus: 'made' } as const;
const PAID = { ...IN_PAYOUT, payoutStatus: 'sent', payoutSentAt: LATER } as const;
const FAILED = { ...PAID, payoutStatus: 'failed', isPayoutFailed: true } as const;

describe("the reason of a commission's state, as its partner sees it", () => {
	test.each<[string, Partial<OwnCommissionFacts>]>([
		['You earn this on 2026-03-21, when the 30-day hold is over', { status: 'pending', holdUntil: LATER }],
		['You earn this on 2026-03-21, when the 1-day hold is over', { status: 'pending', holdUntil: LATER, holdDays: 1 }],
		['You earn this: the 30-day hold is over, and it will be approved soon', { status: 'pending', holdUntil: NOW }],
		['Available. It will be in an upcoming payout', {}],
		['It is on its way in payout 7, which has not been sent yet', { status: 'paid', ...IN_PAYOUT }],
		['It was paid on 2026-03-21 with payout 7', { status: 'paid', ...PAID }],
		['It was in payout 7, which failed. Its amount will be in the next payout', { status: 'paid', ...FAILED }],
		[
			'It was in payout 7, which had nothing to send because all of it was deducted',
			{ status: 'paid', ...IN_PAYOUT, payoutStatus: 'settled' },
		],
		[
			'The sale was refunded in full. It was in payout 7, which failed. Its amount was credited to you again, less 10.00 USD',
			{ status: 'reversed', deductedCents: 1_000, statusBeforeRefund: 'paid', ...FAILED },
		],
		[
			'The sale was partly refunded. It was in payout 7, which failed. Its amount was credited to you again, less 3.00 USD',
			{ ...PARTLY, statusBeforeRefund: 'paid', ...FAILED },
		],
		[
			'The sale was partly refunded. The rest, 7.00 USD, was in payout 7, which failed. Its amount will be in the next payout',
			{ ...PARTLY, statusBeforeRefund: 'approved', ...FAILED },
		],
		['Rejected by the program without a reason', { status: 'rejected' }],
		['Rejected by the program: own order', { status: 'rejected', rejectionReason: 'own order' }],
		[
			'The sale was refunded in full: broken. Nothing of it will be paid',
			{ status: 'reversed', deductedCents: 1_000, statusBeforeRefund: 'approved', refundReason: 'broken' },
		],
		[
			'The sale was refunded in full. It was paid with payout 7, so 10.00 USD is deducted from your next earnings',
			{ status: 'reversed', deductedCents: 1_000, statusBeforeRefund: 'paid', ...PAID },
		],
		[
			'The sale was partly refunded: late. The rest, 7.00 USD, will be in an upcoming payout',
			{ ...PARTLY, statusBeforeRefund: 'approved', refundReason: 'late' },
		],
		[
			'The sale was partly refunded. You earn the rest, 7.00 USD, on 2026-03-21, when the 30-day hold is over',
			{ ...PARTLY, statusBeforeRefund: 'pending', holdUntil: LATER },
		],
		[
			'The sale was partly refunded. The rest, 7.00 USD, will be in an upcoming payout',
			{ ...PARTLY, statusBeforeRefund: 'pending', holdUntil: NOW },
		],
		[
			'The sale was partly refunded. The rest, 7.00 USD, was paid on 2026-03-21 with payout 7',
			{ ...PARTLY, statusBeforeRefund: 'approved', ...PAID },
		],
		[
			'The sale was partly refunded. The rest, 7.00 USD, is on its way in payout 7, which has not been sent yet',
			{ ...PARTLY, statusBeforeRefund: 'approved', ...IN_PAYOUT },
		],
		[
			'The sale was partly refunded. It is on its way in payout 7, so 3.00 USD is deducted from your next earnings',
			{ ...PARTLY, statusBeforeRefund: 'paid', ...IN_PAYOUT },
		],
		[
			'The sale was partly refunded. It was in payout 7, so 3.00 USD is deducted from your next earnings',
			{ ...PARTLY, statusBeforeRefund: 'paid', ...IN_PAYOUT, payoutStatus: 'settled' },
		],
		[
			'The sale was partly refunded. It was paid with payout 7, so 3.00 USD is deducted from your next earnings',
			{ ...PARTLY, statusBeforeRefund: 'paid', ...PAID },
		],
		['The sale was partly refunded. Nothing is left of it', { ...PARTLY, deductedCents: 1_000, statusBeforeRefund: 'approved' }],
		[
			'The sale was partly refunded. It was paid with payout 7, so 10.00 USD is deducted from your next earnings',
			{ ...PARTLY, deductedCents: 1_000, statusBeforeRefund: 'paid', ...PAID },
		],
	])('%s', (reason, commission) => {
		expect(reasonOf(commission)).toBe(reason);
	});
});

describe("the explanation of a payout's amount", () => {
	test.each([
		['10.00 USD of your commissions', [1_000, 0, 0]],
		['10.00 USD of your commissions, less 4.00 USD deducted because sales that you were paid for were refunded', [1_000, 0, 400]],
		[
			'None of 10.00 USD of your commissions was paid: 10.00 USD deducted because sales that you were paid for were refunded',
			[1_000, 0, 1_000],
		],
		['2.00 USD owed to you from before, for example after a failed payout or refund', [0, 200, 0]],
		['10.00 USD of your commissions, and 2.00 USD owed to you from before, for example after a failed payout or refund', [1_000, 200, 0]],
	] as const)('%s', (reason, [commissionCents, surplusCents, recoveredCents]) => {
		const amountCents = commissionCents + surplusCents - recoveredCents;
		expect(paidReasonOf({ amountCents, commissionCents, surplusCents, recoveredCents, currency: 'USD' })).toBe(reason);
	});
});

describe('the state of a payout', () => {
	const nothing = { sentAt: null, sentReference: null, failedAt: null, failureReason: null };
	test.each([
		['The program has not marked it as sent yet', { status: 'made' }],
		['Sent on 2026-03-21: transfer 12', { status: 'sent', sentAt: LATER, sentReference: 'transfer 12' }],
		['Sent on 2026-03-21', { status: 'sent', sentAt: LATER }],
		[
			'It failed on 2026-03-21: no such account. Its amount will be in the next payout',
			{ status: 'failed', failedAt: LATER, failureReason: 'no such account' },
		],
		['It failed on 2026-03-21. Its amount will be in the next payout', { status: 'failed', sentAt: EARLIER, failedAt: LATER }],
		['There was nothing to send because all of it was deducted', { status: 'settled' }],
	] as const)('%s', (reason, payout) => {
		expect(sentReasonOf({ ...nothing, ...payout }, { timeZone: 'Europe/Berlin' })).toBe(reason);
	});
});

describe('the next payout', () => {
	test.each([
		[800, '8.00 USD can be paid now. The program decides when', [800, 0, 0], 0],
		[800, '8.00 USD can be paid now. The program decides when', [800, 100, 0], 800],
		[0, '7.99 USD can be paid, which is less than the minimum payout of 8.00 USD', [799, 0, 0], 800],
		[0, 'Nothing can be paid yet: 1.00 USD is on hold', [0, 100, 0], 0],
		[0, 'Sales that you were paid for were refunded, so 3.00 USD is deducted from your next earnings', [0, 0, 300], 0],
		[
			0,
			'Sales that you were paid for were refunded, so 3.00 USD is deducted from your next earnings, and 1.00 USD is on hold',
			[0, 100, 300],
			0,
		],
		[0, 'There are no unpaid earnings', [0, 0, 0], 0],
	] as const)('%i: %s', (amountCents, reason, [availableCents, pendingCents, debtCents], minimumCents) => {
		expect(nextPayoutOf({ availableCents, pendingCents, debtCents }, 'USD', minimumCents)).toEqual({
			currency: 'USD',
			amountCents,
			minimumCents,
			reason,
		});
	});
});
