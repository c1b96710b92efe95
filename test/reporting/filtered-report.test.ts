import { beforeAll, describe, expect, test } from 'vitest';
import { DAY_MS } from '../../src/domain/calendar.ts';
import { atInstant } from '../support/at-instant.ts';
import { aFunnel, aPartner, aSale, type Funnel, rows, keepSignedIn, track } from '../support/funnel.ts';
import { aClickJob, askReport, deliverClicks, readBreakdown, readDetailed, readReport } from '../support/report.ts';
import { aMember, api, signUp, unique } from '../support/world.ts';

// GET /api/tracking/performance/:programId with a filter, or with compare=previous (decision 45)

const NOON = Date.parse('2026-05-09T12:00:00Z');
const [BEFORE, NOW] = [NOON - 7 * DAY_MS, NOON + 10];

let funnel: Funnel;
let second: Awaited<ReturnType<typeof aPartner>>;
let links: { first: number; second: number };

beforeAll(async () => {
	await keepSignedIn();
	funnel = await atInstant(BEFORE - DAY_MS, () => aFunnel());
	second = await atInstant(BEFORE - DAY_MS, () => aPartner(funnel.owner, funnel.id));
	links = { first: await idOf(funnel.shortLink), second: await idOf(second.shortLink) };
	await visit({ at: BEFORE, country: 'DE', buys: { amount_cents: 5_000 } });
	await visit({ country: 'DE', referrer: 'https://www.google.com/' });
	await visit({ country: 'DE', referrer: 'https://google.com/', buys: { amount_cents: 10_000, product_id: 'pro' } });
	const transaction = await visit({ country: 'US', by: second, buys: { amount_cents: 20_000, product_id: 'pro' } });
	await visit({ country: 'US', by: second, buys: { amount_cents: 700, currency: 'EUR' } });
	await atInstant(NOON + 5, () => track('refund', { transaction_id: transaction, refund_amount_cents: 5_000 }, funnel.apiToken));
});

async function idOf(shortLink: string): Promise<number> {
	const [link] = await rows<{ id: number }>('SELECT id FROM referral_links WHERE short_link = ?', shortLink);
	return link?.id ?? 0;
}

interface Visitor {
	readonly at?: number;
	readonly country: string;
	readonly referrer?: string;
	readonly by?: Pick<Funnel, 'shortLink'>;
	readonly buys?: Record<string, unknown>;
}

/** Returns the transaction id. */
async function visit({ at = NOON, country, referrer, by, buys }: Visitor): Promise<string> {
	const job = await aClickJob({ ...funnel, ...by }, at, { country, referrerUrl: referrer ?? null });
	await deliverClicks([job]);
	const [customer_key, transaction_id] = [unique('customer'), unique('txn')];
	if (buys)
		await atInstant(at + 1, async () => {
			await track('lead', { click_id: job.clickId, customer_key }, funnel.apiToken);
			await aSale(funnel, { customer_key, transaction_id, ...buys });
		});
	return transaction_id;
}

const of = (query: string) => atInstant(NOW, () => readDetailed(funnel, query));
const ask = (query: string, token = funnel.owner.token, headers: Record<string, string> = {}) =>
	atInstant(NOW, () => askReport(funnel.id, `?${query}`, token, headers));
const by = (query: string) => atInstant(NOW, () => readBreakdown(funnel, query));
const errorOf = async (query: string) => {
	const { status, text } = await ask(query);
	return [status, JSON.parse(text).error];
};
const UP = { trend: 100, trendDirection: 'up' };
const DE = { totalClicks: 2, totalSignups: 1, totalConversions: 1, totalSales: 1, totalRevenue: 100, conversionRate: 50 };
const SECOND = { totalClicks: 2, totalSales: 2, totalRevenue: 200, netRevenue: 150, totalPartnersCommission: 40, netCommission: 30 };

async function expectFigures(query: string, filter: object, figures: object): Promise<void> {
	const { data, metrics, previous, meta } = await of(query);
	expect(metrics).toMatchObject({ ...figures, totalLeads: null, totalPartners: null });
	expect(meta.filter).toMatchObject(filter);
	expect(meta.filter?.unknown).toContain('totalPartners');
	expect(previous).toBeNull();
	expect(data).toHaveLength(7);
	expect(data.at(-1)?.totalSales).toBe(metrics.totalSales);
}

describe('a report of one value', () => {
	const PRODUCT = { totalClicks: null, totalConversions: null, averageOrderValue: null, totalSales: 2, totalRevenue: 300, netRevenue: 250 };

	test('works for a country in any letter case, a source and a product', async () => {
		for (const [query, filter, figures] of [
			['country=DE', { by: 'country', value: 'DE', label: 'DE' }, DE],
			['country=de', { by: 'country', value: 'DE', label: 'DE' }, DE],
			['source=google.com', { by: 'source', value: 'google.com', label: 'google.com' }, { ...DE, clicksTrend: UP }],
			['product_id=pro', { by: 'product', value: 'pro', label: 'pro' }, { ...PRODUCT, salesTrend: UP }],
		] as const)
			await expectFigures(query, filter, figures);
	});

	test('works for a link and a partner', async () => {
		await expectFigures(`link_id=${links.second}`, { by: 'link', value: links.second, label: second.shortLink }, SECOND);
		const partner = { by: 'partner', value: second.partnerId, label: 'Pat Partner' };
		await expectFigures(`partner_id=${second.partnerId}`, partner, SECOND);
	});

	test('keeps other currencies separate', async () => {
		const { data, metrics } = await of(`partner_id=${second.partnerId}`);
		const eur = { totalSales: 1, totalRevenue: 7, netRevenue: 7, totalPartnersCommission: 1.4, netCommission: 1.4 };
		expect(metrics.currencies).toEqual({ EUR: eur });
		expect(data.at(-1)?.currencies).toEqual({ EUR: { totalSales: 1, revenue: 7, netRevenue: 7, commission: 1.4, netCommission: 1.4 } });
	});

	test("has the report's range, even if it starts with the program", async () => {
		for (const period of ['7d', 'all']) {
			const plain = await atInstant(NOW, () => readReport(funnel, `?period=${period}`));
			const { data, meta } = await of(`source=google.com&period=${period}`);
			expect(meta).toMatchObject(plain.meta);
			expect(data.map(({ date }) => date)).toEqual(plain.data.map(({ date }) => date));
		}
	});

	test('over all links equals the report', async () => {
		const { metrics } = await atInstant(NOW, () => readReport(funnel, '?period=30d'));
		const parts = await Promise.all([links.first, links.second].map((id) => of(`link_id=${id}&period=30d`)));
		for (const name of ['totalClicks', 'totalSignups', 'totalConversions', 'totalSales', 'totalRevenue', 'netCommission'] as const)
			expect([name, parts.reduce((sum, part) => sum + (part.metrics[name] ?? 0), 0)]).toEqual([name, metrics[name]]);
	});

	test('that is unknown is empty', async () => {
		const { metrics } = await of('product_id=unheard+of');
		expect(metrics).toMatchObject({ totalSales: 0, totalRevenue: 0, salesTrend: { trend: 0, trendDirection: 'stable' } });
	});

	test('shows nothing about partners and links of other programs', async () => {
		const elsewhere = await aFunnel();
		for (const query of [`partner_id=${elsewhere.partnerId}`, `link_id=${await idOf(elsewhere.shortLink)}`]) {
			const { metrics, meta } = await of(query);
			expect([metrics.totalClicks, meta.filter?.label]).toEqual([0, null]);
			expect((await atInstant(NOW, () => readBreakdown(funnel, `by=partner&${query}`))).data).toEqual([]);
		}
	});

	test('keeps the results of an ended membership', async () => {
		const third = await atInstant(BEFORE, () => aPartner(funnel.owner, funnel.id));
		await visit({ country: 'FR', by: third });
		await atInstant(NOON + 2, () =>
			api(`/api/v1/programs/${funnel.id}/partners/${third.partnerId}`, { method: 'DELETE', token: funnel.owner.token }),
		);
		expect((await of(`partner_id=${third.partnerId}`)).metrics.totalClicks).toBe(1);
	});
});

describe('the previous days', () => {
	test('are sent on request, index by index, and are the basis of the trends', async () => {
		const { data, previous, metrics, meta } = await of('compare=previous');
		expect(previous?.data.map(({ date }) => date)).toEqual([2, 1, 0, -1, -2, -3, -4].map((ago) => dayAgo(ago + 7 + 4)));
		expect(data).toHaveLength(previous?.data.length ?? 0);
		expect(previous?.metrics).toMatchObject({ totalSales: 1, totalRevenue: 50, totalLeads: 0 });
		expect(metrics.revenueTrend).toEqual({ trend: 500, trendDirection: 'up' });
		expect(meta).toMatchObject({ filter: null, previousPeriod: { dateFrom: '2026-04-26T00:00:00.000Z' } });
	});

	test('are filtered too', async () => {
		const { previous, metrics } = await of('country=DE&compare=previous');
		expect(previous?.metrics).toMatchObject({ totalSales: 1, totalRevenue: 50, totalLeads: null });
		expect(metrics.revenueTrend).toEqual(UP);
	});

	test.each([
		['last month', '2028-02-01', '2028-02-29', '2028-01-03'],
		['last year', '2027-01-01', '2027-12-31', '2026-01-01'],
		['this month so far', '2028-03-01', '2028-03-26', '2028-02-04'],
		['this year so far', '2028-01-01', '2028-03-26', '2027-10-07'],
		['a custom range', '2028-03-25', '2028-03-27', '2028-03-22'],
	])("%s, from %s to %s in the program's zone", async (_name, first, last, firstBefore) => {
		const far = await aFunnel({ time_zone: 'Europe/Berlin' });
		const { data, previous, meta } = await readDetailed(far, `dateFrom=${first}&dateTo=${last}&compare=previous`);
		expect([data.at(0)?.date, data.at(-1)?.date, previous?.data.at(0)?.date]).toEqual([first, last, firstBefore]);
		expect(previous?.data).toHaveLength(data.length);
		const midnight = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Berlin', dateStyle: 'short', timeStyle: 'medium' });
		const [from, to] = [meta.dateFrom, meta.dateTo].map((instant) => midnight.format(Date.parse(instant)));
		expect([from, to]).toEqual([`${first} 00:00:00`, `${last} 23:59:59`]);
	});
});

function dayAgo(days: number): string {
	return new Date(NOON - days * DAY_MS).toISOString().slice(0, 10);
}

describe('breakdowns', () => {
	test('accept a filter of their own dimension', async () => {
		const { data, meta } = await atInstant(NOW, () => readBreakdown(funnel, 'by=country&country=DE'));
		expect(data).toMatchObject([{ value: 'DE', clicks: 2, leads: 1, sales: 1, revenue: 100 }]);
		expect(meta).toMatchObject({ by: 'country', filter: { by: 'country', value: 'DE', label: 'DE' } });
	});

	test('of links and partners filter each other', async () => {
		expect((await by(`by=link&partner_id=${second.partnerId}`)).data).toMatchObject([{ value: links.second, clicks: 2, sales: 2 }]);
		expect((await by(`by=partner&link_id=${links.second}`)).data).toMatchObject([{ value: second.partnerId, clicks: 2, sales: 2 }]);
	});

	test.each([
		['by=country&partner_id=1', 'by=country cannot be combined with partner_id: figures are kept for only one of them at a time'],
		['by=product&source=t.co', 'by=product cannot be combined with source: figures are kept for only one of them at a time'],
		['by=link&country=DE', 'by=link cannot be combined with country: figures are kept for only one of them at a time'],
	])('refuse other filters: %s', async (query, message) => expect(await errorOf(query)).toEqual([400, message]));
});

const csv = async (query: string) => {
	const { text, headers } = await ask(query, funnel.owner.token, { Accept: 'text/csv' });
	const [header = '', ...lines] = text.trimEnd().split('\r\n');
	return { header: header.split(','), lines: lines.map((line) => line.split(',')), name: headers.get('Content-Disposition') };
};

describe('CSV', () => {
	const names = [
		'date',
		'clicks',
		'leads',
		'conversions',
		'partners',
		'totalSales',
		'revenue',
		'netRevenue',
		'commission',
		'netCommission',
	] as const;

	test('has the metrics of the JSON, day by day', async () => {
		const query = `partner_id=${second.partnerId}&compare=previous`;
		const { header, lines, name } = await csv(query);
		const { data, previous } = await of(query);
		const eur = ['totalSales_EUR', 'revenue_EUR', 'netRevenue_EUR', 'commission_EUR', 'netCommission_EUR'];
		expect(header).toEqual([...names, ...eur, ...[...names, ...eur].map((column) => `previous_${column}`)]);
		const lineOf = (day: (typeof data)[number]) => [
			...names.map((column) => String(day[column] ?? '')),
			...(['totalSales', 'revenue', 'netRevenue', 'commission', 'netCommission'] as const).map((column) =>
				String(day.currencies?.['EUR']?.[column] ?? 0),
			),
		];
		expect(lines).toEqual(data.map((day, index) => [day, previous?.data[index]].flatMap((each) => (each ? lineOf(each) : []))));
		expect(name).toBe(`attachment; filename="performance-${funnel.id}-of-one-partner.csv"`);
	});

	test('leaves unknown values empty', async () => {
		const { header, lines } = await csv('product_id=pro');
		expect(header).toEqual(names);
		expect(lines.at(-1)).toEqual([dayAgo(0), '', '', '', '', '2', '300', '250', '60', '50']);
	});
});

describe('a wrong filter is a 400', () => {
	test.each([
		['partner_id=1&country=DE', 'Send either partner_id or country: a report has only one filter'],
		['by=link&link_id=1&source=t.co', 'Send either link_id or source: a report has only one filter'],
		['partner_id=0', 'partner_id must be a positive integer'],
		['link_id=x', 'link_id must be a positive integer'],
		['country=Germany', 'country must be the two letters of a country, such as DE'],
		['product_id=%00', 'product_id must not contain control characters'],
		['compare=last', 'compare must be previous, last_year or custom'],
		['compare=custom', 'compare=custom needs compare_from, the first day to compare with'],
		['compare=custom&compare_from=2026-01-31T12:00:00Z', 'compare_from must be an ISO 8601 date (2026-01-31)'],
		['compare=custom&compare_from=1969-12-31', 'compare_from must be from 1970 to 2999'],
		['compare=previous&match_weekdays=yes', 'match_weekdays must be true or false'],
	])('%s', async (query, message) => expect(await errorOf(query)).toEqual([400, message]));

	test('but an empty one is ignored', async () => {
		const { status, text } = await ask('partner_id=&country=&compare=');
		expect([status, Object.keys(JSON.parse(text))]).toEqual([200, ['data', 'metrics', 'meta']]);
	});

	test.each(['country=DE', 'partner_id=1&country=DE', 'compare=nonsense', 'by=country&link_id=1'])(
		'after the access check: %s',
		async (query) => {
			const [stranger, member] = [await signUp(), await aMember(funnel.owner, 'member')];
			expect((await askReport(funnel.id, `?${query}`)).status).toBe(401);
			expect((await askReport(funnel.id, `?${query}`, stranger.token)).status).toBe(403);
			expect((await askReport(funnel.id, `?${query}`, member.token)).status).toBe(query === 'country=DE' ? 200 : 400);
		},
	);
});
