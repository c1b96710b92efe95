import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, test } from 'vitest';
import { openContext } from '../../src/context.ts';
import { readPartnerPerformance } from '../../src/reporting/read-partner-performance.ts';
import { findPartnerMembership } from '../../src/accounts/partner-membership.ts';
import { sha256Hex } from '../../src/secrets.ts';
import { metered } from '../../testing/d1/metered.ts';
import { tick } from '../support/deliver.ts';
import { rows } from '../support/funnel.ts';
import { anEarnedCommission, aRefund, aShop, type Shop } from '../support/ledger.ts';
import { aSignedInPartner, type SignedInPartner } from '../support/portal.ts';
import { readBreakdown, readReport } from '../support/report.ts';
import { api, type Owner, signUp } from '../support/world.ts';

let owner: Owner;
let shop: Shop;
beforeAll(async () => {
	owner = await signUp();
	shop = await aShop(owner);
	await api(shop.path, { method: 'PATCH', token: owner.token, body: { domain: 'shop.example' } });
});

interface Figures {
	readonly clicks: number;
	readonly leads: number;
	readonly conversions: number;
	readonly sales: number;
	readonly revenue_cents: number;
	readonly net_revenue_cents: number;
	readonly commission_cents: number;
	readonly net_commission_cents: number;
	readonly currencies: Record<string, { readonly sales: number; readonly revenue_cents: number }>;
}

interface Performance {
	readonly days: readonly (Figures & { readonly date: string })[];
	readonly links: readonly (Figures & { readonly link: { readonly id: number; readonly short_link: string } })[];
	readonly totals: Figures;
	readonly previous_days: Performance['days'] | null;
	readonly previous_totals: Figures | null;
}

async function performanceOf({ own, token }: SignedInPartner, query = ''): Promise<Performance> {
	const { status, body, text } = await api<Performance>(`${own}/performance${query}`, { token });
	if (status !== 200) throw new Error(`The performance answered ${status}: ${text}`);
	return body.data;
}

describe('the metrics of partners', () => {
	let partners: readonly SignedInPartner[];
	beforeAll(async () => {
		partners = await Promise.all([aSignedInPartner(shop), aSignedInPartner(shop), aSignedInPartner(shop)]);
		const [first, second] = partners;
		if (!first || !second) throw new Error('There are no partners');
		const deep = await api<SignedInPartner['links'][number]>(`${first.own}/links`, {
			token: first.token,
			body: { destination_url: 'https://shop.example/a' },
		});
		await anEarnedCommission(shop, first, { amountCents: 1_000 });
		await anEarnedCommission(shop, { ...first, links: [deep.body.data] }, { amountCents: 300 });
		await aRefund(shop, await anEarnedCommission(shop, second, { amountCents: 500 }), 200);
		await anEarnedCommission(shop, second, { amountCents: 700, currency: 'EUR' });
	});

	test.each(['while they wait', 'at rest'])("add up to the program's report: %s", async (when) => {
		if (when === 'at rest') await tick();
		const told = await Promise.all(partners.map((partner) => performanceOf(partner)));
		const { data, metrics } = await readReport({ id: shop.id, owner });
		const sum = (of: (performance: Performance) => number) => told.reduce((all, performance) => all + of(performance), 0);
		expect({
			clicks: sum(({ totals }) => totals.clicks),
			leads: sum(({ totals }) => totals.leads),
			conversions: sum(({ totals }) => totals.conversions),
			sales: sum(({ totals }) => totals.sales),
			revenue: sum(({ totals }) => totals.revenue_cents) / 100,
			netRevenue: sum(({ totals }) => totals.net_revenue_cents) / 100,
			commission: sum(({ totals }) => totals.commission_cents) / 100,
			netCommission: sum(({ totals }) => totals.net_commission_cents) / 100,
			euros: sum(({ totals }) => totals.currencies['EUR']?.revenue_cents ?? 0) / 100,
		}).toEqual({
			clicks: metrics.totalClicks,
			leads: metrics.totalSignups,
			conversions: metrics.totalConversions,
			sales: metrics.totalSales,
			revenue: metrics.totalRevenue,
			netRevenue: metrics.netRevenue,
			commission: metrics.totalPartnersCommission,
			netCommission: metrics.netCommission,
			euros: metrics.currencies['EUR']?.totalRevenue,
		});
		expect(metrics.totalSales).toBe(4);
		expect(told.map(({ days }) => days.map(({ date }) => date))).toEqual(partners.map(() => data.map(({ date }) => date)));
		for (const [index, { date, clicks, leads, revenue }] of data.entries()) {
			const day = (of: (figures: Figures) => number) => sum(({ days }) => (days[index] ? of(days[index]) : 0));
			expect([
				date,
				day((figures) => figures.clicks),
				day((figures) => figures.leads),
				day((figures) => figures.revenue_cents) / 100,
			]).toEqual([date, clicks, leads, revenue]);
		}
	});

	test('equal their rows in the breakdown, link by link', async () => {
		const { data } = await readBreakdown({ id: shop.id, owner }, 'by=link');
		for (const partner of partners) {
			const { links } = await performanceOf(partner);
			for (const { link, sales, revenue_cents, net_commission_cents } of links) {
				const row = data.find(({ value }) => value === link.id);
				expect([row?.label, row?.sales, row?.revenue, row?.netCommission]).toEqual([
					link.short_link,
					sales,
					revenue_cents / 100,
					net_commission_cents / 100,
				]);
			}
		}
		expect((await performanceOf(partners[0] ?? fail())).links).toHaveLength(2);
		expect((await performanceOf(partners[2] ?? fail())).links).toEqual([]);
	});

	test('cover the requested days', async () => {
		const [first] = partners;
		const partner = first ?? fail();
		const today = new Date().toISOString().slice(0, 10);
		expect((await performanceOf(partner, `?dateFrom=${today}&dateTo=${today}`)).totals.sales).toBe(2);
		const before = await performanceOf(partner, '?dateFrom=2020-01-01&dateTo=2020-01-03');
		expect([before.days.length, before.totals.sales, before.previous_totals?.sales]).toEqual([3, 0, 0]);
		const all = await performanceOf(partner, '?period=all&compare=previous');
		expect([all.days.length, all.totals.sales, all.previous_totals, all.previous_days]).toEqual([1, 2, null, null]);
		for (const query of ['?compare=last', '?dateFrom=2020-01-01', '?period=1d', '?dateFrom=2020-01-03&dateTo=2020-01-01', '?by=link']) {
			expect((await api(`${partner.own}/performance${query}`, { token: partner.token })).status).toBe(400);
		}
	});
});

test('the previous days are next to the requested ones, even in CSV', async () => {
	const partner = await aSignedInPartner(shop);
	await anEarnedCommission(shop, partner, { amountCents: 600 });
	await anEarnedCommission(shop, partner, { amountCents: 200, currency: 'EUR' });
	const [today, tomorrow] = [0, 1].map((days) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10));
	const range = `?dateFrom=${tomorrow}&dateTo=${tomorrow}`;
	expect((await performanceOf(partner, range)).previous_days).toBeNull();
	const { days, previous_days: before, previous_totals: totals } = await performanceOf(partner, `${range}&compare=previous`);
	expect(days).toMatchObject([{ date: tomorrow, sales: 0 }]);
	expect(before).toEqual([{ date: today, ...totals }]);
	expect(totals).toMatchObject({ sales: 2, revenue_cents: 600, currencies: { EUR: { sales: 1, revenue_cents: 200 } } });
	const file = await api(`${partner.own}/performance${range}&compare=previous`, { token: partner.token, headers: { Accept: 'text/csv' } });
	const [names = [], values = []] = file.text.split('\r\n').map((line) => line.split(','));
	const row = Object.fromEntries(names.map((name, index) => [name, values[index]]));
	expect(row).toMatchObject({ date: tomorrow, sales: '0', previous_date: today, previous_sales: '2', previous_revenue_cents: '600' });
	expect([row['revenue_cents_EUR'], row['previous_revenue_cents_EUR']]).toEqual(['0', '200']);
});

test('a returning partner keeps the results from before the membership ended', async () => {
	const partner = await aSignedInPartner(shop);
	await anEarnedCommission(shop, partner, { amountCents: 400 });
	await api(`${shop.path}/partners/${partner.id}`, { method: 'DELETE', token: owner.token });
	await api(`${shop.path}/partners`, { token: owner.token, body: { name: 'Again', email: partner.email } });
	const { links, totals } = await performanceOf(partner);
	expect([totals.sales, links.map(({ link }) => link.id)]).toEqual([1, [partner.links[0]?.id]]);
});

test("only the partner's own links and days are read, whatever others have", async () => {
	const place = await aShop(owner);
	const partner = await aSignedInPartner(place);
	await anEarnedCommission(place, partner, { amountCents: 100 });
	await tick();
	const fill = (links: number) =>
		env.DB.prepare(
			`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?2)
			INSERT OR IGNORE INTO daily_breakdown (program_id, dimension, day, value, currency, clicks)
			SELECT ?1, 'link', date('now'), 'x' || i, 'USD', 1 FROM n`,
		)
			.bind(place.id, links)
			.run();
	const rowsRead = async () => {
		const DB = metered(env.DB);
		const ctx = openContext({ ...env, DB }, { waitUntil: () => undefined });
		const membership = await findPartnerMembership(ctx, await sha256Hex(partner.token), null, partner.partner_program_id);
		if (!membership) throw new Error('There is no membership');
		const before = DB.spent().rowsRead;
		await readPartnerPerformance(ctx, membership, { period: '90d', dates: undefined });
		return DB.spent().rowsRead - before;
	};
	await fill(1);
	const few = await rowsRead();
	await fill(1_000);
	expect(await rowsRead()).toBe(few);
	expect(few).toBeLessThan(60);
	expect(await rows("SELECT value FROM daily_breakdown WHERE program_id = ? AND dimension = 'link'", place.id)).toHaveLength(1_001);
});

function fail(): never {
	throw new Error('There is no such partner');
}
