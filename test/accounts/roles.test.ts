import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, test } from 'vitest';
import { anInvitation, type Invited, memberIdOf } from '../support/members.ts';
import { aMember, api, type Owner, signUp, unique } from '../support/world.ts';

// Every caller tries every route of workspaces, members, invitations and the audit log, with ids of their own and of another workspace. The
// status is right, and a refusal reveals and changes nothing.

const WHO = ['nobody', 'a member', 'an admin', 'an owner', 'who was deactivated', 'who was removed', 'a foreign owner'] as const;
type Who = (typeof WHO)[number];

/** A workspace with one member of each role. Only they may see its name. */
interface House {
	readonly owner: Owner;
	readonly people: Readonly<Record<Exclude<Who, 'nobody' | 'a foreign owner'>, Owner>>;
	readonly ids: Readonly<Record<'owner' | 'admin' | 'member' | 'deactivated' | 'removed', number>>;
	readonly invited: Invited;
	readonly ofOwner: Invited;
	readonly name: string;
}

async function aHouse(): Promise<House> {
	const owner = await signUp();
	const name = unique('House');
	const people = {
		'an owner': await aMember(owner, 'owner'),
		'an admin': await aMember(owner, 'admin'),
		'a member': await aMember(owner, 'member'),
		'who was deactivated': await aMember(owner, 'owner'),
		'who was removed': await aMember(owner, 'owner'),
	};
	const [other, admin, member, deactivated, removed] = [
		await memberIdOf(owner, people['an owner']),
		await memberIdOf(owner, people['an admin']),
		await memberIdOf(owner, people['a member']),
		await memberIdOf(owner, people['who was deactivated']),
		await memberIdOf(owner, people['who was removed']),
	];
	const path = `/api/v1/workspaces/${owner.workspaceId}`;
	const { token } = owner;
	await api(path, { method: 'PATCH', token, body: { name } });
	await api(`${path}/members/${deactivated}`, { method: 'PATCH', token, body: { active: false } });
	await api(`${path}/members/${removed}`, { method: 'DELETE', token });
	const ids = { owner: other, admin, member, deactivated, removed };
	return { owner, people, ids, invited: await anInvitation(owner), ofOwner: await anInvitation(owner, 'owner'), name };
}

interface Attempt {
	readonly method: string;
	/** Relative to the workspace. */
	readonly path: (house: House) => string;
	readonly body?: (house: House) => unknown;
	/** All other callers get 403. */
	readonly answers: Partial<Record<Who, number>>;
	/** Whether it changes something when it succeeds. */
	readonly isUnsafe: boolean;
}

const guest = () => ({ email: `${unique('guest')}@people.example` });
const READERS = { 'a member': 200, 'an admin': 200, 'an owner': 200 };
const ADMINS = { 'an admin': 200, 'an owner': 200 };
const NOT_THERE = { 'an admin': 404, 'an owner': 404 };
const OWNERS = { 'an owner': 200 };

function attempt(route: string, answers: Attempt['answers'], body?: Attempt['body'], how = ''): [what: string, attempt: Attempt] {
	const [method = '', path = ''] = route.split(' ');
	const filled = ({ ids, invited, ofOwner }: House) =>
		path
			.replace(/:(\w+)$/, (_, name: string) => String({ ...ids, invited: invited.id, ofOwner: ofOwner.id, nothing: 999_999_999 }[name]))
			.replace(/^\/$/, '');
	return [`${route} ${how}`, { method, path: filled, ...(body ? { body } : {}), answers, isUnsafe: method !== 'GET' }];
}

const ATTEMPTS = [
	attempt('PATCH /', ADMINS, () => ({ name: 'Taken over' })),
	attempt('GET /members', READERS),
	attempt('GET /audit-log', OWNERS),
	attempt('POST /members', { 'an admin': 201, 'an owner': 201 }, () => ({ ...guest(), role: 'admin' })),
	attempt('POST /members', { 'an owner': 201 }, () => ({ ...guest(), role: 'owner' }), 'of an owner'),
	attempt('PATCH /members/:member', ADMINS, () => ({ role: 'admin' })),
	attempt('PATCH /members/:member', OWNERS, () => ({ role: 'owner' }), 'to an owner'),
	attempt('PATCH /members/:owner', OWNERS, () => ({ active: true })),
	attempt('PATCH /members/:deactivated', OWNERS, () => ({ active: true })),
	attempt('PATCH /members/:removed', NOT_THERE, () => ({ active: true })),
	attempt('PATCH /members/:nothing', NOT_THERE, () => ({ active: true })),
	attempt('DELETE /members/:member', { ...ADMINS, 'a member': 200 }),
	attempt('DELETE /members/:admin', ADMINS),
	attempt('DELETE /members/:owner', OWNERS),
	attempt('DELETE /members/:removed', { ...NOT_THERE, 'a member': 404 }),
	attempt('DELETE /members/:nothing', { ...NOT_THERE, 'a member': 404 }),
	attempt('DELETE /invitations/:invited', ADMINS),
	attempt('DELETE /invitations/:ofOwner', OWNERS),
	attempt('DELETE /invitations/:nothing', NOT_THERE),
];

/** Everything stored about a workspace, except for its audit log. */
async function storedOf({ owner: { workspaceId } }: House): Promise<unknown> {
	const tables = ['workspaces WHERE id', 'members WHERE workspace_id', 'invitations WHERE workspace_id'];
	return env.DB.batch(tables.map((table) => env.DB.prepare(`SELECT * FROM ${table} = ?`).bind(workspaceId))).then((all) =>
		all.map(({ results }) => results),
	);
}

let foreign: House;
beforeAll(async () => {
	foreign = await aHouse();
});

function tokenOf(house: House, who: Who): string | undefined {
	if (who === 'nobody') return undefined;
	return who === 'a foreign owner' ? foreign.people['an owner'].token : house.people[who].token;
}

describe.each(ATTEMPTS)('%s', (_what, { method, path, body, answers, isUnsafe }) => {
	/** Set until an attempt changes the workspace. */
	let untouched: House | undefined;

	test.each(WHO)('%s', async (who) => {
		const house = untouched ?? (await aHouse());
		const before = await storedOf(house);
		const token = tokenOf(house, who);
		const call = { method, ...(token === undefined ? {} : { token }), ...(body ? { body: body(house) } : {}) };
		const expected = who === 'nobody' ? 401 : (answers[who] ?? 403);
		const { status, text } = await api(`/api/v1/workspaces/${house.owner.workspaceId}${path(house)}`, call);
		expect(status, text).toBe(expected);
		untouched = status < 300 && isUnsafe ? undefined : house;
		if (status < 300) return;
		expect(Object.keys(JSON.parse(text))).toEqual(['error']);
		expect(text).not.toContain(house.name);
		expect(text).not.toContain('@');
		expect(await storedOf(house)).toEqual(before);
	});

	test.each(['a member', 'an admin', 'an owner'] as const)('%s with the ids of another workspace in their own', async (who) => {
		const own = (untouched ??= await aHouse());
		const [before, beforeForeign] = [await storedOf(own), await storedOf(foreign)];
		const inner = path(foreign);
		const call = { method, token: own.people[who].token, ...(body ? { body: body(foreign) } : {}) };
		if (!/\d$/.test(inner)) return;
		const { status, text } = await api(`/api/v1/workspaces/${own.owner.workspaceId}${inner}`, call);
		const isReader = who === 'a member' && !(method === 'DELETE' && inner.startsWith('/members'));
		expect(status, text).toBe(isReader ? 403 : 404);
		expect(text).not.toContain(foreign.name);
		expect([await storedOf(own), await storedOf(foreign)]).toEqual([before, beforeForeign]);
	});
});

describe('POST /workspaces', () => {
	test('is for signed-in people', async () => {
		expect((await api('/api/v1/workspaces', { body: { name: 'New' } })).status).toBe(401);
		// For sign-up by invitation see test/accounts/workspaces.test.ts.
		for (const who of ['a member', 'who was deactivated', 'who was removed'] as const)
			expect((await api('/api/v1/workspaces', { token: foreign.people[who].token, body: { name: 'New' } })).status).toBe(201);
	});
});

describe('a link', () => {
	test.each(WHO)('is read by %s', async (who) => {
		const house = await aHouse();
		const token = tokenOf(house, who);
		const { status, text } = await api(`/api/v1/invitations/${house.invited.token}`, token === undefined ? {} : { token });
		expect(status, text).toBe(200);
		expect(text).toContain(house.invited.email);
		expect(text).not.toContain(house.owner.email);
	});

	test.each([
		['nobody', 401],
		['a member', 409],
		['an admin', 409],
		['an owner', 409],
		['who was deactivated', 201],
		['who was removed', 201],
		['a foreign owner', 201],
	] as const)('is used by %s: %d', async (who, expected) => {
		const house = await aHouse();
		const before = await storedOf(house);
		const token = tokenOf(house, who);
		const path = `/api/v1/invitations/${house.invited.token}/accept`;
		const { status, text } = await api(path, { method: 'POST', ...(token === undefined ? {} : { token }) });
		expect(status, text).toBe(expected);
		if (expected > 300) expect(await storedOf(house)).toEqual(before);
	});
});
