/** Owners and admins write, members read. */
export type Role = 'owner' | 'admin' | 'member';

export const ROLES = ['owner', 'admin', 'member'] as const satisfies readonly Role[];

const RANKS = { owner: 2, admin: 1, member: 0 } as const satisfies Record<Role, number>;

export function isAtLeast(role: Role, atLeast: Role): boolean {
	return RANKS[role] >= RANKS[atLeast];
}

/** Admins may not manage owners. */
export function mayManage(role: Role, other: Role): boolean {
	return isAtLeast(role, 'admin') && isAtLeast(role, other);
}
