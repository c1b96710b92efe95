import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, test } from 'vitest';
import { openContext } from '../../src/context.ts';
import { listCustomers } from '../../src/customers/list-customers.ts';
import { countingTrips } from '../../testing/d1/metered.ts';
import { aClick, aFunnel, aLead, aPartner, aSale, type Funnel, track } from '../support/funnel.ts';
import { aMember, api, aProgram, signUp, unique } from '../support/world.ts';

interface Row {
	readonly id: number;
	readonly customer_key: string | null;
	readonly email: string | null;
	readonly status: string;
	readonly partner: { readonly id: number } | null;
	readonly click_id: string | null;
}

let funnel: Funnel;

beforeAll(async () => {
	funnel = await aFunnel({ keep_emails: true });
});

const path = (of: Pick<Funnel, 'id'>) => `/api/v1/programs/${of.id}/customers`;

async function list(of: Funnel, filter: Record<string, string> = {}): Promise<Row[]> {
	const { status, text, body } = await api<Row[]>(`${path(of)}?${new URLSearchParams(filter).toString()}`, { token: of.owner.token });
	expect(status, text).toBe(200);
	return [...body.data];
}

const keysOf = async (of: Funnel, filter: Record<string, string> = {}) => (await list(of, filter)).map((row) => row.customer_key);

describe('a search finds a customer', () => {
	test('by the beginning of its key, in exactly its letter case', async () => {
		const prefix = unique('Key');
		for (const key of [`${prefix}a`, `${prefix}%b`, prefix]) await track('lead', { customer_key: key }, funnel.apiToken);
		expect(await keysOf(funnel, { search: prefix })).toEqual([prefix, `${prefix}%b`, `${prefix}a`]);
		expect(await keysOf(funnel, { search: `${prefix}%` })).toEqual([`${prefix}%b`]);
		expect(await keysOf(funnel, { search: prefix.toLowerCase() })).toEqual([]);
		expect(await keysOf(funnel, { search: `${prefix}%b`, status: 'conversion' })).toEqual([]);
	});

	test('by its whole email address, from a backend or a page, in any letter case', async () => {
		const [told, planted] = [`${unique('ann')}@people.example`, `${unique('bob')}@people.example`];
		const key = unique('customer');
		await track('lead', { customer_key: key, email: told }, funnel.apiToken);
		const clickId = await aClick(funnel);
		await track('lead', { click_id: clickId, email: planted });
		expect(await keysOf(funnel, { search: ` ${told.toUpperCase()} ` })).toEqual([key]);
		expect((await list(funnel, { search: planted })).map((row) => row.click_id)).toEqual([clickId]);
		expect(await keysOf(funnel, { search: told.slice(1) })).toEqual([]);

		const forgetful = await aFunnel();
		await track('lead', { customer_key: key, email: told }, forgetful.apiToken);
		const [row] = await list(forgetful, { search: told });
		expect([row?.customer_key, row?.email]).toEqual([key, null]);
	});

	test('by its click, only in its own program', async () => {
		const clickId = await aClick(funnel);
		await track('sale', { click_id: clickId, transaction_id: unique('txn'), amount_cents: 100 }, funnel.apiToken);
		expect((await list(funnel, { search: clickId })).map((row) => row.click_id)).toEqual([clickId]);
		expect(await list(await aFunnel(), { search: clickId })).toEqual([]);
	});
});

test('the list has every customer once, newest first, in pages of any size; CSV has all of them', async () => {
	const place = await aFunnel();
	const keys: (string | null)[] = [];
	for (let nth = 0; nth < 7; nth += 1) {
		const key = await aLead(place);
		// A purchase does not make a known customer newer.
		if (nth % 2 === 0) await aSale(place, { customer_key: keys[0] ?? key });
		keys.unshift(key);
		if (nth === 3) {
			await track('sale', { click_id: await aClick(place), transaction_id: unique('txn'), amount_cents: 100 }, place.apiToken);
			keys.unshift(null);
		}
	}
	const walked: (string | null)[] = [];
	for (let cursor: string | null = ''; cursor !== null;) {
		const page: Awaited<ReturnType<typeof api<Row[]>>> = await api<Row[]>(`${path(place)}?limit=3&cursor=${cursor}`, {
			token: place.owner.token,
		});
		walked.push(...page.body.data.map((row) => row.customer_key));
		cursor = page.body.meta.next_cursor;
	}
	expect(walked).toEqual(keys);
	const csv = await api(path(place), { token: place.owner.token, headers: { Accept: 'text/csv' } });
	expect(csv.text.split('\r\n').slice(1, -1)).toHaveLength(8);
	expect(csv.text.split('\r\n')[1]).toContain(`,${keys[0]},`);
});

test('filters by partner, status and time', async () => {
	const place = await aFunnel();
	const [first, second] = [await aLead(place), await aLead(place)];
	await aSale(place, { customer_key: second });
	const other = await aPartner(place.owner, place.id);
	const third = await aLead({ ...place, ...other });
	expect(await keysOf(place, { status: 'conversion' })).toEqual([second]);
	expect(await keysOf(place, { partner_id: String(other.partnerId) })).toEqual([third]);
	expect(await keysOf(place, { partner_id: String(place.partnerId), status: 'lead' })).toEqual([first]);
	expect(await keysOf(place, { to: '2026-01-01' })).toEqual([]);
	expect(await keysOf(place, { from: '2026-01-01', search: first })).toEqual([first]);
	const odd = await api(`${path(place)}?from=2026-02-02&to=2026-01-01`, { token: place.owner.token });
	expect([odd.status, odd.body.error]).toEqual([400, 'from must not be after to']);
});

/** One statement over `n(i)` inserts thousands of rows. */
const fill = (sql: string) => env.DB.prepare(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5100) ${sql}`);

test('a page is full despite many later renewals; a rare status is found by paging on', async () => {
	const place = await aFunnel();
	const [bought, key] = [await aLead(place), await aLead(place)];
	await aSale(place, { customer_key: bought });
	await fill(
		`INSERT INTO affiliate_lead_events (program_id, customer_id, is_test, created_at, op_id)
		SELECT c.program_id, c.id, 0, c.created_at + i, 'op' FROM n, customers c WHERE c.customer_key = ?`,
	)
		.bind(key)
		.run();
	expect(await keysOf(place)).toEqual([key, bought]);
	await fill(
		`INSERT INTO customers (program_id, customer_key, status, created_at)
		SELECT c.program_id, c.customer_key || i, 'lead', c.created_at + i FROM n, customers c WHERE c.customer_key = ?`,
	)
		.bind(key)
		.run();
	const found: (string | null)[] = [];
	let cursor = '';
	for (let pages = 0; pages < 5; pages += 1) {
		const page = `${path(place)}?status=conversion${cursor}`;
		const { body } = await api<readonly { customer_key: string | null }[]>(page, { token: place.owner.token });
		found.push(...body.data.map((row) => row.customer_key));
		if (body.meta.next_cursor === null) break;
		cursor = `&cursor=${body.meta.next_cursor}`;
	}
	expect(found).toEqual([bought]);
});

test('a page takes one trip, and so does a search', async () => {
	const DB = countingTrips(env.DB);
	const ctx = openContext({ ...env, DB }, { waitUntil: () => undefined });
	await listCustomers(ctx, { id: funnel.id, timeZone: 'UTC' }, { limit: 50 });
	await listCustomers(ctx, { id: funnel.id, timeZone: 'UTC' }, { limit: 50, search: 'a@b.example' });
	expect(DB.trips()).toBe(2);
});

describe('the timeline of a customer', () => {
	interface Step {
		readonly type: string;
		readonly transaction_id: string | null;
		readonly amount_cents: number | null;
		readonly commission: { readonly status: string } | null;
	}
	interface Told extends Row {
		readonly totals: Record<string, Record<string, number>>;
		readonly journey: readonly Step[];
	}
	const readOne = (of: Funnel, id: number | undefined, more = '') => api<Told>(`${path(of)}/${id}${more}`, { token: of.owner.token });

	test('has click, lead, sales with their commissions and refunds, newest first, with totals', async () => {
		const place = await aFunnel();
		const key = await aLead(place);
		const sale = await aSale(place, { customer_key: key });
		await aSale(place, { customer_key: key, currency: 'EUR', amount_cents: 500 });
		await track('refund', { transaction_id: sale.transactionId, refund_amount_cents: 2_500, refund_reason: 'Late' }, place.apiToken);
		const [row] = await list(place, { search: key });
		const { body } = await readOne(place, row?.id);
		expect(body.data.journey.map(({ type, amount_cents, commission }) => [type, amount_cents, commission?.status])).toEqual([
			['refund', 2_500, undefined],
			['sale', 500, 'approved'],
			['sale', 10_000, 'refunded'],
			['lead', null, undefined],
			['click', null, undefined],
		]);
		expect(body.data.totals).toEqual({
			EUR: { sales: 1, revenue_cents: 500, refunded_cents: 0, commission_cents: 100, deducted_cents: 0 },
			USD: { sales: 1, revenue_cents: 10_000, refunded_cents: 2_500, commission_cents: 2_000, deducted_cents: 500 },
		});
		const walked: string[] = [];
		for (let cursor: string | null = ''; cursor !== null;) {
			const page: Awaited<ReturnType<typeof readOne>> = await readOne(place, row?.id, `?limit=2&cursor=${cursor}`);
			walked.push(...page.body.data.journey.map(({ type }) => type));
			cursor = page.body.meta.next_cursor;
		}
		expect(walked).toEqual(['refund', 'sale', 'sale', 'lead', 'click']);
	});

	test('has a later lead too', async () => {
		const place = await aFunnel();
		const key = unique('customer');
		await track('lead', { customer_key: key }, place.apiToken);
		// In the same millisecond, a click sorts before a lead.
		await scheduler.wait(5);
		await track('lead', { customer_key: key, click_id: await aClick(place) }, place.apiToken);
		const [row] = await list(place, { search: key });
		expect((await readOne(place, row?.id)).body.data.journey.map(({ type }) => type)).toEqual(['lead', 'click', 'lead']);
	});

	test('is found only in its program', async () => {
		const [row] = await list(funnel);
		const elsewhere = await readOne(await aFunnel(), row?.id);
		expect([elsewhere.status, elsewhere.body.error]).toEqual([404, 'Customer not found']);
	});
});

test.each([
	['nobody', 401],
	['a member', 200],
	['an admin', 200],
	['a foreign owner', 403],
] as const)('%s is answered %i', async (who, expected) => {
	const { owner } = funnel;
	const key = await aLead(funnel);
	const [row] = await list(funnel, { search: key });
	const tokens = {
		'a member': () => aMember(owner, 'member'),
		'an admin': () => aMember(owner, 'admin'),
		'a foreign owner': async () => {
			const stranger = await signUp();
			await aProgram(stranger);
			return stranger;
		},
	};
	const call = who === 'nobody' ? {} : { token: (await tokens[who]()).token };
	for (const route of [`${path(funnel)}?search=${key}`, `${path(funnel)}/${row?.id}`]) {
		const { status, text } = await api(route, call);
		expect(status).toBe(expected);
		expect(text.includes(key)).toBe(expected === 200);
	}
});
