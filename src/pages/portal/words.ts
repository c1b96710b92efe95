import type { Membership } from './memberships.ts';

/** What a membership is called. */
export const STATUS_WORDS = { active: 'Active', suspended: 'Suspended', ended: 'Ended' } as const satisfies Record<
	Membership['status'],
	string
>;
