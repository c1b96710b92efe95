import { describe, expect, test } from 'vitest';
import { type ExplainedCommission, stateReasonOf } from '../../../src/domain/commissions/commission-state.ts';

const NOW = Date.UTC(2026, 2, 10, 12);
const LATER = Date.UTC(2026, 2, 20);
const EARLIER = Date.UTC(2026, 2, 1);

function reasonOf(commission: Partial<ExplainedCommission>): string {
	return stateReasonOf(
		{
			id: 1,
			status: 'approved',
			amountCents: 100,
			deductedCents: 0,
			statusBeforeRefund: null,
			createdAt: EARLIER,
			holdUntil: EARLIER,
			paidAt: null,
			payoutId: null,
			isPayoutFailed: false,
			refundReason: null,
			rejectionReason: null,
			...commission,
		},
		NOW,
	);
}

describe("the reason of a commission's state", () => {
	test.each<[string, Partial<ExplainedCommission>]>([
		['On hold until 2026-03-20T00:00:00.000Z', { status: 'pending', holdUntil: LATER }],
		['The hold ended at 2026-03-10T12:00:00.000Z. Approval is due', { status: 'pending', holdUntil: NOW }],
		['Approved immediately because its rule has no hold', {}],
		['Approved: its hold ended at 2026-03-10T12:00:00.000Z', { holdUntil: NOW }],
		['Approved before its hold would have ended at 2026-03-20T00:00:00.000Z', { holdUntil: LATER }],
		['Paid in payout 7', { status: 'paid', paidAt: EARLIER, payoutId: 7 }],
		['Paid in payout 7, which failed', { status: 'paid', paidAt: EARLIER, payoutId: 7, isPayoutFailed: true }],
		[
			'The sale was refunded in full after payout 7, which failed: broken',
			{ status: 'reversed', statusBeforeRefund: 'paid', paidAt: EARLIER, payoutId: 7, isPayoutFailed: true, refundReason: 'broken' },
		],
		['Rejected', { status: 'rejected' }],
		['Rejected: fraud', { status: 'rejected', rejectionReason: 'fraud', refundReason: 'not this one' }],
		['The sale was refunded in full', { status: 'reversed', statusBeforeRefund: 'approved' }],
		['The sale was refunded in full: broken', { status: 'reversed', statusBeforeRefund: 'approved', refundReason: 'broken' }],
		[
			'The sale was refunded in full after payout 7: broken',
			{ status: 'reversed', statusBeforeRefund: 'paid', paidAt: EARLIER, payoutId: 7, refundReason: 'broken' },
		],
	])('%s', (words, commission) => {
		expect(reasonOf(commission)).toBe(words);
	});
});

describe('the rest of a partly refunded commission:', () => {
	test.each<[string, Partial<ExplainedCommission>]>([
		['The sale was partly refunded. The rest can be paid', { statusBeforeRefund: 'approved', holdUntil: LATER }],
		[
			'The sale was partly refunded: too big. The rest can be paid',
			{ statusBeforeRefund: 'pending', holdUntil: NOW, refundReason: 'too big' },
		],
		[
			'The sale was partly refunded. The rest is on hold until 2026-03-20T00:00:00.000Z',
			{ statusBeforeRefund: 'pending', holdUntil: LATER },
		],
		['The sale was partly refunded. Nothing is left of the commission', { statusBeforeRefund: 'approved', deductedCents: 100 }],
		['The sale was partly refunded. The rest was paid in payout 7', { statusBeforeRefund: 'approved', paidAt: NOW, payoutId: 7 }],
		[
			'The sale was partly refunded after payout 7. The refund was deducted from the balance',
			{ statusBeforeRefund: 'paid', paidAt: EARLIER, payoutId: 7 },
		],
	])('%s', (words, commission) => {
		expect(reasonOf({ status: 'refunded', deductedCents: 40, ...commission })).toBe(words);
	});
});
