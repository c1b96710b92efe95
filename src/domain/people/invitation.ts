import { DAY_MS } from '../calendar.ts';

/** How long an invitation can be used. */
export const INVITATION_MS = 7 * DAY_MS;

export interface InvitationState {
	readonly expiresAt: number;
	readonly acceptedAt: number | null;
	readonly withdrawnAt: number | null;
}

/** Why nobody can join by it any more, in plain words; undefined where somebody can. */
export function endOfInvitation({ expiresAt, acceptedAt, withdrawnAt }: InvitationState, now: number): string | undefined {
	if (acceptedAt !== null) return 'This invitation has been used: a link works once';
	if (withdrawnAt !== null) return 'This invitation was withdrawn, or a newer one took its place';
	return now < expiresAt ? undefined : 'This invitation has expired: ask for a new one';
}
