import { MINUTE_MS } from '../calendar.ts';
import { isoOf } from '../instant.ts';
import { type DayOrInstantInQuery, endOf, startOf } from '../moment.ts';
import { invalid } from '../rejection.ts';

/**
 * A payout is `made`, then `sent` or `failed`; a sent payout may still fail later (decision 19b). `settled`: the whole payout recovered a
 * debt, so there is nothing to send.
 */
export const PAYOUT_STATUSES = ['made', 'sent', 'failed', 'settled'] as const;
export type PayoutStatus = (typeof PAYOUT_STATUSES)[number];

/** Must agree with the SQL of payouts/payout.ts. */
export function payoutStatusOf(payout: {
	readonly amountCents: number;
	readonly sentAt: number | null;
	readonly failedAt: number | null;
}): PayoutStatus {
	if (payout.failedAt !== null) return 'failed';
	if (payout.sentAt !== null) return 'sent';
	return payout.amountCents === 0 ? 'settled' : 'made';
}

export interface MarkedPayout {
	readonly id: number;
	readonly status: PayoutStatus;
	readonly createdAt: number;
}

const AHEAD_MS = MINUTE_MS;

export function whyNotSent({ status }: MarkedPayout): string | undefined {
	if (status === 'made') return undefined;
	if (status === 'failed') return 'has failed. Its amount will be in the next payout';
	return status === 'sent' ? 'was already sent' : NOTHING;
}

export function whyNotFailed({ status }: MarkedPayout): string | undefined {
	if (status === 'failed') return 'has already failed';
	return status === 'settled' ? NOTHING : undefined;
}

const NOTHING = 'has an amount of 0, so there is nothing to send';

/** Rejects with 400 if the time is in the future, or before a payout was made. */
export function sentAtOf(sent: DayOrInstantInQuery, timeZone: string, payouts: readonly MarkedPayout[], now: number): number {
	const at = startOf(sent, timeZone);
	if (at > now + AHEAD_MS) throw invalid('sent_at is in the future');
	const late = payouts.find(({ createdAt }) => endOf(sent, timeZone) <= createdAt - AHEAD_MS);
	if (late) throw invalid(`sent_at is before payout ${late.id} was made, at ${isoOf(late.createdAt)}`);
	return at;
}
