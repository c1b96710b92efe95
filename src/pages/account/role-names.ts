import { mayManage, type Role, ROLES } from '../../domain/people/role.ts';

export const ROLE_NAMES = { owner: 'Owner', admin: 'Admin', member: 'Member' } as const satisfies Record<Role, string>;

const ABOUT = {
	owner: 'Owner: can do everything, including view the audit log and manage other owners',
	admin: 'Admin: can change programs, partners and payouts',
	member: 'Member: can only read',
} as const satisfies Record<Role, string>;

/** The roles that this role may assign, lowest first. */
export function givable(role: Role): { value: Role; label: string }[] {
	return ROLES.filter((other) => mayManage(role, other))
		.map((other) => ({ value: other, label: ABOUT[other] }))
		.toReversed();
}
