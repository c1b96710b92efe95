import { proportionOf } from './money.ts';

export type CommissionStatus = 'pending' | 'approved' | 'paid' | 'rejected' | 'reversed' | 'refunded';

export interface RefundableSale {
	readonly amountCents: number;
	readonly refundedCents: number;
	/** Refunds so far, by whether they named a refund_id. */
	readonly hasRefundWithoutId: boolean;
	readonly hasRefundWithId: boolean;
	/** Whether a refund with this very refund_id is recorded. */
	readonly hasThisRefundId: boolean;
}

export interface RefundableCommission {
	readonly amountCents: number;
	readonly deductedCents: number;
	readonly status: CommissionStatus;
	/** Set while the status is `refunded` or `reversed`. */
	readonly statusBeforeRefund: StatusBeforeRefund | null;
}

export type StatusBeforeRefund = 'pending' | 'approved' | 'paid';

export interface RefundRequest {
	/** Undefined for a full refund, else positive. */
	readonly amountCents: number | undefined;
	readonly refundId: string | undefined;
}

export type RefundPlan<Commission extends RefundableCommission> =
	| { readonly outcome: 'skipped'; readonly commission: Commission; readonly reason: string }
	/** `amountCents` is stored even so, that net revenue is right; undefined where there is nothing more to store. */
	| { readonly outcome: 'no_commission'; readonly amountCents: number | undefined }
	| {
			readonly outcome: 'reversed' | 'refunded';
			readonly commission: Commission;
			/** What of the request takes effect. */
			readonly amountCents: number;
			readonly deductionCents: number;
			readonly statusBeforeRefund: StatusBeforeRefund;
	  };

/** What a refund through the endpoint does (contract, section 3; decisions 14 to 17). */
export function planRefund<Commission extends RefundableCommission>(
	sale: RefundableSale,
	commission: Commission | undefined,
	request: RefundRequest,
): RefundPlan<Commission> {
	const refusal = alreadyRefunded(sale, request);
	const left = sale.amountCents - sale.refundedCents;
	const amountCents = Math.min(request.amountCents ?? left, left);
	if (!commission) return { outcome: 'no_commission', amountCents: refusal ? undefined : amountCents };
	const { status } = commission;
	if (status === 'rejected') return { outcome: 'skipped', commission, reason: 'Commission was rejected: there is nothing to reverse' };
	if (status === 'reversed') return { outcome: 'skipped', commission, reason: 'Commission already reversed' };
	if (refusal) return { outcome: 'skipped', commission, reason: refusal };
	return {
		outcome: request.amountCents === undefined ? 'reversed' : 'refunded',
		commission,
		amountCents,
		deductionCents: deductionOf(commission, sale.refundedCents + amountCents, sale.amountCents),
		statusBeforeRefund: status === 'refunded' ? (commission.statusBeforeRefund ?? 'approved') : status,
	};
}

/** Decision 14: commission x refunded so far / sale, half up, minus what was deducted before. */
export function deductionOf(
	commission: Pick<RefundableCommission, 'amountCents' | 'deductedCents'>,
	refundedCents: number,
	saleCents: number,
): number {
	return proportionOf(commission.amountCents, refundedCents, saleCents) - commission.deductedCents;
}

/** Decision 16: why a refund of this sale counts as processed already, or undefined. */
function alreadyRefunded(sale: RefundableSale, request: RefundRequest): string | undefined {
	if (sale.hasThisRefundId) return 'A refund with this refund_id was already processed';
	if (sale.hasRefundWithoutId)
		return 'Commission already refunded. To record several refunds of one sale, send a distinct refund_id with each of them, from the first on.';
	if (sale.hasRefundWithId && request.refundId === undefined)
		return 'Commission already refunded. Send a refund_id to record a further refund of this sale.';
	if (sale.refundedCents >= sale.amountCents) return 'Commission already refunded: nothing of the sale is left to refund';
	return undefined;
}
