import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, test } from 'vitest';
import { DAY_MS } from '../../src/domain/calendar.ts';
import { countingTrips, metered } from '../../testing/d1/metered.ts';
import { aFunnel, type Funnel, rows } from '../support/funnel.ts';
import { aLeadAlone, clicksAt, readReport, readReportWith } from '../support/report.ts';
import { applyWaiting, countWaiting } from '../support/effects.ts';

// How many rows and trips a report costs, for any number of clicks.

const DAYS = 400;
const NOW = Date.now();
const dayAgo = (days: number) => new Date(NOW - days * DAY_MS).toISOString().slice(0, 10);

describe('a program of 400 days', () => {
	let funnel: Funnel;
	beforeAll(async () => {
		funnel = await aFunnel();
		await applyWaiting(funnel);
		await rows('UPDATE programs SET created_at = ? WHERE id = ?', NOW - DAYS * DAY_MS, funnel.id);
		await rows(
			`INSERT INTO daily_performance (program_id, day, currency, clicks, sales, revenue_cents)
			SELECT ?1, value, 'USD', 1000, 3, 100 FROM json_each(?2) WHERE true ON CONFLICT DO NOTHING`,
			funnel.id,
			JSON.stringify(Array.from({ length: DAYS + 1 }, (_, index) => dayAgo(index))),
		);
	});

	test.each([
		['?period=7d', 7],
		['?period=30d', 30],
		['?period=90d', 90],
		[`?dateFrom=${dayAgo(20)}&dateTo=${dayAgo(1)}`, 20],
		[`?dateFrom=${dayAgo(20)}T12:00:00Z&dateTo=${dayAgo(1)}T12:00:00Z`, 20],
		['?period=all', DAYS + 1],
	])('%s reads at most 2 rows per day, and 14, in one trip', async (query, days) => {
		const DB = metered(env.DB);
		const { data } = await readReportWith({ DB }, funnel, query);
		expect(data).toHaveLength(days);
		const { trips, rowsRead } = DB.spent();
		expect(trips).toBe(1);
		expect(rowsRead).toBeLessThanOrEqual(2 * days + 14);
	});

	test('is read in one trip by the measure of the other budgets', async () => {
		const DB = countingTrips(env.DB);
		await readReportWith({ DB }, funnel, '?period=all');
		expect(DB.trips()).toBe(1);
	});

	test('reads nothing for strangers', async () => {
		const DB = metered(env.DB);
		await readReportWith({ DB }, { ...funnel, owner: { ...funnel.owner, token: 'nonsense' } }, '?period=all');
		expect(DB.spent().rowsRead).toBeLessThanOrEqual(5);
	});
});

test('a report reads the same on a busy day as on a quiet one', async () => {
	const funnel = await aFunnel();
	const spent = async () => {
		const DB = metered(env.DB);
		await readReportWith({ DB }, funnel, '?period=7d');
		return DB.spent();
	};
	const quiet = await spent();
	await Promise.all([0, 1, 2, 3].map((hour) => clicksAt(funnel, `${dayAgo(0)}T0${hour}:00:00.000Z`, 100)));
	expect((await readReport(funnel)).metrics.totalClicks).toBe(400);
	expect(await spent()).toEqual(quiet);
});

describe('a breakdown over 400 days with 5 values a day', () => {
	let funnel: Funnel;
	const VALUES = 5;
	beforeAll(async () => {
		funnel = await aFunnel();
		await applyWaiting(funnel);
		await rows('UPDATE programs SET created_at = ? WHERE id = ?', NOW - DAYS * DAY_MS, funnel.id);
		await rows(
			`INSERT INTO daily_breakdown (program_id, dimension, day, value, currency, clicks, sales, revenue_cents)
			SELECT ?1, dimension.value, days.value, printf('%d', v.value), 'USD', 1000, 3, v.value
			FROM json_each('["link", "country", "source"]') dimension, json_each(?2) days, json_each('[1, 2, 3, 4, 5]') v`,
			funnel.id,
			JSON.stringify(Array.from({ length: DAYS }, (_, index) => dayAgo(index))),
		);
		await rows(
			`INSERT INTO daily_performance (program_id, day, currency, clicks, sales, revenue_cents)
			SELECT ?1, value, 'USD', 5000, 15, 15 FROM json_each(?2) WHERE true
			ON CONFLICT DO UPDATE SET clicks = 5000, sales = 15, revenue_cents = 15`,
			funnel.id,
			JSON.stringify(Array.from({ length: DAYS }, (_, index) => dayAgo(index))),
		);
	});

	test.each([
		['?by=country&period=7d', 7],
		['?by=country&period=90d', 90],
		['?by=link&period=30d', 30],
		['?by=source&limit=2&period=all', DAYS],
		[`?by=source&dateFrom=${dayAgo(20)}&dateTo=${dayAgo(1)}`, 20],
	])('%s reads only the rows of its dimension and days, and the days themselves, in one trip', async (query, days) => {
		const DB = metered(env.DB);
		const { data } = await readReportWith({ DB }, funnel, query);
		expect(data).toHaveLength(query.includes('limit') ? 2 : VALUES);
		const { trips, rowsRead } = DB.spent();
		expect(trips).toBe(1);
		// Each row is read from the table and again from the sorter, including the day totals for rows without a value. The days with data
		// are found first, because whole months are read as months.
		expect(rowsRead).toBeLessThanOrEqual(2 * days * (VALUES + 3) + 61);
	});

	test.each([
		['?source=3&period=7d', 14],
		['?link_id=3&period=90d&compare=previous', 180],
		['?source=3&period=all', DAYS],
		[`?source=3&dateFrom=${dayAgo(20)}&dateTo=${dayAgo(1)}`, 40],
		['?by=source&source=3&period=90d', 90],
		['?by=partner&link_id=3&period=90d', 90],
	])('%s reads the rows of the value in one trip, for any number of other values', async (query, days) => {
		const DB = metered(env.DB);
		await readReportWith({ DB }, funnel, query);
		const { trips, rowsRead } = DB.spent();
		expect(trips).toBe(1);
		expect(rowsRead).toBeGreaterThan(days);
		// Each day costs its row and the next one, each read more than once. That is fewer than a breakdown by the dimension reads.
		expect(rowsRead).toBeLessThanOrEqual(5 * days + 30);
	});

	test('makes a second trip once if the zone has another day than UTC', async () => {
		// At any time, it is a different day than in UTC in one of these two zones.
		const zones = ['Pacific/Kiritimati', 'Pacific/Pago_Pago'];
		const trips = await Promise.all(
			zones.map(async (time_zone) => {
				const far = await aFunnel({ time_zone });
				const DB = metered(env.DB);
				await readReportWith({ DB }, far, '?by=link');
				const first = DB.spent().trips;
				await readReportWith({ DB }, far, '?by=link');
				return [first, DB.spent().trips - first];
			}),
		);
		expect(trips.map(([, second]) => second)).toEqual([1, 1]);
		expect(Math.max(...trips.map(([first]) => first ?? 0))).toBe(2);
	});

	test('reads nothing for strangers', async () => {
		const DB = metered(env.DB);
		for (const query of ['?by=country&period=all', '?source=3&period=all', '?by=link&partner_id=1'])
			await readReportWith({ DB }, { ...funnel, owner: { ...funnel.owner, token: 'nonsense' } }, query);
		expect(DB.spent().rowsRead).toBeLessThanOrEqual(3 * 5);
	});
});

test('the report of a partner reads the rows of its links', async () => {
	const funnel = await aFunnel();
	await rows(
		`INSERT INTO daily_breakdown (program_id, dimension, day, value, currency, clicks)
		SELECT program_id, 'link', days.value, cast(referral_links.id AS TEXT), 'USD', 7 FROM referral_links, json_each(?2) days WHERE program_id = ?1`,
		funnel.id,
		JSON.stringify([dayAgo(0), dayAgo(1), dayAgo(12)]),
	);
	await rows(
		"INSERT INTO daily_performance (program_id, day, currency, clicks) SELECT ?1, value, 'USD', 9 FROM json_each(?2) WHERE true ON CONFLICT DO NOTHING",
		funnel.id,
		JSON.stringify(Array.from({ length: 14 }, (_, index) => dayAgo(index))),
	);
	const DB = metered(env.DB);
	const { metrics } = await readReportWith({ DB }, funnel, `?partner_id=${funnel.partnerId}&period=7d`);
	expect(metrics).toMatchObject({ totalClicks: 14, totalPartners: null, clicksTrend: { trend: 100, trendDirection: 'up' } });
	expect(DB.spent().rowsRead).toBeLessThanOrEqual(5 * 14 + 30);
});

test.each([
	['the report', '?period=7d', 2],
	['the breakdown', '?by=country&period=7d', 6],
	['the report of a value', '?country=DE&period=7d', 6],
])('%s reads a few rows for each waiting operation', async (_what, query, rowsEach) => {
	const funnel = await aFunnel();
	await aLeadAlone(funnel);
	await applyWaiting(funnel);
	const rowsRead = async () => {
		const DB = metered(env.DB);
		await readReportWith({ DB }, funnel, query);
		return DB.spent().rowsRead;
	};
	const read = await rowsRead();
	for (let made = 0; made < 20; made += 1) await aLeadAlone(funnel);
	expect(await countWaiting(funnel)).toBe(20);
	expect((await rowsRead()) - read).toBeLessThanOrEqual(20 * rowsEach);
});
