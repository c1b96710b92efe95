import fc from 'fast-check';
import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { openDatabase } from '../../src/db/client.ts';
import { DAY_MS } from '../../src/domain/calendar.ts';
import { SOURCES_PER_DAY } from '../../src/domain/attribution/source.ts';
import type { ClickJob } from '../../src/job.ts';
import { rollUpDay } from '../../src/reporting/roll-up-day.ts';
import { storeClicks } from '../../src/clicks/store-clicks.ts';
import { atInstant } from '../support/at-instant.ts';
import { contextAt, mintClickId } from '../support/clock.ts';
import { metered } from '../../testing/d1/metered.ts';
import { aFunnel, type Funnel, rows, keepSignedIn, track } from '../support/funnel.ts';
import { aClickJob, deliverClicks, readBreakdown } from '../support/report.ts';
import { unique } from '../support/world.ts';

// The number of sources per day is limited, because anyone can make them up.

const NOON = Date.parse('2026-05-02T12:00:00Z');
const DAYS = ['2026-05-01', '2026-05-02'];

beforeAll(async () => {
	await keepSignedIn();
});

const aWorld = () => atInstant(NOON - 2 * DAY_MS, () => aFunnel());
const from = (funnel: Funnel, host: string | null, { at = NOON, ...fields }: { at?: number; isBot?: boolean } = {}) =>
	aClickJob(funnel, at, { referrerUrl: host === null ? null : `https://${host}/`, ...fields });

/** Each click comes from a new host. */
async function manyFrom(funnel: Funnel, count: number, first = 0): Promise<ClickJob[]> {
	const one = await from(funnel, null);
	return Promise.all(
		Array.from({ length: count }, async (_, index) => {
			const clickedAt = NOON + first + index;
			const clickId = await mintClickId(one.referralLinkId, { clickedAt });
			return { ...one, clickId, clickedAt, referrerUrl: `https://x${first + index}.example/` };
		}),
	);
}

/** Stores clicks together, with this limit of sources. */
async function store(limit: number, jobs: readonly ClickJob[]): Promise<void> {
	const ctx = contextAt(NOON);
	await storeClicks({ ...ctx, settings: { ...ctx.settings, sourcesPerDay: limit } }, jobs);
}

async function clicksBySource(funnel: Funnel, day = '2026-05-02'): Promise<Record<string, number>> {
	const found = await rows<{ value: string; clicks: number }>(
		"SELECT value, clicks FROM daily_breakdown WHERE program_id = ? AND dimension = 'source' AND day = ? AND clicks > 0",
		funnel.id,
		day,
	);
	return Object.fromEntries(found.map(({ value, clicks }) => [value, clicks]));
}

async function drift(funnel: Funnel): Promise<number> {
	let drifted = 0;
	for (const day of DAYS) drifted += await rollUpDay(contextAt(NOON), { id: funnel.id, timeZone: 'UTC' }, day);
	return drifted;
}

describe('the sources of a day', () => {
	test('are separate up to the limit; later ones count as other', async () => {
		const funnel = await aWorld();
		await store(2, [await from(funnel, 'a.example'), await from(funnel, null)]);
		await store(2, [await from(funnel, 'b.example'), await from(funnel, 'b.example'), await from(funnel, 'c.example')]);
		await store(2, [await from(funnel, 'd.example'), await from(funnel, 'a.example'), await from(funnel, null)]);
		expect(await clicksBySource(funnel)).toEqual({ 'a.example': 2, 'b.example': 2, other: 2 });
		const { data } = await atInstant(NOON, () => readBreakdown(funnel, 'by=source'));
		expect(data.find(({ value }) => value === null)?.clicks).toBe(2);
		expect(await drift(funnel)).toBe(0);
	});

	test('are counted per day and program', async () => {
		const [funnel, second] = [await aWorld(), await aWorld()];
		await store(1, [
			await from(funnel, 'a.example'),
			await from(funnel, 'b.example', { at: NOON - DAY_MS }),
			await from(second, 'c.example'),
		]);
		await store(1, [await from(funnel, 'b.example'), await from(second, 'a.example')]);
		expect([await clicksBySource(funnel), await clicksBySource(funnel, '2026-05-01'), await clicksBySource(second)]).toEqual([
			{ 'a.example': 1, other: 1 },
			{ 'b.example': 1 },
			{ 'c.example': 1, other: 1 },
		]);
	});

	test('include a host named other under other', async () => {
		const funnel = await aWorld();
		await store(1, [await from(funnel, 'other')]);
		await store(1, [await from(funnel, 'a.example')]);
		expect(await clicksBySource(funnel)).toEqual({ other: 1, 'a.example': 1 });
		expect(await drift(funnel)).toBe(0);
	});

	test('assign a customer to the source that counted its click', async () => {
		const funnel = await aWorld();
		await store(1, [await from(funnel, 'a.example')]);
		const late = await from(funnel, 'late.example');
		const lead = (clickId: string) =>
			atInstant(NOON + 1, () => track('lead', { click_id: clickId, customer_key: unique('customer') }, funnel.apiToken));
		await lead(late.clickId);
		const early = await from(funnel, 'early.example');
		await store(1, [late, early]);
		await lead(early.clickId);
		const { data } = await atInstant(NOON + 2, () => readBreakdown(funnel, 'by=source'));
		expect(data.map(({ value, clicks, leads }) => [value, clicks, leads])).toEqual([
			['other', 2, 2],
			['a.example', 1, 0],
		]);
		expect(await drift(funnel)).toBe(0);
	});

	test('include no crawler, even with a customer', async () => {
		const funnel = await aWorld();
		const crawler = await from(funnel, 'made-up.example', { isBot: true });
		await store(1, [crawler]);
		await atInstant(NOON + 1, () => track('lead', { click_id: crawler.clickId, customer_key: unique('customer') }, funnel.apiToken));
		const { data } = await atInstant(NOON + 2, () => readBreakdown(funnel, 'by=source'));
		expect(data.map(({ value, leads }) => [value, leads])).toEqual([[null, 1]]);
	});

	test('fill no further rows if a visitor makes up a thousand', async () => {
		const funnel = await aWorld();
		for (let made = 0; made < SOURCES_PER_DAY + 50; made += 100) {
			await deliverClicks(await manyFrom(funnel, 100, made));
		}
		const { other, ...named } = await clicksBySource(funnel);
		expect([Object.keys(named).length, other]).toEqual([SOURCES_PER_DAY, 100]);
		expect(await drift(funnel)).toBe(0);
	});

	test("are read only if a click has one, and a new one reads at most the day's sources", async () => {
		const funnel = await aWorld();
		await deliverClicks(await manyFrom(funnel, 2));
		const spentOn = async (host: string | null) => {
			const DB = metered(env.DB);
			const job = await from(funnel, host);
			await storeClicks({ ...contextAt(NOON), db: openDatabase(DB) }, [job]);
			return DB.spent();
		};
		const [none, few] = [await spentOn(null), await spentOn('x1.example')];
		await deliverClicks(await manyFrom(funnel, 58, 2));
		const [known, fresh] = [await spentOn('x1.example'), await spentOn('fresh.example')];
		expect([none.trips, known.trips, fresh.trips]).toEqual([1, 1, 1]);
		expect(none.rowsRead).toBeLessThan(known.rowsRead);
		expect(known).toEqual(few);
		expect(fresh.rowsRead - known.rowsRead).toBeLessThanOrEqual(60 + 10);
	});
});

const host = fc.constantFrom(null, 'a.example', 'b.example', 'c.example', 'd.example', 'other');
const visit = fc.record({ host, daysAgo: fc.nat(1), isBot: fc.boolean(), leads: fc.boolean(), lands: fc.constantFrom('at once', 'late') });

test('for any deliveries the daily rows equal the clicks, and no day exceeds its limit', async () => {
	await fc.assert(
		fc.asyncProperty(fc.nat(3), fc.array(fc.array(visit, { minLength: 1, maxLength: 6 }), { maxLength: 6 }), async (limit, deliveries) => {
			const funnel = await aWorld();
			const told = new Map<string, string | null>();
			for (const visits of deliveries) {
				const jobs: ClickJob[] = [];
				for (const { host: name, daysAgo, isBot, leads, lands } of visits) {
					const job = await from(funnel, name, { at: NOON - daysAgo * DAY_MS, isBot });
					told.set(job.clickId, isBot ? null : name);
					if (lands === 'at once') await store(limit, [job]);
					else jobs.push(job);
					if (!leads) continue;
					await atInstant(NOON + 1, () => track('lead', { click_id: job.clickId, customer_key: unique('customer') }, funnel.apiToken));
				}
				await store(limit, [...jobs, ...jobs]);
			}
			const clicks = await rows<{ click_id: string; click_day: string; source: string | null; is_bot: number }>(
				'SELECT click_id, click_day, source, is_bot FROM affiliate_click_events WHERE program_id = ?',
				funnel.id,
			);
			for (const day of DAYS) {
				const ofDay = clicks.filter(({ click_day, is_bot }) => click_day === day && is_bot === 0);
				const counts: Record<string, number> = {};
				for (const { source } of ofDay) if (source !== null) counts[source] = (counts[source] ?? 0) + 1;
				expect(await clicksBySource(funnel, day)).toEqual(counts);
				const made = await rows<{ value: string }>(
					"SELECT value FROM daily_breakdown WHERE program_id = ? AND dimension = 'source' AND day = ? AND leads = 0 AND value <> 'other'",
					funnel.id,
					day,
				);
				expect(made.length).toBeLessThanOrEqual(limit);
			}
			for (const { click_id, source } of clicks) expect([told.get(click_id), 'other']).toContain(source);
			expect(await drift(funnel)).toBe(0);
		}),
		{ numRuns: inject('thorough') ? 25 : 10 },
	);
});
