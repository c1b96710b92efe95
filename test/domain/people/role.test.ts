import { describe, expect, test } from 'vitest';
import { isAtLeast, mayManage, type Role, ROLES } from '../../../src/domain/people/role.ts';

describe('who ranks', () => {
	test.each<[Role, Role[]]>([
		['owner', ['owner', 'admin', 'member']],
		['admin', ['admin', 'member']],
		['member', ['member']],
	])('%s at least as %j', (role, reached) => {
		expect(ROLES.filter((one) => isAtLeast(role, one))).toEqual(reached);
	});
});

describe('who may make, change and remove', () => {
	test.each<[Role, Role[]]>([
		['owner', ['owner', 'admin', 'member']],
		['admin', ['admin', 'member']],
		['member', []],
	])('%s: %j', (role, managed) => {
		expect(ROLES.filter((one) => mayManage(role, one))).toEqual(managed);
	});
});
