import { DAY_MS } from '../calendar.ts';
import { isoOf } from '../instant.ts';

// A program asks a partner by email for their payout details.

/** A partner is asked at most once in this time, by all programs of the workspace. */
export const ASK_AGAIN_AFTER_MS = 7 * DAY_MS;

export interface AskedPartner {
	/** Whether somebody has accepted the invitation. */
	readonly isAccepted: boolean;
	readonly hasDetails: boolean;
	/** Whether the person receives emails about their programs. */
	readonly wantsEmail: boolean;
	readonly askedAt: number | null;
}

/** Why a partner cannot be asked now; undefined if they can. */
export function whyNotAskable({ isAccepted, hasDetails, wantsEmail, askedAt }: AskedPartner, now: number): string | undefined {
	if (hasDetails) return 'The partner has entered payout details';
	if (!isAccepted) return 'Nobody has accepted the invitation yet. Invite the partner again instead';
	if (!wantsEmail) return 'The partner has unsubscribed from emails. Ask them in another way';
	const again = (askedAt ?? -Infinity) + ASK_AGAIN_AFTER_MS;
	if (again > now) return `The partner was already asked. You can ask again from ${isoOf(again)}`;
	return undefined;
}
