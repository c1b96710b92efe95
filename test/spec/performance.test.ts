import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, test } from 'vitest';
import { atInstant } from '../support/at-instant.ts';
import { aFunnel, aSale, aPartner, type Funnel, sharedOwner, track } from '../support/funnel.ts';
import { aClickJob, aLeadAlone, askReport, clicksAt, deliverClicks, readReport, type Report } from '../support/report.ts';
import { aProgram, api, type Owner, unique } from '../support/world.ts';

// Contract, 4.7 and 7; decisions 22 to 26.

const at = (instant: string) => Date.parse(instant);
const noon = (day: string) => at(`${day}T12:00:00Z`);
const emptyDay = (day: string) => ({
	date: day,
	period: day,
	clicks: 0,
	leads: 0,
	conversions: 0,
	revenue: 0,
	partners: 0,
	sales: 0,
	commission: 0,
});
const reportAt = (instant: string, funnel: Pick<Funnel, 'id' | 'owner'>, query = '') =>
	atInstant(at(instant), () => readReport(funnel, query));
const funnelOf = (created: string, overrides: Record<string, unknown> = {}) => atInstant(at(created), () => aFunnel(overrides));
const daysOf = (report: Report) => [report.data.at(0)?.date, report.data.at(-1)?.date, report.data.length];

let owner: Owner;
beforeAll(async () => {
	owner = await sharedOwner();
	// The session must still be valid in 2028.
	await env.DB.prepare('UPDATE sessions SET expires_at = ? WHERE user_id = ?')
		.bind(Date.UTC(2030, 0, 1), owner.userId)
		.run();
});

describe('a week over a leap day, calculated by hand', () => {
	let funnel: Funnel;
	// Today is 2028-03-03. The range is 2028-02-26 to 03-03, and the one before is 02-19 to 02-25.
	const NOW = '2028-03-03T15:00:00Z';

	beforeAll(async () => {
		funnel = await funnelOf('2028-02-20T08:00:00Z');
		await clicksAt(funnel, '2028-02-25T23:59:59.990Z', 4);
		await clicksAt(funnel, '2028-02-26T00:00:00.000Z', 3);
		await clicksAt(funnel, '2028-02-29T10:00:00.000Z', 17);
		await clicksAt(funnel, '2028-03-04T00:00:00.000Z', 9);
		// These leads' clicks are delivered on other days, so they do not count among the clicks above.
		const early = await atInstant(noon('2028-02-21'), () => aLeadAlone(funnel));
		await atInstant(noon('2028-02-21'), () => aSale(funnel, { customer_key: early, amount_cents: 5_000 }));
		const [first, second] = await atInstant(noon('2028-02-28'), () => Promise.all([aLeadAlone(funnel), aLeadAlone(funnel)]));
		await atInstant(noon('2028-02-28'), () => aLeadAlone(funnel));
		await atInstant(noon('2028-02-29'), () => aSale(funnel, { customer_key: first, amount_cents: 1_999 }));
		await atInstant(noon('2028-03-01'), () => aSale(funnel, { customer_key: first, amount_cents: 3_333 }));
		const sold = await atInstant(noon('2028-03-03'), () => aSale(funnel, { customer_key: second, amount_cents: 2_001 }));
		await atInstant(noon('2028-03-03'), () => aPartner(owner, funnel.id));
		await atInstant(noon('2028-03-03'), () =>
			track('refund', { transaction_id: sold.transactionId, refund_amount_cents: 1_000 }, funnel.apiToken),
		);
	});

	test('data has one row per day', async () => {
		const { data } = await reportAt(NOW, funnel);
		expect(data).toEqual([
			{ ...emptyDay('2028-02-26'), clicks: 3 },
			emptyDay('2028-02-27'),
			{ ...emptyDay('2028-02-28'), leads: 3 },
			{ ...emptyDay('2028-02-29'), clicks: 17, conversions: 1, revenue: 19.99, commission: 4 },
			{ ...emptyDay('2028-03-01'), revenue: 33.33, commission: 6.67 },
			emptyDay('2028-03-02'),
			{ ...emptyDay('2028-03-03'), conversions: 1, revenue: 20.01, commission: 4, partners: 1 },
		]);
	});

	test('metrics add them up and compare', async () => {
		const { metrics } = await reportAt(NOW, funnel);
		expect(metrics).toEqual({
			totalClicks: 20,
			totalLeads: 1,
			totalSignups: 3,
			totalConversions: 2,
			totalRevenue: 73.33,
			netRevenue: 63.33,
			// 2 / 20
			conversionRate: 10,
			// 73.33 / 2 = 36.665
			averageOrderValue: 36.67,
			// 73.33 / 3
			averageSaleValues: { USD: 24.44 },
			totalPartners: 1,
			totalSales: 3,
			totalPartnersCommission: 14.67,
			// 10.00 of 20.01 were refunded: 4.00 x 10.00 / 20.01 = 1.999 of its commission.
			netCommission: 12.67,
			currencies: {},
			clicksTrend: { trend: 400, trendDirection: 'up' },
			// The previous week's lead has since become a conversion.
			leadsTrend: { trend: 100, trendDirection: 'up' },
			conversionsTrend: { trend: 100, trendDirection: 'up' },
			// 50.00 -> 73.33: 46.66 %
			revenueTrend: { trend: 46.7, trendDirection: 'up' },
			partnersTrend: { trend: 0, trendDirection: 'stable' },
			salesTrend: { trend: 200, trendDirection: 'up' },
			// 10.00 -> 14.67: 46.7 %
			commissionTrend: { trend: 46.7, trendDirection: 'up' },
		});
	});

	test('meta names the range and the one it is compared with', async () => {
		const { meta } = await reportAt(NOW, funnel);
		expect(meta).toEqual({
			period: '7d',
			dateFrom: '2028-02-26T00:00:00.000Z',
			dateTo: '2028-03-03T23:59:59.999Z',
			previousPeriod: { dateFrom: '2028-02-19T00:00:00.000Z', dateTo: '2028-02-25T23:59:59.999Z' },
		});
	});

	test('has the fields of the contract and the additions, and nothing else', async () => {
		const report = await reportAt(NOW, funnel);
		expect(Object.keys(report)).toEqual(['data', 'metrics', 'meta']);
	});

	test('as CSV it contains the rows of data', async () => {
		const { status, headers, text } = await atInstant(at(NOW), () => askReport(funnel.id, '', owner.token, { Accept: 'text/csv' }));
		expect([status, headers.get('Content-Type')]).toEqual([200, 'text/csv; charset=utf-8; header=present']);
		expect(text.split('\r\n').slice(0, 5)).toEqual([
			'date,clicks,leads,conversions,revenue,partners,sales,commission',
			'2028-02-26,3,0,0,0,0,0,0',
			'2028-02-27,0,0,0,0,0,0,0',
			'2028-02-28,0,3,0,0,0,0,0',
			'2028-02-29,17,0,1,19.99,0,0,4',
		]);
		expect(text.trimEnd().split('\r\n')).toHaveLength(8);
	});
});

test('without any events every figure is 0 and stable', async () => {
	const program = await atInstant(noon('2026-01-01'), () => aProgram(owner));
	const { data, metrics } = await reportAt('2026-06-15T12:00:00Z', { ...program, owner }, '?period=30d');
	expect(data).toHaveLength(30);
	expect(data.every((row) => Object.values(row).every((value) => value === 0 || value === row.date))).toBe(true);
	const stable = { trend: 0, trendDirection: 'stable' };
	for (const [name, value] of Object.entries(metrics))
		expect(value, name).toEqual(name === 'currencies' || name === 'averageSaleValues' ? {} : name.endsWith('Trend') ? stable : 0);
});

describe('the range', () => {
	let funnel: Funnel;
	beforeAll(async () => {
		funnel = await funnelOf('2026-11-20T10:00:00Z');
	});

	test.each([
		['', '2027-01-03T12:00:00Z', '2026-12-28', '2027-01-03', 7],
		['?period=7d', '2027-03-02T00:00:00Z', '2027-02-24', '2027-03-02', 7],
		['?period=30d', '2027-03-31T23:59:59Z', '2027-03-02', '2027-03-31', 30],
		['?period=90d', '2027-03-31T12:00:00Z', '2027-01-01', '2027-03-31', 90],
		['?period=all', '2027-01-03T12:00:00Z', '2026-11-20', '2027-01-03', 45],
		['?dateFrom=2026-12-30&dateTo=2027-01-02', '2027-01-03T12:00:00Z', '2026-12-30', '2027-01-02', 4],
		[
			'?dateFrom=2026-12-30T00:00:00.000Z&dateTo=2027-01-02T23:59:59.999Z&period=all',
			'2027-01-03T12:00:00Z',
			'2026-12-30',
			'2027-01-02',
			4,
		],
		['?dateFrom=2026-12-30T23:00:00-05:00&dateTo=2027-01-02', '2027-01-03T12:00:00Z', '2026-12-31', '2027-01-02', 3],
		['?dateFrom=2027-01-03&dateTo=2027-01-03', '2027-01-03T12:00:00Z', '2027-01-03', '2027-01-03', 1],
		['?dateFrom=2017-01-03&dateTo=2027-01-03', '2027-01-03T12:00:00Z', '2017-01-03', '2027-01-03', 3653],
		['?dateFrom=2026-12-30', '2027-01-03T12:00:00Z', '2026-12-28', '2027-01-03', 7],
		['?dateTo=nonsense&period=30d', '2027-01-03T12:00:00Z', '2026-12-05', '2027-01-03', 30],
	])('%j requested at %s is %s to %s', async (query, now, first, last, count) => {
		const report = await reportAt(now, funnel, query);
		expect(daysOf(report)).toEqual([first, last, count]);
		expect(report.meta.period).toBe(/period=(\w+)/.exec(query)?.[1] ?? '7d');
		const [from, to, previousFrom, previousTo] = [
			report.meta.dateFrom,
			report.meta.dateTo,
			report.meta.previousPeriod.dateFrom,
			report.meta.previousPeriod.dateTo,
		].map(at);
		expect([from, to]).toEqual([at(`${first}T00:00:00Z`), at(`${last}T23:59:59.999Z`)]);
		expect(previousTo).toBe(Number(from) - 1);
		expect(Number(previousTo) - Number(previousFrom)).toBe(Number(to) - Number(from));
	});

	test('all starts with the first event if that is earlier than the program', async () => {
		const imported = await funnelOf('2026-11-20T10:00:00Z');
		await clicksAt(imported, '2026-10-31T12:00:00.000Z', 2);
		const report = await reportAt('2026-11-21T12:00:00Z', imported, '?period=all');
		expect(daysOf(report)).toEqual(['2026-10-31', '2026-11-21', 22]);
		expect(report.metrics.totalClicks).toBe(2);
	});

	test('a period beside both dates is ignored, even an invalid one', async () => {
		const { status, text } = await askReport(funnel.id, '?period=ALL&dateFrom=2027-01-01&dateTo=2027-01-02', owner.token);
		expect([status, JSON.parse(text).meta.period]).toEqual([200, '7d']);
	});

	test.each([
		['?period=8d', 'period must be 7d, 30d, 90d or all'],
		['?period=ALL&dateFrom=2027-01-01', 'period must be 7d, 30d, 90d or all'],
		['?dateFrom=yesterday&dateTo=2027-01-02', /^dateFrom must be an ISO 8601 date/],
		['?dateFrom=2027-01-01&dateTo=2027-02-30', /^dateTo must be an ISO 8601 date/],
		['?from=yesterday&to=2027-01-02', /^from must be an ISO 8601 date/],
		['?from=2027-01-01&dateTo=2027-02-30', /^dateTo must be an ISO 8601 date/],
		['?dateFrom=2027-01-01T00&dateTo=2027-01-02', /^dateFrom must be an ISO 8601 date/],
		['?from=2027-01-03&to=2027-01-02', 'dateFrom must not be after dateTo'],
		['?dateFrom=2027-01-03&dateTo=2027-01-02', 'dateFrom must not be after dateTo'],
		['?dateFrom=2017-01-01&dateTo=2027-01-02', 'dateTo must be at most 10 years after dateFrom'],
		['?dateFrom=0001-01-01&dateTo=2027-01-02', 'dateFrom must be from 1970 to 2999'],
	])('%s is refused', async (query, error) => {
		const { status, text } = await askReport(funnel.id, query, owner.token);
		expect([status, JSON.parse(text)]).toEqual([400, { error: error instanceof RegExp ? expect.stringMatching(error) : error }]);
	});
});

describe("days are the program's days", () => {
	test.each([
		// Clocks go forward on 2026-03-08 (23 hours) and back on 2026-11-01 (25 hours).
		['America/New_York', '2026-03-09T03:59:59.999Z', '2026-03-08', '2026-03-02T05:00:00.000Z', '2026-03-09T03:59:59.999Z'],
		['America/New_York', '2026-11-02T04:59:59.999Z', '2026-11-01', '2026-10-26T04:00:00.000Z', '2026-11-02T04:59:59.999Z'],
		['Asia/Kathmandu', '2026-01-01T18:14:59.999Z', '2026-01-01', '2025-12-25T18:15:00.000Z', '2026-01-01T18:14:59.999Z'],
		['Pacific/Kiritimati', '2026-12-31T10:00:00.000Z', '2027-01-01', '2026-12-25T10:00:00.000Z', '2027-01-01T09:59:59.999Z'],
	])('in %s %s is still or already %s', async (zone, now, today, dateFrom, dateTo) => {
		const funnel = await atInstant(at(now), () => aFunnel({ time_zone: zone }));
		await atInstant(at(now), async () => {
			await deliverClicks([await aClickJob(funnel, at(now))]);
			await aSale(funnel, { customer_key: await aLeadAlone(funnel), amount_cents: 100 });
		});
		const { data, meta } = await reportAt(now, funnel);
		expect(meta).toMatchObject({ dateFrom, dateTo });
		expect(data.at(-1)).toEqual({ ...emptyDay(today), clicks: 1, leads: 1, conversions: 1, revenue: 1, commission: 0.2, partners: 1 });
		expect(data).toHaveLength(7);
	});

	test('days on which partners joined move too if the zone changes before the first event', async () => {
		const now = '2026-05-01T23:00:00Z';
		const funnel = await funnelOf(now);
		expect((await reportAt(now, funnel)).data.at(-1)).toEqual({ ...emptyDay('2026-05-01'), partners: 1 });
		await atInstant(at(now), () =>
			api(`/api/v1/programs/${funnel.id}`, { method: 'PATCH', token: owner.token, body: { time_zone: 'Asia/Tokyo' } }),
		);
		const { data, metrics } = await reportAt(now, funnel);
		expect(data.slice(-2)).toEqual([emptyDay('2026-05-01'), { ...emptyDay('2026-05-02'), partners: 1 }]);
		expect(metrics.totalPartners).toBe(1);
	});
});

test('test records and bots are not counted', async () => {
	const funnel = await funnelOf('2026-05-01T10:00:00Z');
	const before = await reportAt('2026-05-02T12:00:00Z', funnel);
	await atInstant(noon('2026-05-02'), async () => {
		const additional_data = { test_mode: true };
		await track('click', { affiliate_url: `https://shop.example/?aff=${funnel.shortLink}`, additional_data });
		await track('lead', { customer_key: unique('test'), additional_data }, funnel.apiToken);
		await track('sale', { transaction_id: unique('test'), amount_cents: 100, additional_data }, funnel.apiToken);
		await deliverClicks([
			await aClickJob(funnel, Date.parse('2026-05-02T12:00:00Z'), { isBot: true }),
			await aClickJob(funnel, Date.parse('2026-05-02T12:00:00Z'), { isTest: true }),
		]);
	});
	expect(await reportAt('2026-05-02T12:00:00Z', funnel)).toEqual(before);
});
