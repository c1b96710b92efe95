import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { openContext } from '../../src/context.ts';
import { listNotifications } from '../../src/notifications/list-notifications.ts';
import { countingTrips } from '../../testing/d1/metered.ts';
import { aFunnel, aPartner, aSale, type Funnel, rows, track } from '../support/funnel.ts';
import { aMember, api, aProgram, type Answer, type Owner, signUp, unique } from '../support/world.ts';

interface WireNotification {
	readonly id: number;
	readonly kind: string;
	readonly message: string;
	readonly detail: Record<string, unknown>;
	readonly program: { readonly id: number; readonly name: string };
	readonly created_at: string;
	readonly read_at: string | null;
}

const list = (by: Owner, query = ''): Promise<Answer<WireNotification[]>> => api(`/api/v1/notifications${query}`, { token: by.token });
const markRead = (by: Owner, id: number): Promise<Answer<WireNotification>> =>
	api(`/api/v1/notifications/${id}/read`, { token: by.token, method: 'POST' });
const unreadOf = async (by: Owner) => JSON.parse((await list(by)).text).meta.unread_count;

async function becomePartner(person: Owner, partnerId: number): Promise<void> {
	await env.DB.prepare('UPDATE partners SET user_id = ? WHERE id = ?').bind(person.userId, partnerId).run();
}

/** Writes a notification as the effects consumer does, and returns its id. */
async function notify(reader: { userId: number } | { partnerId: number }, programId: number): Promise<number> {
	const [column, id] = 'userId' in reader ? ['user_id', reader.userId] : ['partner_id', reader.partnerId];
	const detail = JSON.stringify({ commission_id: 1, sale_id: 1, amount_cents: 100, deduction_cents: 100, currency: 'USD' });
	const [row] = await rows<{ id: number }>(
		`INSERT INTO notifications (${column}, program_id, kind, detail, outbox_id, created_at) VALUES (?, ?, ?, ?, ?, ?) RETURNING id`,
		id,
		programId,
		'userId' in reader ? 'manual_review' : 'commission_created',
		detail,
		unique('outbox'),
		Date.now(),
	);
	return row?.id ?? 0;
}

/** Notifications arrive through the effects queue. */
const newestTo = (by: Owner, kind: string, of: number | null): Promise<WireNotification> =>
	vi.waitFor(
		async () => {
			const one = (await list(by)).body.data.find((candidate) => candidate.kind === kind && candidate.detail['commission_id'] === of);
			if (!one) throw new Error(`There is no ${kind} yet`);
			return one;
		},
		{ timeout: 300_000, interval: 100 },
	);

describe('the message of each kind', () => {
	let funnel: Funnel;
	let name: string;
	let partner: Owner;
	beforeAll(async () => {
		name = unique('Shop');
		funnel = await aFunnel({ name });
		partner = await signUp();
		await becomePartner(partner, funnel.partnerId);
	});
	const manage = (path: string, body: unknown) => api(`/api/v1/programs/${funnel.id}/${path}`, { token: funnel.owner.token, body });
	test('is right for an earned commission', async () => {
		const { commissionId, saleId } = await aSale(funnel, { amount_cents: 9_995 });
		expect(await newestTo(partner, 'commission_created', commissionId)).toEqual({
			id: expect.any(Number),
			kind: 'commission_created',
			message: `You earned 19.99 USD in ${name}.`,
			detail: { commission_id: commissionId, sale_id: saleId, amount_cents: 1_999, currency: 'USD', status: 'approved' },
			program: { id: funnel.id, name },
			created_at: expect.stringMatching(/Z$/),
			read_at: null,
		});
	});

	test('is right for a reduced commission and a reversed one, with the reason', async () => {
		const [partly, fully] = [await aSale(funnel), await aSale(funnel)];
		await track(
			'refund',
			{ transaction_id: partly.transactionId, refund_amount_cents: 2_500, refund_reason: 'one too many' },
			funnel.apiToken,
		);
		await track('refund', { transaction_id: fully.transactionId }, funnel.apiToken);
		expect((await newestTo(partner, 'commission_reversed', partly.commissionId)).message).toBe(
			`Your commission #${partly.commissionId} in ${name} was reduced by 5.00 USD because its sale was partly refunded. Reason: one too many`,
		);
		expect((await newestTo(partner, 'commission_reversed', fully.commissionId)).message).toBe(
			`Your commission #${fully.commissionId} in ${name} was reversed because its sale was refunded: 20.00 USD was deducted.`,
		);
	});

	test('is right for a rejected commission', async () => {
		const { commissionId } = await aSale(funnel);
		await manage('commissions/reject', { commission_ids: [commissionId], reason: 'self-referral' });
		expect((await newestTo(partner, 'commission_rejected', commissionId)).message).toBe(
			`Your commission #${commissionId} of 20.00 USD in ${name} was rejected. Reason: self-referral`,
		);
	});

	test('is right for a payout, and warns the advertiser if a paid commission is refunded', async () => {
		const { commissionId, transactionId } = await aSale(funnel);
		expect((await manage('payouts', { commission_ids: [commissionId] })).status).toBe(201);
		await expect
			.poll(async () => (await list(partner)).body.data.find(({ kind }) => kind === 'payout_made')?.message, { timeout: 300_000 })
			.toMatch(new RegExp(`^A payout of \\d+\\.00 USD was made for ${name}\\.`));
		await track('refund', { transaction_id: transactionId, refund_reason: 'charged twice' }, funnel.apiToken);
		expect((await newestTo(funnel.owner, 'manual_review', commissionId)).message).toBe(
			`Please review commission #${commissionId} in ${name}: its sale was refunded after the commission was paid out. 20.00 USD was deducted from the partner's balance, which may now be negative. Reason: charged twice`,
		);
		expect((await list(partner)).body.data.map(({ kind }) => kind)).not.toContain('manual_review');
	});
});

test('a page of one program scans a limited number of rows, and the pages list each notification once', async () => {
	const [person, busy, quiet] = [await signUp(), await aFunnel(), await aFunnel()];
	await becomePartner(person, busy.partnerId);
	await rows('UPDATE partner_programs SET partner_id = ? WHERE id = ?', busy.partnerId, quiet.partnerProgramId);
	const ids: number[] = [];
	for (let count = 0; count < 24; count += 1) {
		const id = await notify({ partnerId: busy.partnerId }, count % 7 === 0 ? quiet.id : busy.id);
		if (count % 7 === 0) ids.unshift(id);
		if (count % 3 === 0) await markRead(person, id);
	}
	const ctx = openContext(env, { waitUntil: () => undefined });
	const walk = async (isUnread: boolean, pages = 0, cursor?: number): Promise<number[]> => {
		const filter = {
			cursor: cursor === undefined ? undefined : { position: cursor, isBack: false },
			limit: 2,
			isUnread,
			partnerProgramId: quiet.partnerProgramId,
		};
		const { rows: found, nextCursor } = await listNotifications(ctx, person, filter, 4);
		if (nextCursor === null) expect(pages).toBeGreaterThan(2);
		return [...found.map(({ id }) => id), ...(nextCursor === null ? [] : await walk(isUnread, pages + 1, nextCursor))];
	};
	expect(await walk(false)).toEqual(ids);
	expect(await walk(true)).toEqual(ids.slice(1, 3));
});

describe('access', () => {
	let owner: Owner;
	let program: { id: number };
	beforeAll(async () => {
		owner = await signUp();
		program = await aProgram(owner);
	});

	test("one list shows a person's notifications as a member and as a partner of several workspaces", async () => {
		const person = await aMember(owner, 'admin');
		const [one, other] = [await aFunnel(), await aFunnel()];
		await becomePartner(person, one.partnerId);
		await becomePartner(person, other.partnerId);
		const ids = [
			await notify({ partnerId: one.partnerId }, one.id),
			await notify({ userId: person.userId }, program.id),
			await notify({ partnerId: other.partnerId }, other.id),
		];
		const { body } = await list(person);
		expect(body.data.map(({ id }) => id)).toEqual(ids.toReversed());
		expect(await unreadOf(person)).toBe(3);
	});

	test("nobody reads or marks another person's notifications", async () => {
		const [person, stranger] = [await aMember(owner, 'admin'), await signUp()];
		const id = await notify({ userId: person.userId }, program.id);
		const { partnerId } = await aPartner(owner, program.id);
		const toPartner = await notify({ partnerId }, program.id);
		expect((await list(stranger)).body).toEqual({
			success: true,
			data: [],
			meta: { next_cursor: null, previous_cursor: null, unread_count: 0 },
		});
		for (const unseen of [id, toPartner, 999_999_999]) {
			const { status, body } = await markRead(stranger, unseen);
			expect([status, body]).toEqual([404, { error: 'Notification not found' }]);
		}
		await api('/api/v1/notifications', { token: stranger.token, method: 'PATCH' });
		expect(await unreadOf(person)).toBe(1);
		// A matching email address alone gives no access, and the program's owner is not its partner.
		expect((await markRead(owner, toPartner)).status).toBe(404);
	});

	test("a former member no longer reads the workspace's notifications", async () => {
		const person = await aMember(owner, 'admin');
		const id = await notify({ userId: person.userId }, program.id);
		await env.DB.prepare('UPDATE members SET deactivated_at = 1 WHERE user_id = ? AND workspace_id = ?')
			.bind(person.userId, owner.workspaceId)
			.run();
		expect([(await list(person)).body.data, await unreadOf(person), (await markRead(person, id)).status]).toEqual([[], 0, 404]);
	});

	test('a request without a session gets 401', async () => {
		for (const [path, method] of [
			['', 'GET'],
			['/1/read', 'POST'],
			['', 'PATCH'],
		] as const) {
			expect((await api(`/api/v1/notifications${path}`, { method })).status).toBe(401);
		}
	});
});

describe('reading', () => {
	let owner: Owner;
	let program: { id: number };
	beforeAll(async () => {
		owner = await signUp();
		program = await aProgram(owner);
	});

	test('marks one, keeps the time and can be repeated', async () => {
		const person = await aMember(owner, 'owner');
		const [first, second] = [await notify({ userId: person.userId }, program.id), await notify({ userId: person.userId }, program.id)];
		const marked = await markRead(person, first);
		expect([marked.status, marked.body.data]).toMatchObject([200, { id: first, read_at: expect.stringMatching(/Z$/) }]);
		expect((await markRead(person, first)).body.data).toEqual(marked.body.data);
		expect(await unreadOf(person)).toBe(1);
		expect((await list(person, '?unread=true')).body.data.map(({ id }) => id)).toEqual([second]);
		expect((await list(person, '?unread=false')).body.data.map(({ id }) => id)).toEqual([second, first]);
	});

	test('marks all, or those up to the last one seen', async () => {
		const person = await aMember(owner, 'owner');
		const { partnerId } = await aPartner(owner, program.id);
		await becomePartner(person, partnerId);
		const ids: number[] = [];
		for (const reader of [{ partnerId }, { userId: person.userId }, { partnerId }]) ids.push(await notify(reader, program.id));
		const readAll = (body: unknown) =>
			api('/api/v1/notifications', { token: person.token, method: 'PATCH', ...(body === undefined ? {} : { body }) });
		expect((await readAll({ up_to_id: ids[1] })).body.data).toEqual({ unread_count: 1 });
		expect((await list(person, '?unread=true')).body.data.map(({ id }) => id)).toEqual([ids[2]]);
		expect((await readAll(undefined)).body.data).toEqual({ unread_count: 0 });
		expect((await list(person)).body.data.every(({ read_at }) => read_at !== null)).toBe(true);
		expect((await readAll({ up_to_id: 'x' })).body.error).toBe('up_to_id must be an integer');
	});

	test('can be limited to one program by a member, in the list and in marking', async () => {
		const person = await aMember(owner, 'owner');
		const other = await aProgram(owner);
		const [here, there] = [await notify({ userId: person.userId }, program.id), await notify({ userId: person.userId }, other.id)];
		const { body } = await list(person, `?program_id=${other.id}`);
		expect([body.data.map(({ id }) => id), body.meta]).toEqual([[there], { next_cursor: null, previous_cursor: null, unread_count: 1 }]);
		const mark = (sent: unknown, by = person) => api('/api/v1/notifications', { token: by.token, method: 'PATCH', body: sent });
		expect((await mark({ program_id: other.id, up_to_id: there - 1 })).body.data).toEqual({ unread_count: 1 });
		expect((await mark({ program_id: other.id })).body.data).toEqual({ unread_count: 0 });
		expect((await list(person, '?unread=true')).body.data.map(({ id }) => id)).toEqual([here]);
		const stranger = await signUp();
		for (const refused of [await mark({ program_id: other.id }, stranger), await list(stranger, `?program_id=${other.id}`)])
			expect([refused.status, refused.body]).toEqual([404, { error: 'Program not found' }]);
		const both = { program_id: other.id, partner_program_id: 1 };
		for (const refused of [await mark(both), await list(person, '?program_id=1&partner_program_id=1')])
			expect([refused.status, refused.body]).toEqual([400, { error: 'Send either partner_program_id or program_id' }]);
	});

	test('pages newest first through both kinds', async () => {
		const person = await aMember(owner, 'owner');
		const { partnerId } = await aPartner(owner, program.id);
		await becomePartner(person, partnerId);
		const ids: number[] = [];
		for (let count = 0; count < 7; count += 1)
			ids.push(await notify(count % 3 === 0 ? { partnerId } : { userId: person.userId }, program.id));
		const seen: number[] = [];
		let cursor: string | null = '';
		while (cursor !== null) {
			const page: Answer<WireNotification[]> = await list(person, `?limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`);
			seen.push(...page.body.data.map(({ id }) => id));
			cursor = page.body.meta.next_cursor;
		}
		expect(seen).toEqual(ids.toReversed());
	});

	test.each([
		['limit=0', 'limit must be an integer from 1 to 200'],
		['cursor=x', 'cursor must be a next_cursor or previous_cursor of this list'],
		['unread=maybe', 'unread must be true or false'],
	])('%s: %s', async (query, error) => {
		const { status, body } = await list(owner, `?${query}`);
		expect([status, body]).toEqual([400, { error }]);
	});

	test('a bad id in the path is reported', async () => {
		const { status, body } = await api('/api/v1/notifications/none/read', { token: owner.token, method: 'POST' });
		expect([status, body.error]).toEqual([400, 'id in the path must be a positive integer']);
	});

	test('a list takes two trips for every kind of reader', async () => {
		const DB = countingTrips(env.DB);
		await listNotifications(openContext({ ...env, DB }, { waitUntil: () => undefined }), owner, {
			isUnread: false,
			cursor: undefined,
			limit: 50,
		});
		expect(DB.trips()).toBe(2);
	});
});
