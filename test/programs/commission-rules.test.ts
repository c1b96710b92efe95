import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, test } from 'vitest';
import { aMember, aProgram, api, type Owner, signUp, type TestProgram, unique } from '../support/world.ts';

interface Rule {
	readonly id: number;
	readonly version: number;
	readonly percent?: number;
	readonly hold_days: number;
}

let owner: Owner;
let stranger: Owner;
let member: Owner;
let program: TestProgram;
beforeAll(async () => {
	[owner, stranger] = await Promise.all([signUp(), signUp()]);
	member = await aMember(owner, 'member');
	program = await aProgram(owner);
});

const make = (programId: number, body: unknown, token = owner.token) =>
	api<Rule>(`/api/v1/programs/${programId}/commission-rules`, { token, body });

const change = (programId: number, ruleId: number, body: unknown, token = owner.token) =>
	api<Rule>(`/api/v1/programs/${programId}/commission-rules/${ruleId}`, { method: 'PATCH', token, body });

const archive = (programId: number, ruleId: number, token = owner.token) =>
	api(`/api/v1/programs/${programId}/commission-rules/${ruleId}`, { method: 'DELETE', token });

const list = (programId: number, search = '', token = owner.token) =>
	api<Rule[]>(`/api/v1/programs/${programId}/commission-rules${search}`, { token });

/** No other test uses this product. */
const ofProduct = (terms: object) => ({ product_id: unique('product'), ...terms });

/** Inserts a partner of the program by SQL. */
async function aPartner(programId: number): Promise<number> {
	const partnerId = await env.DB.prepare('INSERT INTO partners (workspace_id, name, email, created_at) VALUES (?, ?, ?, 1) RETURNING id')
		.bind(owner.workspaceId, 'Pat', `${unique('pat')}@people.example`)
		.first<number>('id');
	if (partnerId === null) throw new Error('No partner was made');
	await env.DB.prepare("INSERT INTO partner_programs (program_id, partner_id, status, created_at) VALUES (?, ?, 'active', 1)")
		.bind(programId, partnerId)
		.run();
	return partnerId;
}

describe('a rule', () => {
	test('with a percentage has defaults', async () => {
		const own = await aProgram(owner);
		const { status, body } = await make(own.id, { type: 'percent', percent: 20 });
		expect(status).toBe(201);
		expect(body).toEqual({
			success: true,
			data: {
				id: expect.any(Number),
				version: 1,
				type: 'percent',
				percent: 20,
				product_id: null,
				partner_id: null,
				group_id: null,
				recurring_months: null,
				hold_days: 0,
			},
		});
		expect((await list(own.id)).body).toEqual({
			success: true,
			data: [{ ...body.data, partner: null, group: null }],
			meta: { next_cursor: null, previous_cursor: null },
		});
	});

	test("with a flat amount uses the program's currency or its own", async () => {
		const yen = await aProgram(owner, { currency: 'JPY' });
		const partnerId = await aPartner(yen.id);
		const inYen = await make(yen.id, { type: 'flat', amount_cents: 500, partner_id: partnerId, recurring_months: 0, hold_days: 30 });
		expect(inYen.body.data).toEqual({
			id: expect.any(Number),
			version: 1,
			type: 'flat',
			amount_cents: 500,
			currency: 'JPY',
			product_id: null,
			partner_id: partnerId,
			group_id: null,
			recurring_months: 0,
			hold_days: 30,
		});
		const inEuro = await make(yen.id, { type: 'flat', amount_cents: 0, currency: 'eur', product_id: 'p' });
		expect(inEuro.body.data).toMatchObject({ amount_cents: 0, currency: 'EUR', product_id: 'p' });
	});

	test.each([0, 0.01, 0.07, 0.29, 1.1, 8.2, 12.5, 19.99, 33.33, 64.1, 99.99, 100])('keeps %d percent exactly', async (percent) => {
		const { status, body } = await make(program.id, ofProduct({ type: 'percent', percent }));
		expect([status, body.data.percent]).toEqual([201, percent]);
		const basisPoints = await env.DB.prepare('SELECT basis_points FROM commission_rule_versions WHERE rule_id = ?')
			.bind(body.data.id)
			.first('basis_points');
		expect(basisPoints).toBe(Math.round(percent * 100));
	});

	test.each([
		[{}, 'type must be "percent" or "flat"'],
		[{ type: 'share' }, 'type must be "percent" or "flat"'],
		[{ type: 'percent' }, 'percent is required for a rule of type "percent"'],
		[{ type: 'percent', percent: -0.01 }, 'percent must be a number from 0 to 100 with at most two decimals'],
		[{ type: 'percent', percent: 100.01 }, 'percent must be a number from 0 to 100 with at most two decimals'],
		[{ type: 'percent', percent: 1.001 }, 'percent must be a number from 0 to 100 with at most two decimals'],
		[{ type: 'percent', percent: 1e-7 }, 'percent must be a number from 0 to 100 with at most two decimals'],
		[{ type: 'percent', percent: '20' }, 'percent must be a number from 0 to 100 with at most two decimals'],
		[{ type: 'percent', percent: 20, amount_cents: 5 }, 'amount_cents belongs to a rule of type "flat"'],
		[{ type: 'percent', percent: 20, currency: 'USD' }, 'currency belongs to a rule of type "flat"'],
		[{ type: 'flat' }, 'amount_cents is required for a rule of type "flat"'],
		[{ type: 'flat', percent: 20 }, 'percent belongs to a rule of type "percent"'],
		[{ type: 'flat', amount_cents: 1.5 }, 'amount_cents must be an integer from 0 to 99999999999'],
		[{ type: 'flat', amount_cents: -1 }, 'amount_cents must be an integer from 0 to 99999999999'],
		[{ type: 'flat', amount_cents: 100_000_000_000 }, 'amount_cents must be an integer from 0 to 99999999999'],
		[{ type: 'flat', amount_cents: 5, currency: 'money' }, 'currency must be a currency code, such as "USD"'],
		[{ type: 'percent', percent: 20, recurring_months: 1201 }, 'recurring_months must be an integer from 0 to 1200'],
		[{ type: 'percent', percent: 20, hold_days: 3651 }, 'hold_days must be an integer from 0 to 3650'],
		[{ type: 'percent', percent: 20, product_id: ' ' }, 'product_id must not be blank'],
		[{ type: 'percent', percent: 20, partner_id: 999_999_999 }, 'partner_id must be a partner of this program'],
		[{ type: 'percent', percent: 20, partner: 1 }, 'Unknown field: partner'],
	])('is refused: %j', async (sent, error) => {
		const { status, body } = await make(program.id, sent);
		expect([status, body]).toEqual([400, { error }]);
	});

	test('is refused for a partner of another program or one who has left', async () => {
		const other = await aProgram(owner);
		const partnerId = await aPartner(other.id);
		const rule = { type: 'percent', percent: 20, partner_id: partnerId };
		expect((await make(program.id, rule)).body).toEqual({ error: 'partner_id must be a partner of this program' });
		await env.DB.prepare("UPDATE partner_programs SET status = 'ended' WHERE partner_id = ?").bind(partnerId).run();
		expect((await make(other.id, rule)).status).toBe(400);
	});

	test('is unique in its scope, even in a race; archiving it frees the scope', async () => {
		const own = await aProgram(owner);
		const partnerId = await aPartner(own.id);
		for (const scope of [{}, { product_id: 'p' }, { partner_id: partnerId }, { product_id: 'p', partner_id: partnerId }]) {
			const answers = await Promise.all([1, 2, 3].map(() => make(own.id, { type: 'percent', percent: 20, ...scope })));
			expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409, 409]);
			const refused = answers.find(({ status }) => status === 409);
			expect(refused?.body).toEqual({ error: 'This scope already has a rule: change it, or archive it first' });
			const made = answers.find(({ status }) => status === 201);
			expect((await archive(own.id, made?.body.data.id ?? 0)).status).toBe(200);
			expect((await make(own.id, { type: 'percent', percent: 10, ...scope })).status).toBe(201);
		}
		expect((await list(own.id)).body.data).toHaveLength(4);
	});
});

describe('a change', () => {
	test('creates a new version and leaves earlier ones unchanged', async () => {
		const rule = (await make(program.id, ofProduct({ type: 'percent', percent: 20, hold_days: 14 }))).body.data;
		const { status, body } = await change(program.id, rule.id, { percent: 25.5, recurring_months: 12 });
		expect([status, body.data]).toEqual([200, { ...rule, version: 2, percent: 25.5, recurring_months: 12 }]);
		const flat = await change(program.id, rule.id, { type: 'flat', amount_cents: 700, recurring_months: null });
		expect(flat.body.data).toMatchObject({
			version: 3,
			type: 'flat',
			amount_cents: 700,
			currency: 'USD',
			recurring_months: null,
			hold_days: 14,
		});
		const { results } = await env.DB.prepare(
			'SELECT version, basis_points, amount_cents FROM commission_rule_versions WHERE rule_id = ? ORDER BY version',
		)
			.bind(rule.id)
			.all();
		expect(results).toEqual([
			{ version: 1, basis_points: 2000, amount_cents: null },
			{ version: 2, basis_points: 2550, amount_cents: null },
			{ version: 3, basis_points: null, amount_cents: 700 },
		]);
		expect((await list(program.id)).body.data.find(({ id }) => id === rule.id)).toMatchObject(flat.body.data);
	});

	test('without effect creates no version', async () => {
		const rule = (await make(program.id, ofProduct({ type: 'percent', percent: 20 }))).body.data;
		expect((await change(program.id, rule.id, { percent: 20 })).body.data).toEqual(rule);
	});

	test('in a race is never lost', async () => {
		const rule = (await make(program.id, ofProduct({ type: 'percent', percent: 20 }))).body.data;
		const answers = await Promise.all(
			[{ percent: 30 }, { hold_days: 7 }, { recurring_months: 3 }].map((sent) => change(program.id, rule.id, sent)),
		);
		expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
		expect(answers.map(({ body }) => body.data.version).toSorted((a, b) => a - b)).toEqual([2, 3, 4]);
		expect((await list(program.id)).body.data.find(({ id }) => id === rule.id)).toMatchObject({
			version: 4,
			percent: 30,
			hold_days: 7,
			recurring_months: 3,
		});
	});

	test.each([
		[{ product_id: 'p' }, 'product_id cannot change. Archive this rule and create another one'],
		[{ partner_id: 1 }, 'partner_id cannot change. Archive this rule and create another one'],
		[{ type: 'flat' }, 'amount_cents is required for a rule of type "flat"'],
		[{ amount_cents: 5 }, 'amount_cents belongs to a rule of type "flat"'],
		[{ percentage: 5 }, 'Unknown field: percentage'],
		['[1]', 'Request body must be a JSON object'],
	])('is refused: %j', async (sent, error) => {
		const rule = (await make(program.id, ofProduct({ type: 'percent', percent: 20 }))).body.data;
		const { status, body } = await change(program.id, rule.id, sent);
		expect([status, body]).toEqual([400, { error }]);
	});

	test('finds only active rules of this program', async () => {
		const other = await aProgram(owner);
		const rule = (await make(other.id, { type: 'percent', percent: 20 })).body.data;
		const missing = await change(program.id, rule.id, { percent: 10 });
		expect([missing.status, missing.body]).toEqual([404, { error: 'Commission rule not found' }]);
		expect((await archive(program.id, rule.id)).status).toBe(404);
		expect((await archive(other.id, rule.id)).body).toEqual({ success: true, data: null });
		expect((await archive(other.id, rule.id)).status).toBe(404);
		expect((await change(other.id, rule.id, { percent: 10 })).status).toBe(404);
		expect((await list(other.id)).body.data).toEqual([]);
	});
});

describe('rules', () => {
	test('are read by members and written by owners and admins', async () => {
		const own = await aProgram(owner);
		const rule = (await make(own.id, { type: 'percent', percent: 20 })).body.data;
		const admin = await aMember(owner, 'admin');
		expect((await change(own.id, rule.id, { percent: 21 }, admin.token)).status).toBe(200);
		expect((await list(own.id, '', member.token)).status).toBe(200);
		for (const answer of [
			await make(own.id, { type: 'percent', percent: 20 }, member.token),
			await change(own.id, rule.id, { percent: 1 }, member.token),
			await archive(own.id, rule.id, member.token),
			await list(own.id, '', stranger.token),
			await make(own.id, { type: 'percent', percent: 20 }, stranger.token),
			await change(own.id, rule.id, { percent: 1 }, stranger.token),
			await archive(own.id, rule.id, stranger.token),
		]) {
			expect(answer.status).toBe(403);
		}
		expect((await list(own.id, '', 'ses_nobody')).status).toBe(401);
		expect((await list(999_999_999)).status).toBe(404);
	});

	test('are paged, newest first', async () => {
		const own = await aProgram(owner);
		const ids: number[] = [];
		for (const product_id of ['a', 'b', 'c']) ids.unshift((await make(own.id, { type: 'percent', percent: 1, product_id })).body.data.id);
		const first = await list(own.id, '?limit=2');
		expect(first.body.data.map(({ id }) => id)).toEqual(ids.slice(0, 2));
		const rest = await list(own.id, `?limit=2&cursor=${first.body.meta.next_cursor}`);
		expect(rest.body.data.map(({ id }) => id)).toEqual(ids.slice(2));
		expect(rest.body.meta).toMatchObject({ next_cursor: null });
	});

	test('are audited', async () => {
		const own = await aProgram(owner);
		const rule = (await make(own.id, { type: 'percent', percent: 20 })).body.data;
		await change(own.id, rule.id, { percent: 21 });
		await archive(own.id, rule.id);
		const { results } = await env.DB.prepare(
			"SELECT action, subject_id FROM audit_entries WHERE program_id = ? AND action LIKE 'commission_rule.%' ORDER BY id",
		)
			.bind(own.id)
			.all();
		expect(results).toEqual(['create', 'change', 'archive'].map((verb) => ({ action: `commission_rule.${verb}`, subject_id: rule.id })));
	});
});
