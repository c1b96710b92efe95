import { DAY_MS } from '../calendar.ts';

export const INVITATION_MS = 7 * DAY_MS;

export interface InvitationState {
	readonly expiresAt: number;
	readonly acceptedAt: number | null;
	readonly withdrawnAt: number | null;
}

/** Why an invitation no longer works; undefined if it works. */
export function endOfInvitation({ expiresAt, acceptedAt, withdrawnAt }: InvitationState, now: number): string | undefined {
	if (acceptedAt !== null) return 'This invitation has already been used. A link works once';
	if (withdrawnAt !== null) return 'This invitation was withdrawn or replaced by a newer one';
	return now < expiresAt ? undefined : 'This invitation has expired. Ask for a new one';
}
