import { describe, expect, test } from 'vitest';
import { isAtLeast, mayManage, type Role, ROLES } from '../../../src/domain/people/role.ts';

describe('a role', () => {
	test.each<[Role, Role[]]>([
		['owner', ['owner', 'admin', 'member']],
		['admin', ['admin', 'member']],
		['member', ['member']],
	])('%s ranks at least as high as %j', (role, reached) => {
		expect(ROLES.filter((one) => isAtLeast(role, one))).toEqual(reached);
	});
});

describe('roles that may be granted, changed and removed', () => {
	test.each<[Role, Role[]]>([
		['owner', ['owner', 'admin', 'member']],
		['admin', ['admin', 'member']],
		['member', []],
	])('%s: %j', (role, managed) => {
		expect(ROLES.filter((one) => mayManage(role, one))).toEqual(managed);
	});
});
