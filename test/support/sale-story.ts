import type { SaleTimeline } from '../../src/domain/commissions/explanation.ts';
import { type Case, CLICKED, sold } from './sale-cases.ts';

/** The timeline of a sale with this outcome, without later events. */
export function timelineOf(asked: Case, more: Partial<SaleTimeline> = {}): SaleTimeline {
	const { facts, earning } = sold(asked);
	const isEarning = earning.kind === 'earned';
	return {
		id: 5,
		transactionId: 'order-1',
		isTest: false,
		amountCents: facts.amountCents,
		currency: facts.currency,
		createdAt: facts.soldAt,
		commissionState: isEarning ? 'made' : 'none',
		noCommissionReason: isEarning ? null : earning.reason,
		duplicateOfSaleId: null,
		facts,
		customer: { signupDay: '2026-10-02', clickedAt: CLICKED, shortLink: 'pat', couponCode: null },
		partnerName: 'Pat',
		coupon: null,
		commission: isEarning
			? {
					id: 8,
					status: earning.status,
					amountCents: earning.amountCents,
					deductedCents: 0,
					statusBeforeRefund: null,
					currency: facts.currency,
					holdUntil: earning.holdUntil,
					paidAt: null,
					payoutId: null,
					isPayoutFailed: false,
					refundReason: null,
					rejectionReason: null,
					createdAt: facts.soldAt,
				}
			: null,
		productId: null,
		lineItems: null,
		lineRules: [],
		rule: isEarning ? { id: 4, version: 2 } : null,
		refunds: [],
		entries: [],
		payout: null,
		...more,
	};
}
