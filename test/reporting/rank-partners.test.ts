import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, test } from 'vitest';
import { openContext } from '../../src/context.ts';
import { DAY_MS } from '../../src/domain/calendar.ts';
import { rankPartners } from '../../src/reporting/rank-partners.ts';
import { countingTrips } from '../../testing/d1/metered.ts';
import { atInstant } from '../support/at-instant.ts';
import { applyWaiting } from '../support/effects.ts';
import { aFunnel, aPartner, type Funnel, keepSignedIn, track } from '../support/funnel.ts';
import { aClickJob, deliverClicks, readBreakdown } from '../support/report.ts';
import { aMember, api, signUp, unique } from '../support/world.ts';

// GET /api/v1/programs/:id/partners/performance

const NOON = Date.parse('2026-05-02T12:00:00Z');

beforeAll(async () => {
	await keepSignedIn();
});

interface Ranked {
	readonly id: number;
	readonly name: string;
	readonly last_active_on: string | null;
	readonly earnings_per_click_cents: number | null;
	readonly [field: string]: unknown;
}

type Brought = Pick<Funnel, 'shortLink' | 'partnerId'>;

const rank = (of: Pick<Funnel, 'id' | 'owner'>, query = '', headers: Record<string, string> = {}) =>
	atInstant(NOON + 10, () => api<Ranked[]>(`/api/v1/programs/${of.id}/partners/performance${query}`, { token: of.owner.token, headers }));

/** The last visitor buys. */
async function bring(funnel: Funnel, by: Brought, at: number, clicks: number, buys?: Record<string, unknown>) {
	const jobs = [];
	for (let count = 0; count < clicks; count += 1) jobs.push(await aClickJob({ ...funnel, ...by }, at + count));
	await deliverClicks(jobs);
	const [customer_key, transaction_id, click_id] = [unique('customer'), unique('txn'), jobs.at(-1)?.clickId];
	await atInstant(at + clicks, async () => {
		if (buys) {
			await track('lead', { customer_key, click_id }, funnel.apiToken);
			expect((await track('sale', { customer_key, transaction_id, ...buys }, funnel.apiToken)).status).toBe(200);
		}
	});
	return transaction_id;
}

const named = (funnel: Funnel, partnerId: number, name: string) =>
	api(`/api/v1/programs/${funnel.id}/partners/${partnerId}`, { token: funnel.owner.token, method: 'PATCH', body: { name } });

describe('the ranking of partners', () => {
	let funnel: Funnel;
	let [ada, bob, cyd]: Brought[] = [];
	const idsOf = async (query: string) => (await rank(funnel, query)).body.data.map(({ id }) => id);

	beforeAll(async () => {
		funnel = await atInstant(NOON - 60 * DAY_MS, () => aFunnel());
		ada = funnel;
		[bob, cyd] = await atInstant(NOON - 40 * DAY_MS, async () => [
			await aPartner(funnel.owner, funnel.id),
			await aPartner(funnel.owner, funnel.id),
		]);
		await named(funnel, ada.partnerId, 'ada');
		await named(funnel, bob.partnerId, 'Bob');
		await named(funnel, cyd.partnerId, 'Cyd ~ & "C"');
		await bring(funnel, ada, NOON - 3 * DAY_MS, 3, { amount_cents: 10_000 });
		const refunded = await bring(funnel, bob, NOON - DAY_MS, 1, { amount_cents: 20_000 });
		await atInstant(NOON, () => track('refund', { transaction_id: refunded, refund_amount_cents: 15_000 }, funnel.apiToken));
		await bring(funnel, bob, NOON - 50 * DAY_MS, 4);
		await bring(funnel, ada, NOON - 3 * DAY_MS, 1, { amount_cents: 5_000, currency: 'EUR' });
	});

	test('has report metrics, balances, earnings per click and the last active day', async () => {
		const { status, body } = await rank(funnel, '?sort=revenue');
		const [first, second, third] = body.data;
		expect([status, first]).toEqual([
			200,
			{
				id: bob?.partnerId,
				partner_program_id: expect.any(Number),
				name: 'Bob',
				email: expect.stringContaining('@people.example'),
				status: 'active',
				group: null,
				joined_at: expect.stringMatching(/Z$/),
				clicks: 1,
				leads: 1,
				conversions: 1,
				sales: 1,
				revenue_cents: 20_000,
				net_revenue_cents: 5_000,
				commission_cents: 4_000,
				net_commission_cents: 1_000,
				currencies: {},
				earnings_per_click_cents: 1_000,
				balances: { USD: { available: 1_000, pending: 0, debt: 0 } },
				last_active_on: '2026-05-01',
			},
		]);
		expect(second).toMatchObject({
			id: ada?.partnerId,
			clicks: 4,
			sales: 2,
			revenue_cents: 10_000,
			net_commission_cents: 2_000,
			earnings_per_click_cents: 500,
			currencies: { EUR: { sales: 1, revenue_cents: 5_000 } },
			last_active_on: '2026-04-29',
		});
		expect(third).toMatchObject({ id: cyd?.partnerId, clicks: 0, earnings_per_click_cents: null, balances: {}, last_active_on: null });
		expect(body.meta).toEqual({
			period: '30d',
			currency: 'USD',
			date_from: '2026-04-03T00:00:00.000Z',
			date_to: '2026-05-02T23:59:59.999Z',
			next_cursor: null,
			previous_cursor: null,
		});
	});

	test('equals the report by partner, before and after the deltas are applied', async () => {
		const compared = async () => {
			const { data } = await atInstant(NOON + 10, () => readBreakdown(funnel, 'by=partner&period=90d'));
			const report = data.map(({ value, clicks, leads, conversions, sales, revenue, netRevenue, commission, netCommission }) =>
				[value, clicks, leads, conversions, sales, revenue, netRevenue, commission, netCommission].map(Number),
			);
			const ranks = (await rank(funnel, '?period=90d')).body.data.filter(({ last_active_on }) => last_active_on !== null);
			const amounts = ['revenue_cents', 'net_revenue_cents', 'commission_cents', 'net_commission_cents'];
			const counts = ['id', 'clicks', 'leads', 'conversions', 'sales'];
			expect(ranks.map((row) => [...counts.map((name) => Number(row[name])), ...amounts.map((name) => Number(row[name]) / 100)])).toEqual(
				report,
			);
		};
		await compared();
		await applyWaiting(funnel);
		await compared();
	});

	test.each([
		['', ['bob', 'ada', 'cyd']],
		['sort=revenue&order=asc', ['cyd', 'ada', 'bob']],
		['sort=net_revenue', ['ada', 'bob', 'cyd']],
		['sort=commission', ['bob', 'ada', 'cyd']],
		['sort=net_commission', ['ada', 'bob', 'cyd']],
		['sort=clicks', ['ada', 'bob', 'cyd']],
		['sort=clicks&period=all', ['bob', 'ada', 'cyd']],
		['sort=leads', ['ada', 'bob', 'cyd']],
		['sort=sales', ['ada', 'bob', 'cyd']],
		['sort=conversions&order=asc', ['cyd', 'bob', 'ada']],
		['sort=earnings_per_click', ['bob', 'ada', 'cyd']],
		['sort=earnings_per_click&order=asc', ['ada', 'bob', 'cyd']],
		['sort=balance', ['ada', 'bob', 'cyd']],
		['sort=last_active', ['bob', 'ada', 'cyd']],
		['sort=last_active&order=asc', ['ada', 'bob', 'cyd']],
		['sort=name', ['ada', 'bob', 'cyd']],
		['sort=name&order=desc', ['cyd', 'bob', 'ada']],
		['sort=joined&order=asc', ['ada', 'bob', 'cyd']],
		['dateFrom=2026-04-29&dateTo=2026-04-29', ['ada', 'cyd', 'bob']],
		['search=Bo', ['bob']],
		['status=suspended', []],
	])('by %s is the same in pages of one and in CSV', async (query, expected) => {
		const ids = { ada: ada?.partnerId, bob: bob?.partnerId, cyd: cyd?.partnerId };
		const order = expected.map((name) => Object.entries(ids).find(([known]) => known === name)?.[1]);
		expect(await idsOf(`?${query}`)).toEqual(order);
		const pageAt = async (cursor: string) =>
			(await rank(funnel, `?${query}&limit=1&total=true${cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`}`)).body;
		const pages = [await pageAt('')];
		for (let next = pages[0]?.meta.next_cursor; next; next = pages.at(-1)?.meta.next_cursor) pages.push(await pageAt(next));
		expect(pages.flatMap(({ data }) => data.map(({ id }) => id))).toEqual(order);
		expect(pages.map(({ meta }) => [meta.total, meta.offset])).toEqual(
			order.length === 0 ? [[0, null]] : order.map((_, place) => [order.length, place]),
		);
		const back = pages.slice(-1);
		for (let previous = back[0]?.meta.previous_cursor; previous; previous = back[0]?.meta.previous_cursor)
			back.unshift(await pageAt(previous));
		expect(back.map(({ data }) => data)).toEqual(pages.map(({ data }) => data));
		const { text } = await rank(funnel, `?${query}`, { Accept: 'text/csv' });
		const lines = text.split('\r\n').slice(1, -1);
		expect(lines.map((line) => Number(line.split(',')[0]))).toEqual(order);
	});

	test('as CSV has other currencies in separate columns', async () => {
		const { headers, text } = await rank(funnel, '?sort=name&period=7d&limit=1', { Accept: 'text/csv' });
		expect(headers.get('X-Next-Cursor')).toMatch(/^name\.asc\.\d+\.tada$/);
		const [header = '', line = ''] = text.split('\r\n');
		expect(header).toBe(
			'partner_id,partner_program_id,name,email,status,group,joined_at,clicks,leads,conversions,sales,revenue_cents,net_revenue_cents,commission_cents,net_commission_cents,earnings_per_click_cents,available,pending,debt,last_active_on,sales_EUR,revenue_cents_EUR,net_revenue_cents_EUR,commission_cents_EUR,net_commission_cents_EUR,available_EUR,pending_EUR,debt_EUR',
		);
		expect(line.split(',').slice(7)).toEqual(
			'4,2,2,2,10000,10000,2000,2000,500,2000,0,0,2026-04-29,1,5000,5000,1000,1000,1000,0,0'.split(','),
		);
	});

	test('can be limited to a group', async () => {
		const { body } = await api<{ id: number }>(`/api/v1/programs/${funnel.id}/groups`, {
			token: funnel.owner.token,
			body: { name: 'Gold' },
		});
		const token = funnel.owner.token;
		await api(`/api/v1/programs/${funnel.id}/groups/${body.data.id}/partners`, { token, body: { partner_ids: [cyd?.partnerId] } });
		expect(await idsOf(`?group_id=${body.data.id}`)).toEqual([cyd?.partnerId]);
	});

	test('takes one trip and reads only rows of links and days', async () => {
		const DB = countingTrips(env.DB);
		const ctx = openContext({ ...env, DB }, { waitUntil: () => undefined });
		const program = { id: funnel.id, currency: 'USD', timeZone: 'UTC' };
		await rankPartners(ctx, program, {
			range: { period: '30d', dates: undefined },
			ranking: { by: 'clicks', direction: 'desc' },
			cursor: undefined,
			limit: 50,
		});
		expect(DB.trips()).toBe(1);
	});

	test('keeps results separate after a membership has ended', async () => {
		const place = await atInstant(NOON - 2 * DAY_MS, () => aFunnel());
		await bring(place, place, NOON - DAY_MS, 2, { amount_cents: 1_000 });
		await api(`/api/v1/programs/${place.id}/partners/${place.partnerId}`, { token: place.owner.token, method: 'DELETE' });
		expect((await rank(place)).body.data).toMatchObject([{ id: place.partnerId, status: 'ended', clicks: 2, revenue_cents: 1_000 }]);
	});

	test.each([
		['sort=luck', /^sort must be one of name, joined, clicks/],
		['order=up', /^order must be asc or desc$/],
		['dateFrom=2026-01-01', /^dateFrom and dateTo go together$/],
		['dateFrom=2026-01-02&dateTo=2026-01-01', /^dateFrom must not be after dateTo$/],
		['cursor=7', /^cursor must be a next_cursor or previous_cursor of this list$/],
		['cursor=clicks.desc.7.n1', /^cursor must be a next_cursor or previous_cursor of this list$/],
		['sort=clicks&order=asc&cursor=clicks.desc.7.n1', /^cursor must be a next_cursor or previous_cursor of this list$/],
		['by=clicks', /^Unknown query parameter: by$/],
	])('refuses %s', async (query, error) => {
		const { status, body } = await rank(funnel, `?${query}`);
		expect([status, body.error]).toEqual([400, expect.stringMatching(error)]);
	});

	test('is for members', async () => {
		const path = `/api/v1/programs/${funnel.id}/partners/performance`;
		expect((await api(path, { token: (await aMember(funnel.owner, 'member')).token })).status).toBe(200);
		expect((await api(path, { token: (await signUp()).token })).status).toBe(403);
		expect((await api(path)).status).toBe(401);
	});
});
