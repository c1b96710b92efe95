import { isoOf } from '../instant.ts';
import { type DecidableCommission, remainderOf } from '../payouts/payout.ts';

export interface ExplainedCommission extends DecidableCommission {
	readonly createdAt: number;
	readonly payoutId: number | null;
	/** The payout never arrived, so its amount was returned to the balance (decision 19b). */
	readonly isPayoutFailed: boolean;
	readonly refundReason: string | null;
	readonly rejectionReason: string | null;
}

type Explain = (commission: ExplainedCommission, now: number) => string;

const REASONS = {
	pending: holdOf,
	approved: approvalOf,
	paid: (commission) => `Paid in ${payoutOf(commission)}`,
	rejected: ({ rejectionReason }) => `Rejected${because(rejectionReason)}`,
	reversed: (commission) => `The sale was refunded in full${afterPayment(commission)}${because(commission.refundReason)}`,
	refunded: (commission, now) =>
		`The sale was partly refunded${afterPayment(commission)}${because(commission.refundReason)}. ${restOf(commission, now)}`,
} satisfies Record<ExplainedCommission['status'], Explain>;

export function stateReasonOf(commission: ExplainedCommission, now: number): string {
	return REASONS[commission.status](commission, now);
}

function holdOf(commission: ExplainedCommission, now: number): string {
	return commission.holdUntil > now
		? `On hold until ${isoOf(commission.holdUntil)}`
		: `The hold ended at ${isoOf(commission.holdUntil)}. Approval is due`;
}

function approvalOf(commission: ExplainedCommission, now: number): string {
	if (commission.holdUntil > now) return `Approved before its hold would have ended at ${isoOf(commission.holdUntil)}`;
	if (commission.holdUntil <= commission.createdAt) return 'Approved immediately because its rule has no hold';
	return `Approved: its hold ended at ${isoOf(commission.holdUntil)}`;
}

function restOf(commission: ExplainedCommission, now: number): string {
	if (commission.paidAt !== null) {
		return commission.statusBeforeRefund === 'paid'
			? 'The refund was deducted from the balance'
			: `The rest was paid in ${payoutOf(commission)}`;
	}
	if (remainderOf(commission) === 0) return 'Nothing is left of the commission';
	if (commission.statusBeforeRefund === 'pending' && commission.holdUntil > now)
		return `The rest is on hold until ${isoOf(commission.holdUntil)}`;
	return 'The rest can be paid';
}

function afterPayment(commission: ExplainedCommission): string {
	return commission.statusBeforeRefund === 'paid' ? ` after ${payoutOf(commission)}` : '';
}

function payoutOf({ payoutId, isPayoutFailed }: ExplainedCommission): string {
	return `payout ${payoutId}${isPayoutFailed ? ', which failed' : ''}`;
}

function because(reason: string | null): string {
	return reason === null ? '' : `: ${reason}`;
}
