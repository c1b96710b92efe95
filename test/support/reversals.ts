import type { PaidSale, ReportedReversal } from '../../src/domain/refunds/refunded-amount.ts';

export const SALE: PaidSale = {
	amountCents: 10_000,
	currency: 'USD',
	chargedCents: 10_000,
	chargedCurrency: 'USD',
	reportedRefundCents: 0,
};
/** Later than everything else, by far more than a charge's total may be delayed. */
export const DAYS_LATER = 200_000_000;

function aReportedReversal(
	kind: ReportedReversal['kind'],
	reversalId: string,
	amountCents: number,
	happenedAt = 1,
	undoneAt: number | null = null,
) {
	const reported = {
		kind,
		reversalId,
		amountCents,
		currency: 'USD',
		happenedAt,
		undoneAt,
		stoodAt: null,
		chargeId: null,
		chargeCents: null,
	};
	return reported satisfies ReportedReversal;
}
export const refund = (id: string, cents: number, at = 1, undoneAt: number | null = null) =>
	aReportedReversal('refund', id, cents, at, undoneAt);
export const dispute = (id: string, cents: number, at = 1, undoneAt: number | null = null) =>
	aReportedReversal('dispute', id, cents, at, undoneAt);
/** A dispute in its latest state. */
export const disputed = (
	id: string,
	cents: number,
	words: { readonly stoodAt?: number; readonly undoneAt?: number },
): ReportedReversal => ({
	...aReportedReversal('dispute', id, cents),
	...words,
});
export const total = (charge: string, cents: number, at: number) => aReportedReversal('total', `${charge}:${at}:${cents}`, cents, at);
export const of = (chargeId: string, reported: ReportedReversal, chargeCents: number | null = null): ReportedReversal => ({
	...reported,
	chargeId,
	chargeCents,
});
