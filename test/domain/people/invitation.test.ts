import { expect, test } from 'vitest';
import { DAY_MS } from '../../../src/domain/calendar.ts';
import { endOfInvitation, INVITATION_MS } from '../../../src/domain/people/invitation.ts';

const open = { expiresAt: 1_000, acceptedAt: null, withdrawnAt: null };

test('an invitation lasts seven days', () => {
	expect(INVITATION_MS).toBe(7 * DAY_MS);
});

test.each([
	[open, 0, undefined],
	[open, 999, undefined],
	[open, 1_000, 'This invitation has expired. Ask for a new one'],
	[{ ...open, acceptedAt: 0 }, 0, 'This invitation has already been used. A link works once'],
	[{ ...open, withdrawnAt: 0 }, 0, 'This invitation was withdrawn or replaced by a newer one'],
	// A used or withdrawn invitation keeps that reason, even if it has expired since.
	[{ ...open, acceptedAt: 5 }, 2_000, 'This invitation has already been used. A link works once'],
	[{ ...open, withdrawnAt: 5 }, 2_000, 'This invitation was withdrawn or replaced by a newer one'],
])('%j at %d: %s', (invitation, now, end) => {
	expect(endOfInvitation(invitation, now)).toBe(end);
});
