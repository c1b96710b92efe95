import { beforeAll, describe, expect, test } from 'vitest';
import { aPartner, aShop, type Shop, statusesOf, type TestPartner } from '../support/ledger.ts';
import { actionsIn } from '../support/members.ts';
import { aMember, api, type Owner, signUp, unique } from '../support/world.ts';

interface Group {
	readonly id: number;
	readonly name: string;
	readonly partners: { readonly active: number; readonly suspended: number };
	readonly rules: number;
}

let owner: Owner;
let shop: Shop;
beforeAll(async () => {
	owner = await signUp();
	shop = await aShop(owner);
});

const groupsOf = ({ path }: Shop, search = '') => api<Group[]>(`${path}/groups${search}`, { token: owner.token });

async function aGroup(of: Shop, name = unique('Group')): Promise<Group> {
	const { status, text, body } = await api<Group>(`${of.path}/groups`, { token: owner.token, body: { name } });
	if (status !== 201) throw new Error(`Adding a group answered ${status}: ${text}`);
	return body.data;
}

const move = (of: Shop, groupId: number | 'none', ids: readonly number[]) =>
	api(`${of.path}/groups/${groupId}/partners`, { token: owner.token, body: { partner_ids: ids } });

const archive = (of: Shop, groupId: number) => api(`${of.path}/groups/${groupId}`, { method: 'DELETE', token: owner.token });

const change = (of: Shop, partner: TestPartner, body: object) =>
	api<TestPartner & { group: Pick<Group, 'id' | 'name'> | null }>(`${of.path}/partners/${partner.id}`, {
		method: 'PATCH',
		token: owner.token,
		body,
	});

async function aRule(of: Shop, body: object): Promise<number> {
	const { status, text, body: answer } = await api<{ id: number }>(`${of.path}/commission-rules`, { token: owner.token, body });
	if (status !== 201) throw new Error(`Adding a rule answered ${status}: ${text}`);
	return answer.data.id;
}

describe('a group', () => {
	test('is created, renamed and listed with its counts, newest first', async () => {
		const own = await aShop(owner);
		const [gold, silver] = [await aGroup(own, ' Gold '), await aGroup(own, 'Silver')];
		expect(gold).toEqual({
			id: expect.any(Number),
			name: 'Gold',
			partners: { active: 0, suspended: 0 },
			rules: 0,
			created_at: expect.stringMatching(/Z$/),
		});
		const [first, second] = [await aPartner(own, { group_id: gold.id }), await aPartner(own)];
		await change(own, second, { group_id: gold.id, status: 'suspended' });
		await aRule(own, { type: 'percent', percent: 5, group_id: gold.id });
		const renamed = await api<Group>(`${own.path}/groups/${gold.id}`, { method: 'PATCH', token: owner.token, body: { name: 'Golden' } });
		expect(renamed.body.data).toEqual({ ...gold, name: 'Golden', partners: { active: 1, suspended: 1 }, rules: 1 });
		expect((await groupsOf(own)).body.data).toEqual([silver, renamed.body.data]);
		const page = await groupsOf(own, '?limit=1');
		expect((await groupsOf(own, `?limit=1&cursor=${page.body.meta.next_cursor}`)).body.data).toEqual([renamed.body.data]);
		expect((await change(own, first, { name: 'Pat' })).body.data.group).toEqual({ id: gold.id, name: 'Golden' });
		expect((await change(own, first, { group_id: null })).body.data.group).toBeNull();
	});

	test('has a unique name per program in any letter case, even in a race', async () => {
		const own = await aShop(owner);
		const call = (name: string) => api(`${own.path}/groups`, { token: owner.token, body: { name } });
		const answers = await Promise.all(['Ärzte', 'ärzte', 'ÄRZTE'].map(call));
		expect(statusesOf(answers)).toEqual([201, 409, 409]);
		const other = await aGroup(own);
		const renamed = await api(`${own.path}/groups/${other.id}`, { method: 'PATCH', token: owner.token, body: { name: 'ärztE' } });
		expect([renamed.status, renamed.body]).toEqual([409, { error: 'A group named ärztE already exists' }]);
		await aGroup(await aShop(owner), 'Ärzte');
	});

	test('with partners cannot be archived; an empty one is archived with its rules, and its name is free', async () => {
		const own = await aShop(owner);
		const [old, next] = [await aGroup(own, 'Old'), await aGroup(own)];
		const partner = await aPartner(own, { group_id: old.id });
		const ruleId = await aRule(own, { type: 'percent', percent: 5, group_id: old.id });
		const refused = await archive(own, old.id);
		expect([refused.status, refused.body]).toEqual([409, { error: 'Old has partners: move them to another group first' }]);
		expect((await groupsOf(own)).body.data).toHaveLength(2);
		expect((await move(own, next.id, [partner.id])).status).toBe(200);
		expect((await archive(own, old.id)).body).toEqual({ success: true, data: null });
		const rules = await api<{ id: number }[]>(`${own.path}/commission-rules`, { token: owner.token });
		expect(rules.body.data.map(({ id }) => id)).not.toContain(ruleId);
		expect((await archive(own, old.id)).status).toBe(404);
		expect((await move(own, old.id, [partner.id])).status).toBe(404);
		expect((await change(own, partner, { group_id: old.id })).body).toEqual({ error: 'group_id must be a group of this program' });
		await aGroup(own, 'Old');
	});

	test('is either archived or gets the partner who joins at the same time', async () => {
		const own = await aShop(owner);
		for (const joins of [
			(group: Group, partner: TestPartner) => change(own, partner, { group_id: group.id }),
			(group: Group, partner: TestPartner) => move(own, group.id, [partner.id]),
		]) {
			const [group, partner] = [await aGroup(own), await aPartner(own)];
			const [archived, joined] = await Promise.all([archive(own, group.id), joins(group, partner)]);
			expect([
				[200, 400],
				[200, 404],
				[409, 200],
			]).toContainEqual([archived.status, joined.status]);
		}
	});

	test('loses partners who leave the program; a returning partner is in no group unless one is named', async () => {
		const own = await aShop(owner);
		const group = await aGroup(own);
		const partner = await aPartner(own, { group_id: group.id });
		const left = await api<{ group: unknown }>(`${own.path}/partners/${partner.id}`, { method: 'DELETE', token: owner.token });
		expect(left.body.data.group).toBeNull();
		const moved = await move(own, group.id, [partner.id]);
		expect(moved.body).toEqual({ error: `The membership of partner ${partner.id} has ended: add the partner again` });
		expect((await change(own, partner, { group_id: group.id })).status).toBe(409);
		expect(await aPartner(own, { email: partner.email })).toMatchObject({ id: partner.id, group: null });
		await api(`${own.path}/partners/${partner.id}`, { method: 'DELETE', token: owner.token });
		expect(await aPartner(own, { email: partner.email, group_id: group.id })).toMatchObject({ id: partner.id, group: { id: group.id } });
	});

	test('gets several partners at once, all or none', async () => {
		const own = await aShop(owner);
		const group = await aGroup(own);
		const [first, second] = [await aPartner(own), await aPartner(own)];
		const foreign = await aPartner(await aShop(owner));
		expect((await move(own, group.id, [first.id, foreign.id])).body).toEqual({ error: `Partner ${foreign.id} not found` });
		expect((await groupsOf(own)).body.data[0]?.partners).toEqual({ active: 0, suspended: 0 });
		expect((await move(own, group.id, [first.id, second.id, first.id])).status).toBe(200);
		expect((await groupsOf(own)).body.data[0]?.partners).toEqual({ active: 2, suspended: 0 });
		expect((await actionsIn(owner)).at(-1)).toEqual(['group.move', owner.userId, { partner_ids: [first.id, second.id] }]);
	});

	test('several partners leave their groups at once, all or none', async () => {
		const own = await aShop(owner);
		const [group, other] = [await aGroup(own), await aGroup(own)];
		const [first, second] = [await aPartner(own, { group_id: group.id }), await aPartner(own, { group_id: other.id })];
		const foreign = await aPartner(await aShop(owner));
		expect((await move(own, 'none', [first.id, foreign.id])).body).toEqual({ error: `Partner ${foreign.id} not found` });
		expect((await move(own, 'none', [first.id, second.id])).status).toBe(200);
		expect((await groupsOf(own)).body.data.map(({ partners }) => partners.active)).toEqual([0, 0]);
		expect((await actionsIn(owner)).at(-1)).toEqual(['group.move', owner.userId, { partner_ids: [first.id, second.id] }]);
	});
});

describe('the partners of a program', () => {
	test('are listed by group, status and prefix of name or address, in the requested order', async () => {
		const own = await aShop(owner);
		const group = await aGroup(own);
		const people = ['bea', 'Abe', 'ann', 'Zoe'];
		const partners: TestPartner[] = [];
		for (const name of people) {
			partners.push(await aPartner(own, { name, email: `x${name.toLowerCase()}${own.id}@partners.example`, group_id: group.id }));
		}
		const [bea, abe, ann, zoe] = partners.map(({ id }) => id);
		await change(own, partners[3] ?? expect.fail(), { group_id: null, status: 'suspended' });
		const listed = async (search: string) => {
			const { body } = await api<TestPartner[]>(`${own.path}/partners?${search}`, { token: owner.token });
			return { ids: body.data.map(({ id }) => id), cursor: body.meta.next_cursor };
		};
		expect((await listed('')).ids).toEqual([zoe, ann, abe, bea]);
		expect((await listed('sort=oldest')).ids).toEqual([bea, abe, ann, zoe]);
		expect((await listed('sort=name')).ids).toEqual([abe, ann, bea, zoe]);
		for (const sort of ['newest', 'oldest', 'name']) {
			const seen: number[] = [];
			for (let cursor: string | null = ''; cursor !== null;) {
				const page: { ids: number[]; cursor: string | null } = await listed(`sort=${sort}&limit=1&cursor=${cursor}`);
				seen.push(...page.ids);
				cursor = page.cursor;
			}
			expect(seen).toEqual((await listed(`sort=${sort}`)).ids);
		}
		expect((await listed('search=A')).ids.slice(0, 2)).toEqual([ann, abe]);
		expect((await listed('search=XBEA')).ids).toEqual([bea]);
		expect((await listed('search=ea')).ids).toEqual([bea]);
		expect((await listed(`group_id=${group.id}&sort=name`)).ids).toEqual([abe, ann, bea]);
		expect((await listed('status=suspended')).ids).toEqual([zoe]);
		const foreign = await aPartner(await aShop(owner));
		expect((await listed(`sort=name&cursor=${foreign.id}`)).ids).toEqual([]);
	});

	test.each([
		['sort=balance', 'sort must be one of newest, oldest, name, match'],
		['status=gone', 'status must be one of active, suspended, ended'],
		['group_id=x', 'group_id must be a positive integer'],
		['group=1', 'Unknown query parameter: group'],
	])('are not listed by %s', async (search, error) => {
		const { status, body } = await api(`${shop.path}/partners?${search}`, { token: owner.token });
		expect([status, body]).toEqual([400, { error }]);
	});
});

describe('access to groups', () => {
	test('members read, admins change, others do neither', async () => {
		const group = await aGroup(shop);
		const partner = await aPartner(shop);
		const [member, admin, stranger] = await Promise.all([aMember(owner, 'member'), aMember(owner, 'admin'), signUp()]);
		const path = `${shop.path}/groups`;
		const calls = [
			['GET', path, undefined, 200, 'member'],
			['POST', path, () => ({ name: unique('Group') }), 201, 'admin'],
			['PATCH', `${path}/${group.id}`, () => ({ name: unique('Group') }), 200, 'admin'],
			['POST', `${path}/${group.id}/partners`, () => ({ partner_ids: [partner.id] }), 200, 'admin'],
			['DELETE', `${path}/${group.id}`, undefined, 409, 'admin'],
			['GET', `${shop.path}/commission-rules/dry-run?amount_cents=1`, undefined, 200, 'member'],
		] as const;
		for (const [method, at, body, status, atLeast] of calls) {
			const by = async (token: string | undefined) => (await api(at, { method, ...(token ? { token } : {}), body: body?.() })).status;
			expect([
				await by(undefined),
				await by('ses_unknown'),
				await by(stranger.token),
				await by(member.token),
				await by(admin.token),
			]).toEqual([401, 401, 403, atLeast === 'member' ? status : 403, status]);
		}
		const elsewhere = await aShop(stranger);
		for (const [method, suffix, body] of [
			['PATCH', '', { name: 'Mine' }],
			['DELETE', '', undefined],
			['POST', '/partners', { partner_ids: [partner.id] }],
		] as const) {
			const { status, body: answer } = await api(`${elsewhere.path}/groups/${group.id}${suffix}`, { method, token: stranger.token, body });
			expect([status, answer]).toEqual([404, { error: 'Group not found' }]);
		}
		expect((await groupsOf(shop)).body.data.find(({ id }) => id === group.id)?.partners.active).toBe(1);
	});
});
