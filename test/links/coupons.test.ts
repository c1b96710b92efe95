import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, test } from 'vitest';
import { aCoupon, sell, type TestCoupon } from '../support/coupons.ts';
import { aFunnel, aPartner, type Funnel, rows } from '../support/funnel.ts';
import { api, unique } from '../support/world.ts';

let funnel: Funnel;
beforeAll(async () => {
	funnel = await aFunnel();
});

const call = (of: Funnel, path: string, options: { method?: string; body?: object; headers?: Record<string, string> } = {}) =>
	api<TestCoupon & TestCoupon[]>(`/api/v1/programs/${of.id}/coupons${path}`, { token: of.owner.token, ...options });
const create = (of: Funnel, code: string, partner_id = of.partnerId) => call(of, '', { body: { partner_id, code } });
const change = (of: Funnel, id: number, body: object) => call(of, `/${id}`, { method: 'PATCH', body });

describe('a coupon', () => {
	test('is created, listed, renamed, archived and restored', async () => {
		const own = await aFunnel();
		const { status, body } = await create(own, ' pat20 ');
		expect(status).toBe(201);
		expect(body.data).toEqual({
			id: expect.any(Number),
			code: 'PAT20',
			sales: 0,
			last_sale_at: null,
			created_at: expect.stringMatching(/Z$/),
			archived_at: null,
			partner: { id: own.partnerId, name: 'Pat Partner' },
		});
		const { id } = body.data;
		await sell(own, { coupon_code: 'pat20' });
		expect((await change(own, id, { code: 'pat-30' })).body.data).toMatchObject({
			code: 'PAT-30',
			sales: 1,
			last_sale_at: expect.any(String),
		});
		expect((await call(own, `/${id}`, { method: 'DELETE' })).body.data.archived_at).toMatch(/Z$/);
		expect((await change(own, id, { archived: false })).body.data.archived_at).toBeNull();
		const actions = await rows("SELECT action FROM audit_entries WHERE program_id = ? AND action GLOB 'coupon.*' ORDER BY id", own.id);
		expect(actions.map(({ action }) => action)).toEqual(['coupon.create', 'coupon.change', 'coupon.change', 'coupon.change']);
	});

	test('is found by its partner, the beginning of its code, and whether it is in use; as CSV too', async () => {
		const own = await aFunnel();
		const other = { ...own, ...(await aPartner(own.owner, own.id)) };
		const [one, two, three] = [
			await aCoupon(own, { code: 'aa1' }),
			await aCoupon(other, { code: 'AA2' }),
			await aCoupon(own, { code: 'b' }),
		];
		await change(own, one.id, { archived: true });
		const codes = async (search: string) => (await call(own, search)).body.data.map(({ code }) => code);
		expect(await codes('')).toEqual(['B', 'AA2', 'AA1']);
		expect(await codes(`?partner_id=${own.partnerId}`)).toEqual(['B', 'AA1']);
		expect(await codes('?search=aA')).toEqual(['AA2', 'AA1']);
		expect(await codes('?archived=false')).toEqual(['B', 'AA2']);
		expect(await codes('?archived=true')).toEqual(['AA1']);
		expect(await codes(`?limit=1&cursor=${three.id}`)).toEqual(['AA2']);
		const { text } = await call(own, '', { headers: { Accept: 'text/csv' } });
		const lines = text.split('\r\n');
		expect(lines[0]).toBe('coupon_id,code,partner_id,partner_name,sales,last_sale_at,created_at,archived_at');
		expect(lines[2]).toBe(`${two.id},AA2,${other.partnerId},Pat Partner,0,,${two.created_at},`);
		expect(lines).toHaveLength(5);
	});

	test('has a code that no other coupon in use has: of ten concurrent requests one succeeds', async () => {
		const own = await aFunnel();
		const answers = await Promise.all(Array.from({ length: 10 }, (_, index) => create(own, index % 2 === 0 ? 'same' : 'SAME')));
		expect(answers.map(({ status }) => status).toSorted()).toEqual([201, ...Array.from({ length: 9 }, () => 409)]);
		expect(answers.find(({ status }) => status === 409)?.body).toEqual({ error: 'Coupon SAME is already in use' });
		const other = await aCoupon(own);
		expect((await change(own, other.id, { code: 'same' })).status).toBe(409);
		const [first] = (await call(own, '?search=same')).body.data;
		await change(own, first?.id ?? 0, { archived: true });
		expect((await create(own, 'same')).status).toBe(201);
		expect((await change(own, first?.id ?? 0, { archived: false })).body).toEqual({ error: 'Coupon SAME is already in use' });
		expect((await create(await aFunnel(), 'same')).status).toBe(201);
	});

	test.each([
		[{ code: 'a' }, 'partner_id'],
		[{ partner_id: 1 }, 'code must be a string'],
		[{ partner_id: 1, code: ' ' }, 'code must be 1 to 64 characters, without line breaks'],
		[{ partner_id: 1, code: 'x'.repeat(65) }, 'code must be 1 to 64 characters, without line breaks'],
		[{ partner_id: 1, code: 'a', percent: 20 }, 'Unknown field: percent'],
	])('%j is refused', async (body, message) => {
		const answer = await call(funnel, '', { body });
		expect([answer.status, answer.text]).toEqual([400, expect.stringContaining(message)]);
	});

	test('of an unknown partner, or of another program, is 404', async () => {
		const [other, foreign] = [await aFunnel(), await aCoupon(await aFunnel())];
		expect((await create(funnel, 'x', other.partnerId)).status).toBe(404);
		expect((await change(funnel, foreign.id, { code: 'x' })).status).toBe(404);
		expect((await call(funnel, `/${foreign.id}`, { method: 'DELETE' })).status).toBe(404);
	});
});

test('when a membership ends, its coupons are archived, and none can be created or restored', async () => {
	const own = await aFunnel();
	const { id } = await aCoupon(own, { code: 'gone' });
	await api(`/api/v1/programs/${own.id}/partners/${own.partnerId}`, { method: 'DELETE', token: own.owner.token });
	expect((await call(own, '')).body.data).toMatchObject([{ code: 'GONE', archived_at: expect.any(String) }]);
	const ended = { error: "The partner's membership has ended: add the partner again" };
	expect((await create(own, 'new')).body).toEqual(ended);
	expect((await change(own, id, { archived: false })).body).toEqual(ended);
	await api(`/api/v1/programs/${own.id}/partners/${own.partnerId}/erase`, { token: own.owner.token, body: {} });
	expect((await call(own, '')).body.data).toMatchObject([{ code: `ERASED-${id}`, partner: { name: 'Erased partner' } }]);
});

const run = (sql: string, ...values: unknown[]) =>
	env.DB.prepare(sql)
		.bind(...values)
		.run();
test("a coupon's partner never changes, and a sale names no other partner’s coupon", async () => {
	const own = await aFunnel();
	const other = { ...own, ...(await aPartner(own.owner, own.id)) };
	const coupon = await aCoupon(other);
	await expect(run('UPDATE coupons SET partner_program_id = ? WHERE id = ?', own.partnerProgramId, coupon.id)).rejects.toThrow(
		'stays with its partner',
	);
	await expect(run('DELETE FROM coupons WHERE id = ?', coupon.id)).rejects.toThrow('coupons: stay');
	const insert = 'INSERT INTO coupons (program_id, partner_program_id, code, created_at) VALUES (?, ?, ?, 0)';
	await expect(run(insert, funnel.id, own.partnerProgramId, 'X')).rejects.toThrow('of another program');
	await expect(run(insert, own.id, own.partnerProgramId, 'x')).rejects.toThrow('coupons_code_form');
	const { body } = await sell(own, { coupon_code: coupon.code, customer_key: unique('c') });
	const sale = Number(body['sale_id']);
	await expect(run('UPDATE affiliate_sale_events SET coupon_id = NULL, revision = revision + 1 WHERE id = ?', sale)).rejects.toThrow(
		'never changes',
	);
	const copy = `INSERT INTO affiliate_sale_events (program_id, processor_event_id, is_test, customer_id, partner_program_id, amount_cents, currency,
		sale_type, is_recurring, inside_window, commission_state, no_commission_reason, created_at, sale_day, op_id, coupon_id)
		SELECT program_id, ?, is_test, customer_id, ?, amount_cents, currency, sale_type, is_recurring, inside_window, 'none', 'no_rule',
		created_at, sale_day, op_id, coupon_id FROM affiliate_sale_events WHERE id = ?`;
	await expect(run(copy, unique('txn'), own.partnerProgramId, sale)).rejects.toThrow('a coupon of another partner');
	await expect(run('UPDATE customers SET coupon_id = NULL, revision = revision + 1 WHERE coupon_id = ?', coupon.id)).rejects.toThrow(
		'never go back',
	);
});
