import { type PaidSale, refundedOf, type ReportedReversal } from './refunded-amount.ts';
import { proportionOf } from '../money.ts';

export type CommissionStatus = 'pending' | 'approved' | 'paid' | 'rejected' | 'reversed' | 'refunded';

export interface RefundedSale extends PaidSale {
	readonly refundedCents: number;
	readonly reportedReversals: readonly ReportedReversal[];
}

export interface RefundableSale extends RefundedSale {
	readonly hasRefundWithoutId: boolean;
	readonly hasRefundWithId: boolean;
	readonly hasThisRefundId: boolean;
}

export interface RefundableCommission {
	readonly amountCents: number;
	readonly deductedCents: number;
	readonly status: CommissionStatus;
	/** Set while the status is `refunded` or `reversed`. */
	readonly statusBeforeRefund: StatusBeforeRefund | null;
	readonly paidAt: number | null;
}

export type StatusBeforeRefund = 'pending' | 'approved' | 'paid';

export interface RefundRequest {
	/** Undefined for a full refund. */
	readonly amountCents: number | undefined;
	readonly refundId: string | undefined;
}

export interface CommissionChange<Commission extends RefundableCommission> {
	readonly commission: Commission;
	readonly status: CommissionStatus;
	readonly statusBeforeRefund: StatusBeforeRefund | null;
	readonly deductionCents: number;
}

/** `change` is unset if the sale has no commission, or a rejected one. */
export type Movement<Commission extends RefundableCommission> = {
	readonly amountCents: number;
	readonly refundedCents: number;
} & (
	| { readonly outcome: 'reversed' | 'refunded'; readonly change: CommissionChange<Commission> }
	| { readonly outcome: 'no_commission'; readonly change: undefined }
	| { readonly outcome: 'reinstated'; readonly change: CommissionChange<Commission> | undefined }
);

export type RefundPlan<Commission extends RefundableCommission> =
	| {
			readonly outcome: 'skipped';
			readonly commission: Commission;
			readonly reason: string;
			/** Set if the report must be stored although nothing changes, because the processor may undo its own refund. */
			readonly reportedRefundCents: number | undefined;
			/** Set if the commission was rejected but the sale is refunded. */
			readonly movement: ReportedMovement<Commission> | undefined;
	  }
	/** For a sale without a commission. */
	| { readonly outcome: 'known' }
	| Exclude<ReportedMovement<Commission>, { outcome: 'reinstated' }>;

/** `reportedRefundCents` is the sale's new total, including this report. */
export type ReportedMovement<Commission extends RefundableCommission> = Movement<Commission> & { readonly reportedRefundCents: number };

export const ALREADY_REJECTED = 'Commission was rejected: there is nothing to reverse';
const REPORTED_BY_PROCESSOR = 'Commission already refunded: the payment processor reported this refund';
const SAME_REFUND_ID = 'A refund with this refund_id was already processed';

/** Plans a refund reported to the endpoint (contract, section 3; decisions 14 to 17). */
export function planRefund<Commission extends RefundableCommission>(
	sale: RefundableSale,
	commission: Commission | undefined,
	request: RefundRequest,
): RefundPlan<Commission> {
	const refusal = alreadyRefunded(sale, request);
	const reportedRefundCents = Math.min(sale.reportedRefundCents + (request.amountCents ?? sale.amountCents), sale.amountCents);
	const refundedCents = refundedOf({ ...sale, reportedRefundCents }, sale.reportedReversals);
	const amountCents = refundedCents - sale.refundedCents;
	const moved = { amountCents, refundedCents, reportedRefundCents };
	if (!commission) return refusal ? { outcome: 'known' } : { outcome: 'no_commission', ...moved, change: undefined };
	const skipped = (reason: string, kept?: number) =>
		({ outcome: 'skipped', commission, reason, reportedRefundCents: kept, movement: undefined }) as const;
	const { status } = commission;
	if (status === 'rejected') {
		if (refusal) return skipped(ALREADY_REJECTED);
		const movement = planMovement(sale, commission, refundedCents);
		return { ...skipped(ALREADY_REJECTED, reportedRefundCents), movement: movement && { ...movement, reportedRefundCents } };
	}
	// The processor has already reversed everything. The report is stored because the processor may undo that.
	if (status === 'reversed') return skipped('Commission already reversed', refusal ? undefined : reportedRefundCents);
	if (refusal) return skipped(refusal);
	if (amountCents === 0) return skipped(isReportedById(sale, request) ? SAME_REFUND_ID : REPORTED_BY_PROCESSOR, reportedRefundCents);
	// A full refund reverses the commission, unless part of the refund is known to have failed.
	const outcome = request.amountCents === undefined && refundedCents === sale.amountCents ? 'reversed' : 'refunded';
	return { outcome, ...moved, change: changeOf(commission, outcome, deductionOf(commission, refundedCents, sale.amountCents)) };
}

/** The change after the processor's reports; undefined if nothing changes (decisions 16 and 19). A rejected commission does not change. */
export function planMovement<Commission extends RefundableCommission>(
	sale: Pick<RefundedSale, 'amountCents' | 'refundedCents'>,
	commission: Commission | undefined,
	refundedCents: number,
): Movement<Commission> | undefined {
	const moved = { amountCents: Math.abs(refundedCents - sale.refundedCents), refundedCents };
	if (moved.amountCents === 0) return undefined;
	const isTaken = refundedCents > sale.refundedCents;
	if (!commission || commission.status === 'rejected') {
		return isTaken ? { outcome: 'no_commission', ...moved, change: undefined } : { outcome: 'reinstated', ...moved, change: undefined };
	}
	const deductionCents = Math.abs(deductionOf(commission, refundedCents, sale.amountCents));
	if (refundedCents === 0) return { outcome: 'reinstated', ...moved, change: reinstatement(commission, deductionCents) };
	const status = refundedCents === sale.amountCents ? 'reversed' : 'refunded';
	return { outcome: isTaken ? status : 'reinstated', ...moved, change: changeOf(commission, status, deductionCents) };
}

/** Decision 14: commission x refunded / sale, rounded half up, less earlier deductions. */
export function deductionOf(
	commission: Pick<RefundableCommission, 'amountCents' | 'deductedCents'>,
	refundedCents: number,
	saleCents: number,
): number {
	return proportionOf(commission.amountCents, refundedCents, saleCents) - commission.deductedCents;
}

function changeOf<Commission extends RefundableCommission>(
	commission: Commission,
	status: 'reversed' | 'refunded',
	deductionCents: number,
): CommissionChange<Commission> {
	return { commission, status, statusBeforeRefund: stateBefore(commission), deductionCents };
}

/** The commission returns to its earlier state, or becomes paid if its rest was paid (trigger commissions_transition). */
function reinstatement<Commission extends RefundableCommission>(
	commission: Commission,
	deductionCents: number,
): CommissionChange<Commission> {
	const status = commission.paidAt === null ? stateBefore(commission) : 'paid';
	return { commission, status, statusBeforeRefund: null, deductionCents };
}

function stateBefore({ status, statusBeforeRefund }: RefundableCommission): StatusBeforeRefund {
	if (statusBeforeRefund !== null) return statusBeforeRefund;
	return status === 'pending' || status === 'paid' ? status : 'approved';
}

/** Why a refund counts as already processed; undefined if it does not (decision 16). */
function alreadyRefunded(sale: RefundableSale, request: RefundRequest): string | undefined {
	if (sale.hasThisRefundId) return SAME_REFUND_ID;
	if (sale.hasRefundWithoutId)
		return 'Commission already refunded. To record several refunds of one sale, send a distinct refund_id with each of them, from the first on.';
	if (sale.hasRefundWithId && request.refundId === undefined)
		return 'Commission already refunded. Send a refund_id to record a further refund of this sale.';
	// A processor may undo a reversal that it reported, so then this report must be recorded.
	if (sale.refundedCents >= sale.amountCents && sale.reportedReversals.length === 0)
		return 'Commission already refunded: nothing of the sale is left to refund';
	return undefined;
}

function isReportedById(sale: RefundableSale, { refundId }: RefundRequest): boolean {
	return sale.reportedReversals.some(({ kind, reversalId }) => kind === 'refund' && reversalId === refundId);
}
