import { dayOf } from '../calendar.ts';
import type { ExplainedCommission } from './commission-state.ts';
import { moneyText } from '../money.ts';
import { type Balance, remainderOf } from '../payouts/payout.ts';
import type { PayoutStatus } from '../payouts/payout-state.ts';

// What partners read about their earnings.

export interface OwnCommissionFacts extends ExplainedCommission {
	readonly currency: string;
	readonly holdDays: number;
	/** Null if it is in no payout. */
	readonly payoutStatus: PayoutStatus | null;
	readonly payoutSentAt: number | null;
}

interface TimeContext {
	readonly now: number;
	readonly timeZone: string;
}

type Explain = (commission: OwnCommissionFacts, time: TimeContext) => string;

const REASONS = {
	pending: (commission, time) => holdOf(commission, time, 'this'),
	approved: () => 'Available. It will be in an upcoming payout',
	paid: (commission, time) => `It ${payoutOf(commission, time)}`,
	rejected: ({ rejectionReason }) =>
		rejectionReason === null ? 'Rejected by the program without a reason' : `Rejected by the program: ${rejectionReason}`,
	reversed: (commission) => `The sale was refunded in full${because(commission)}. ${deductionOf(commission, 'Nothing of it will be paid')}`,
	refunded: (commission, time) => `The sale was partly refunded${because(commission)}. ${restOf(commission, time)}`,
} satisfies Record<ExplainedCommission['status'], Explain>;

export function ownReasonOf(commission: OwnCommissionFacts, time: TimeContext): string {
	return REASONS[commission.status](commission, time);
}

/** A payout pays nobody before it is sent. */
function payoutOf({ payoutId, payoutStatus, payoutSentAt }: OwnCommissionFacts, { timeZone }: TimeContext): string {
	if (payoutStatus === 'failed') return `was in payout ${payoutId}, which failed. Its amount will be in the next payout`;
	if (payoutStatus === 'settled') return `was in payout ${payoutId}, which had nothing to send because all of it was deducted`;
	if (payoutStatus === 'made') return `is on its way in payout ${payoutId}, which has not been sent yet`;
	return `was paid ${payoutSentAt === null ? '' : `on ${dayOf(payoutSentAt, timeZone)} `}with payout ${payoutId}`;
}

function holdOf({ holdUntil, holdDays }: OwnCommissionFacts, { now, timeZone }: TimeContext, what: string): string {
	const areOver = holdDays === 1 ? 'the 1-day hold is over' : `the ${holdDays}-day hold is over`;
	return holdUntil > now
		? `You earn ${what} on ${dayOf(holdUntil, timeZone)}, when ${areOver}`
		: `You earn ${what}: ${areOver}, and it will be approved soon`;
}

function restOf(commission: OwnCommissionFacts, time: TimeContext): string {
	const rest = moneyText(remainderOf(commission), commission.currency);
	if (remainderOf(commission) === 0) return deductionOf(commission, 'Nothing is left of it');
	if (commission.paidAt !== null) return deductionOf(commission, `The rest, ${rest}, ${payoutOf(commission, time)}`);
	const isHeld = commission.statusBeforeRefund === 'pending' && commission.holdUntil > time.now;
	return isHeld ? holdOf(commission, time, `the rest, ${rest},`) : `The rest, ${rest}, will be in an upcoming payout`;
}

/** A failed payout returns its whole amount, and the refund is deducted from that. */
function deductionOf(commission: OwnCommissionFacts, otherwise: string): string {
	if (commission.statusBeforeRefund !== 'paid') return otherwise;
	const deducted = moneyText(commission.deductedCents, commission.currency);
	const { payoutId, payoutStatus } = commission;
	if (payoutStatus === 'failed')
		return `It was in payout ${payoutId}, which failed. Its amount was credited to you again, less ${deducted}`;
	const paid = payoutStatus === 'sent' ? 'was paid with' : payoutStatus === 'made' ? 'is on its way in' : 'was in';
	return `It ${paid} payout ${payoutId}, so ${deducted} is deducted from your next earnings`;
}

function because({ refundReason }: OwnCommissionFacts): string {
	return behindColon(refundReason);
}

function behindColon(text: string | null): string {
	return text === null ? '' : `: ${text}`;
}

export function paidReasonOf(payout: {
	readonly amountCents: number;
	readonly recoveredCents: number;
	readonly commissionCents: number;
	readonly surplusCents: number;
	readonly currency: string;
}): string {
	const { amountCents, recoveredCents, commissionCents, surplusCents, currency } = payout;
	const earned = `${moneyText(commissionCents, currency)} of your commissions`;
	const back = `${moneyText(surplusCents, currency)} owed to you from before, for example after a failed payout or refund`;
	const parts = [...(commissionCents > 0 || surplusCents === 0 ? [earned] : []), ...(surplusCents > 0 ? [back] : [])].join(', and ');
	if (recoveredCents === 0) return parts;
	const kept = `${moneyText(recoveredCents, currency)} deducted because sales that you were paid for were refunded`;
	return amountCents === 0 ? `None of ${parts} was paid: ${kept}` : `${parts}, less ${kept}`;
}

/** Decision 19b. */
export function sentReasonOf(
	payout: {
		readonly status: PayoutStatus;
		readonly sentAt: number | null;
		readonly sentReference: string | null;
		readonly failedAt: number | null;
		readonly failureReason: string | null;
	},
	{ timeZone }: Pick<TimeContext, 'timeZone'>,
): string {
	const { status, sentAt, sentReference, failedAt, failureReason } = payout;
	const on = (at: number | null) => (at === null ? '' : ` on ${dayOf(at, timeZone)}`);
	if (status === 'settled') return 'There was nothing to send because all of it was deducted';
	if (status === 'failed') return `It failed${on(failedAt)}${behindColon(failureReason)}. Its amount will be in the next payout`;
	return status === 'sent' ? `Sent${on(sentAt)}${behindColon(sentReference)}` : 'The program has not marked it as sent yet';
}

/** What the next payout would pay, and what reduces it. */
export function nextPayoutOf({ availableCents, pendingCents, debtCents }: Balance, currency: string, minimumCents: number) {
	const text = (cents: number) => moneyText(cents, currency);
	const isReached = availableCents > 0 && availableCents >= minimumCents;
	const held = pendingCents > 0 ? `${text(pendingCents)} is on hold` : undefined;
	const reason = () => {
		if (isReached) return `${text(availableCents)} can be paid now. The program decides when`;
		if (availableCents > 0) return `${text(availableCents)} can be paid, which is less than the minimum payout of ${text(minimumCents)}`;
		if (debtCents > 0) {
			return `Sales that you were paid for were refunded, so ${text(debtCents)} is deducted from your next earnings${held ? `, and ${held}` : ''}`;
		}
		return held ? `Nothing can be paid yet: ${held}` : 'There are no unpaid earnings';
	};
	return { currency, amountCents: isReached ? availableCents : 0, minimumCents, reason: reason() };
}
