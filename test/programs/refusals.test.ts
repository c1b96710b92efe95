import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { DAY_MS, HOUR_MS } from '../../src/domain/calendar.ts';
import { refusedCallOf } from '../../src/domain/refusal.ts';
import { Rejection, type RejectionCode } from '../../src/domain/rejection.ts';
import { listRefusals } from '../../src/programs/list-refusals.ts';
import { noteRefusal } from '../../src/programs/note-refusal.ts';
import { trimRefusals } from '../../src/programs/trim-refusals.ts';
import { refusing } from '../../testing/d1/failing.ts';
import { metered } from '../../testing/d1/metered.ts';
import { bearer, trackWith } from '../support/bindings.ts';
import { contextAt } from '../support/clock.ts';
import { aClick, aFunnel, aLead, type Funnel, rows, track } from '../support/funnel.ts';
import { api, unique } from '../support/world.ts';

interface Listed {
	readonly id: number;
	readonly operation: string;
	readonly source: string;
	readonly status: number;
	readonly code: string;
	readonly transaction_id: string | null;
	readonly customer_key: string | null;
	readonly routine: boolean;
	readonly count: number;
}

async function listed(funnel: Funnel, query = ''): Promise<Listed[]> {
	const { status, body } = await api<Listed[]>(`/api/v1/programs/${funnel.id}/refusals${query}`, { token: funnel.owner.token });
	expect(status).toBe(200);
	return body.data ?? [];
}

describe('a refused call is listed with its request', () => {
	test('for a sale', async () => {
		const funnel = await aFunnel();
		const sale = { transaction_id: unique('txn'), amount_cents: 4_900, currency: 'eur', customer_key: 'nobody', click_id: 'cust_1_2' };
		expect((await track('sale', sale, funnel.apiToken)).status).toBe(400);
		await expect.poll(() => listed(funnel)).toHaveLength(1);
		expect(await listed(funnel)).toEqual([
			{
				id: expect.any(Number),
				operation: 'sale',
				source: 'backend',
				status: 400,
				code: 'sale_customer_not_found',
				message: 'Customer not found. Provide customer_key or click_id.',
				transaction_id: sale.transaction_id,
				click_id: 'cust_1_2',
				customer_key: 'nobody',
				amount_cents: 4_900,
				currency: 'EUR',
				routine: false,
				count: 1,
				first_at: expect.any(String),
				last_at: expect.any(String),
			},
		]);
	});

	test.each<[route: string, body: object, told: Partial<Listed>]>([
		['sale', { amount_cents: -1 }, { operation: 'sale', code: 'invalid_input', transaction_id: null }],
		['lead', {}, { operation: 'lead', code: 'invalid_input' }],
		['lead', { click_id: 'cust_1_2' }, { operation: 'lead', code: 'lead_customer_not_found' }],
		[
			'refund',
			{ transaction_id: 'never-sold' },
			{ operation: 'refund', status: 404, code: 'sale_not_found', transaction_id: 'never-sold' },
		],
	])('%s %j', async (route, body, received) => {
		const funnel = await aFunnel();
		await track(route, body, funnel.apiToken);
		await expect.poll(() => listed(funnel)).toEqual([expect.objectContaining({ source: 'backend', routine: false, ...received })]);
	});

	test('for a known lead and for a sale without a partner, as routine', async () => {
		const funnel = await aFunnel();
		const customerKey = await aLead(funnel);
		await track('lead', { customer_key: customerKey }, funnel.apiToken);
		const direct = unique('direct');
		await track('lead', { customer_key: direct }, funnel.apiToken);
		await track('sale', { transaction_id: unique('txn'), amount_cents: 5, customer_key: direct }, funnel.apiToken);
		await expect.poll(() => listed(funnel, '?routine=true')).toHaveLength(2);
		expect((await listed(funnel)).map(({ code }) => code).toSorted()).toEqual(['customer_unattributed', 'lead_status_locked']);
		expect(await listed(funnel, '?routine=false')).toEqual([]);
		expect(await listed(funnel, `?customer_key=${direct}&operation=sale`)).toHaveLength(1);
	});

	test("for a page's lead, in the program of its click", async () => {
		const funnel = await aFunnel({ allowed_origins: ['https://shop.example'], server_leads_only: true });
		const headers = { Origin: 'https://shop.example' };
		const { status } = await track('lead', { click_id: await aClick(funnel), customer_key: 'told' }, undefined, headers);
		expect(status).toBe(403);
		await expect
			.poll(() => listed(funnel))
			.toEqual([expect.objectContaining({ source: 'page', code: 'customer_key_from_browser', customer_key: 'told', routine: true })]);
	});
});

test('test calls, unknown keys, foreign origins and already recorded events are not listed', async () => {
	const funnel = await aFunnel();
	const sale = { transaction_id: unique('txn'), amount_cents: 10_000, customer_key: await aLead(funnel) };
	for (const status of [200, 409]) expect((await track('sale', sale, funnel.apiToken)).status).toBe(status);
	await track('sale', { amount_cents: -1, additional_data: { test_mode: true } }, funnel.apiToken);
	await track('refund', { additional_data: { test_mode: true } }, funnel.apiToken);
	await track('sale', {}, 'no-such-key');
	await track('lead', { click_id: await aClick(funnel) }, undefined, { Origin: 'https://elsewhere.example' });
	await track('refund', {}, funnel.apiToken);
	await expect.poll(() => listed(funnel)).toEqual([expect.objectContaining({ operation: 'refund' })]);
});

/** Logs a refusal from an isolate with an empty cache. */
async function refuse(funnel: Funnel, at: number, transactionId: string, code: RejectionCode = 'sale_customer_not_found'): Promise<void> {
	const work: Promise<unknown>[] = [];
	const ctx = { ...contextAt(at), refusals: new Map(), defer: (late: Promise<unknown>) => void work.push(late) };
	const call = refusedCallOf('sale', 'backend', { transaction_id: transactionId });
	noteRefusal(ctx, { programId: funnel.id }, call, new Rejection(code));
	await Promise.all(work);
}

describe('the cost', () => {
	test('a refusal repeated within the hour raises its count, even in a race; later it is a new row', async () => {
		const funnel = await aFunnel();
		const at = Math.floor(Date.now() / HOUR_MS) * HOUR_MS;
		await Promise.all([refuse(funnel, at, 'a'), refuse(funnel, at + 1, 'a'), refuse(funnel, at + 2, 'a'), refuse(funnel, at + 3, 'b')]);
		await refuse(funnel, at + HOUR_MS, 'a');
		const { rows: kept } = await listRefusals(contextAt(at), funnel.id, { limit: 9 });
		expect(kept.map(({ transactionId, count }) => [transactionId, count]).toSorted()).toEqual([
			['a', 1],
			['a', 3],
			['b', 1],
		]);
	});

	test('the first refusal writes two rows, repeats write one, and then none', async () => {
		const funnel = await aFunnel();
		const sale = { transaction_id: unique('txn'), amount_cents: 0 };
		const written: number[] = [];
		for (let call = 1; call <= 7; call += 1) {
			const DB = metered(env.DB);
			await trackWith({ DB }, 'sale', sale, bearer(funnel.apiToken));
			await expect.poll(async () => (await listed(funnel))[0]?.count).toBe(Math.min(call, 5));
			written.push(DB.spent().rowsWritten);
		}
		expect(written).toEqual([2, 1, 1, 1, 1, 0, 0]);
	});

	test('a flood logs at most a hundred refusals in five minutes', async () => {
		const funnel = await aFunnel();
		const work: Promise<unknown>[] = [];
		const ctx = { ...contextAt(Date.now()), refusals: new Map(), defer: (late: Promise<unknown>) => void work.push(late) };
		for (let call = 0; call < 150; call += 1)
			noteRefusal(
				ctx,
				{ programId: funnel.id },
				refusedCallOf('sale', 'backend', { transaction_id: `t${call}` }),
				new Rejection('sale_not_found'),
			);
		await Promise.all(work);
		expect(await rows('SELECT count(*) AS kept FROM refusals WHERE program_id = ?', funnel.id)).toEqual([{ kept: 100 }]);
	});

	test('a thousand are kept, and routine ones are deleted first', async () => {
		const funnel = await aFunnel();
		const now = Date.now();
		const insert = (routine: number, many: number) =>
			env.DB.prepare(
				`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?3)
				INSERT INTO refusals (program_id, hour, fingerprint, operation, source, status, code, message, is_routine, count, first_at, last_at)
				SELECT ?1, ?4 / 3600000, ?2 || '-' || i, 'sale', 'backend', 400, 'x', 'x', ?2, 1, ?4, ?4 FROM n`,
			)
				.bind(funnel.id, routine, many, now)
				.run();
		await insert(0, 700);
		await insert(1, 900);
		await refuse(funnel, now, 'last');
		const counts = () => rows('SELECT is_routine, count(*) AS kept FROM refusals WHERE program_id = ? GROUP BY 1', funnel.id);
		expect(await counts()).toEqual([
			{ is_routine: 0, kept: 500 },
			{ is_routine: 1, kept: 500 },
		]);
	});
});

test('after thirty days they are deleted', async () => {
	const funnel = await aFunnel();
	const now = Date.now();
	await refuse(funnel, now - 31 * DAY_MS, 'old');
	await refuse(funnel, now - 29 * DAY_MS, 'young');
	// Ids must follow the order of time.
	await rows('UPDATE refusals SET id = -id WHERE program_id = ?', funnel.id);
	expect(await trimRefusals(contextAt(now), 100)).toBeGreaterThanOrEqual(1);
	expect(await rows('SELECT transaction_id FROM refusals WHERE program_id = ?', funnel.id)).toEqual([{ transaction_id: 'young' }]);
	await rows('DELETE FROM refusals WHERE program_id = ?', funnel.id);
});

test('a failed log write does not change the answer', async () => {
	const funnel = await aFunnel();
	const { status, body } = await trackWith({ DB: refusing(env.DB, 'refusals') }, 'sale', {}, bearer(funnel.apiToken));
	expect([status, body, await listed(funnel)]).toEqual([400, { error: 'transaction_id is required and must be a string' }, []]);
});

test('the list is paged, and its CSV is complete', async () => {
	const funnel = await aFunnel();
	const now = Date.now();
	for (const id of ['a', 'b', 'c']) await refuse(funnel, now, id);
	const { token } = funnel.owner;
	const first = await api<Listed[]>(`/api/v1/programs/${funnel.id}/refusals?limit=2`, { token });
	const second = await api<Listed[]>(`/api/v1/programs/${funnel.id}/refusals?limit=2&cursor=${first.body.meta.next_cursor}`, { token });
	expect([...(first.body.data ?? []), ...(second.body.data ?? [])].map(({ transaction_id }) => transaction_id)).toEqual(['c', 'b', 'a']);
	const csv = await api(`/api/v1/programs/${funnel.id}/refusals`, { token, headers: { Accept: 'text/csv' } });
	expect(csv.text.split('\r\n').map((line) => line.split(',')[6])).toEqual(['transaction_id', 'c', 'b', 'a', undefined]);
});
