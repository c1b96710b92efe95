import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { listClickFiles, readClickFile, type RetiredClick } from '../../src/clicks/click-files.ts';
import { retireClicks } from '../../src/clicks/retire-clicks.ts';
import type { Context } from '../../src/context.ts';
import { DAY_MS } from '../../src/domain/calendar.ts';
import { rollUpDay } from '../../src/reporting/roll-up-day.ts';
import { contextAt } from '../support/clock.ts';
import { aFunnel, type Funnel, rows, track } from '../support/funnel.ts';
import { aClickJob, deliverClicks } from '../support/report.ts';
import { figuresOf, passedUntil, storedIds } from '../support/retired.ts';
import { unique } from '../support/world.ts';

// The program and its clicks are always from May, whatever the date of the test.

const DAY = '2026-05-02';
const NOON = Date.parse(`${DAY}T12:00:00Z`);
const RETENTION_DAYS = 67;
/** The first instant at which the whole day may be retired. */
const EXPIRED = Date.parse('2026-05-03T00:00:00Z') + RETENTION_DAYS * DAY_MS;

test('old clicks go from the table into a file, and no figure changes', async () => {
	const funnel = await aKeeper();
	const jobs = await clicksOf(funnel, 5);
	const before = await figuresOf(funnel);
	expect(await retire(contextAt(EXPIRED))).toBe(5);
	expect(await storedIds(funnel)).toEqual([]);
	expect((await filedClicks(funnel)).map(({ clickId }) => clickId)).toEqual(jobs.map(({ clickId }) => clickId));
	expect(await rollUpDay(contextAt(EXPIRED), { id: funnel.id, timeZone: 'UTC' }, DAY)).toBe(0);
	expect(await figuresOf(funnel)).toEqual(before);
});

test('a click is kept for the whole of its last day', async () => {
	const funnel = await aKeeper();
	await clicksOf(funnel, 1);
	expect(await retire(contextAt(EXPIRED - 1))).toBe(0);
	expect(await storedIds(funnel)).toHaveLength(1);
});

test('clicks of customers stay', async () => {
	const funnel = await aKeeper();
	const [customers, other] = await clicksOf(funnel, 2);
	await track('lead', { click_id: customers?.clickId, customer_key: unique('customer') }, funnel.apiToken);
	await retire(contextAt(EXPIRED));
	expect(await storedIds(funnel)).toEqual([customers?.clickId]);
	expect((await filedClicks(funnel)).map(({ clickId }) => clickId)).toEqual([other?.clickId]);
});

test('a click that becomes a customer’s while its file is written stays in the table, and the next tick files the others', async () => {
	const funnel = await aKeeper();
	const [job, other] = await clicksOf(funnel, 2);
	const ctx = withBucket({
		put: async (...args) => {
			await track('lead', { click_id: job?.clickId, customer_key: unique('customer') }, funnel.apiToken);
			return env.CLICK_FILES.put(...args);
		},
	});
	expect(await retire(ctx)).toBe(0);
	expect(await retire(contextAt(EXPIRED))).toBe(1);
	expect(await storedIds(funnel)).toEqual([job?.clickId]);
	expect((await filedClicks(funnel)).map(({ clickId }) => clickId)).toEqual([other?.clickId]);
});

test('a click that is erased while its file is written is in no file', async () => {
	const funnel = await aKeeper();
	const [erased] = await clicksOf(funnel, 2);
	const ctx = withBucket({
		put: async (...args) => {
			await rows("UPDATE affiliate_click_events SET click_id = 'erased_meanwhile' WHERE click_id = ?", erased?.clickId);
			return env.CLICK_FILES.put(...args);
		},
	});
	expect(await retire(ctx)).toBe(0);
	expect(await retire(contextAt(EXPIRED))).toBe(2);
	expect(await storedIds(funnel)).toEqual([]);
	expect((await filedClicks(funnel)).map(({ clickId }) => clickId)).not.toContain(erased?.clickId);
});

test('a tick that ends before the rows are deleted leaves a file that the next one replaces', async () => {
	const funnel = await aKeeper();
	const before = await clicksOf(funnel, 1);
	const ctx = withBucket({
		put: async (...args) => {
			await env.CLICK_FILES.put(...args);
			throw new Error('The process ends');
		},
	});
	await retire({ ...ctx, log: () => undefined });
	const all = [...before, ...(await clicksOf(funnel, 1))];
	expect(await retire(contextAt(EXPIRED + 3_600_000))).toBe(2);
	expect((await filedClicks(funnel)).map(({ clickId }) => clickId)).toEqual(all.map(({ clickId }) => clickId));
});

test('a tick that has lost its claim replaces no file', async () => {
	const funnel = await aKeeper();
	const before = await clicksOf(funnel, 1);
	const ctx = withBucket({
		put: async (...args) => {
			await retain(funnel, null);
			await retain(funnel, RETENTION_DAYS);
			await clicksOf(funnel, 1);
			await retire(contextAt(EXPIRED));
			return env.CLICK_FILES.put(...args);
		},
	});
	expect(await retire(ctx)).toBe(0);
	expect(await storedIds(funnel)).toEqual([]);
	expect(await filedClicks(funnel)).toHaveLength(before.length + 1);
});

test('without a bucket they are deleted', async () => {
	const funnel = await aKeeper();
	await clicksOf(funnel, 2);
	const before = await figuresOf(funnel);
	expect(await retire({ ...contextAt(EXPIRED), clickFiles: undefined })).toBe(2);
	expect(await storedIds(funnel)).toEqual([]);
	expect(await filedClicks(funnel)).toEqual([]);
	expect(await rollUpDay(contextAt(EXPIRED), { id: funnel.id, timeZone: 'UTC' }, DAY)).toBe(0);
	expect(await figuresOf(funnel)).toEqual(before);
});

test('nothing is deleted if the file cannot be written, and the job tries again in an hour', async () => {
	const funnel = await aKeeper();
	await clicksOf(funnel, 2);
	const ctx = withBucket({ put: () => Promise.reject(new Error('R2 is down')) });
	expect(await retire({ ...ctx, log: () => undefined })).toBe(0);
	expect(await storedIds(funnel)).toHaveLength(2);
	expect(await retire(contextAt(EXPIRED + 3_599_999))).toBe(0);
	expect(await retire(contextAt(EXPIRED + 3_600_000))).toBe(2);
});

test('nothing is deleted if the owner has chosen to keep clicks longer meanwhile', async () => {
	const funnel = await aKeeper();
	await clicksOf(funnel, 2);
	const ctx = withBucket({
		put: async (...args) => {
			await retain(funnel, RETENTION_DAYS + 30);
			return env.CLICK_FILES.put(...args);
		},
	});
	expect(await retire(ctx)).toBe(0);
	expect(await storedIds(funnel)).toHaveLength(2);
});

test('a click that arrives for a retired day is counted, and goes into a file of its own the next time', async () => {
	const funnel = await aKeeper();
	await clicksOf(funnel, 2);
	await retire(contextAt(EXPIRED));
	const [late] = await clicksOf(funnel, 1);
	expect(await figuresOf(funnel)).toEqual([{ day: DAY, clicks: 3 }]);
	await retire(contextAt(EXPIRED + DAY_MS));
	expect(await storedIds(funnel)).toEqual([]);
	const files = await listClickFiles(env.CLICK_FILES, { programId: funnel.id, day: DAY });
	expect(files).toHaveLength(2);
	expect((await filedClicks(funnel)).at(-1)?.clickId).toBe(late?.clickId);
});

test('a file of large clicks ends early, because a Worker has little memory', async () => {
	const funnel = await aKeeper();
	await largeClicksOf(funnel, 1_100);
	await retire(contextAt(EXPIRED));
	const files = await listClickFiles(env.CLICK_FILES, { programId: funnel.id, day: DAY });
	const sizes = await Promise.all(files.map(async ({ key }) => (await readClickFile(env.CLICK_FILES, key))?.length));
	expect(sizes).toEqual([1_000, 100]);
});

test('programs take turns, and what is left waits for the next tick', async () => {
	const funnels = [await aKeeper(), await aKeeper(), await aKeeper()];
	for (const funnel of funnels) await clicksOf(funnel, 1);
	expect(await retireClicks(contextAt(EXPIRED), { programs: 20, slices: 2 })).toBe(2);
	expect(await retireClicks(contextAt(EXPIRED), { programs: 20, slices: 2 })).toBe(1);
	for (const funnel of funnels) expect(await storedIds(funnel)).toEqual([]);
});

test('a program that had no turn comes first in the next tick', async () => {
	await retire(contextAt(EXPIRED));
	const funnels = [await aKeeper(), await aKeeper(), await aKeeper()];
	for (const funnel of funnels) {
		await clicksOf(funnel, 1);
		await clicksOf(funnel, 1, NOON - DAY_MS);
	}
	await retireClicks(contextAt(EXPIRED), { programs: 20, slices: 2 });
	await retireClicks(contextAt(EXPIRED), { programs: 20, slices: 1 });
	expect(await Promise.all(funnels.map(async (funnel) => (await storedIds(funnel)).length))).toEqual([1, 1, 1]);
});

test('a tick begins no slice once it has retired its number of clicks', async () => {
	await retire(contextAt(EXPIRED));
	const funnel = await aKeeper();
	await clicksOf(funnel, 5);
	expect(await retireClicks(contextAt(EXPIRED), { programs: 20, slices: 20, clicks: 3, clicksPerFile: 2 })).toBe(4);
});

test('a tick begins no slice once its time is over', async () => {
	const funnel = await aKeeper();
	await clicksOf(funnel, 1);
	expect(await retireClicks(contextAt(EXPIRED), { programs: 20, slices: 20, ms: 0 })).toBe(0);
	expect(await storedIds(funnel)).toHaveLength(1);
	await retire(contextAt(EXPIRED));
	expect(await storedIds(funnel)).toEqual([]);
});

describe('clicks of customers', () => {
	test('are passed over once, a bounded number at a time', async () => {
		const funnel = await aKeeper();
		await customersOf(funnel, await clicksOf(funnel, 5));
		const [free] = await clicksOf(funnel, 1, NOON + 5);
		const limits = { programs: 100, slices: 1, clicksPerLook: 2 };
		expect([await retireClicks(contextAt(EXPIRED), limits), await passedUntil(funnel)]).toEqual([0, NOON + 2]);
		expect([await retireClicks(contextAt(EXPIRED), limits), await passedUntil(funnel)]).toEqual([0, NOON + 4]);
		expect(await retireClicks(contextAt(EXPIRED), limits)).toBe(1);
		expect((await filedClicks(funnel)).map(({ clickId }) => clickId)).toEqual([free?.clickId]);
	});

	test('of the same millisecond do not stop a look', async () => {
		const funnel = await aKeeper();
		const jobs = await Promise.all([1, 2, 3].map(() => aClickJob(funnel, NOON)));
		await deliverClicks(jobs);
		await customersOf(funnel, jobs);
		await clicksOf(funnel, 1, NOON + 5);
		expect(await retireClicks(contextAt(EXPIRED), { programs: 100, slices: 9, clicksPerLook: 1 })).toBe(1);
	});

	test('between others end a slice, and the next one begins behind them', async () => {
		const funnel = await aKeeper();
		const [first, ...jobs] = await clicksOf(funnel, 4);
		const last = await clicksOf(funnel, 1, NOON + 9);
		await customersOf(funnel, jobs);
		const limits = { programs: 100, slices: 1, clicksPerLook: 3 };
		expect([await retireClicks(contextAt(EXPIRED), limits), await passedUntil(funnel)]).toEqual([2, NOON + 9]);
		expect((await filedClicks(funnel)).map(({ clickId }) => clickId)).toEqual([first, ...last].map((job) => job?.clickId));
	});
});

test('while one tick works on a program, another leaves it alone', async () => {
	const funnel = await aKeeper();
	await clicksOf(funnel, 1);
	let second: number | undefined;
	const ctx = withBucket({
		put: async (...args) => {
			second = await retire(contextAt(EXPIRED));
			return env.CLICK_FILES.put(...args);
		},
	});
	expect(await retire(ctx)).toBe(1);
	expect(second).toBe(0);
});

function retire(ctx: Context): Promise<number> {
	return retireClicks(ctx, { programs: 100, slices: 100 });
}

/** Keeps clicks for 67 days, a week longer than its window. */
async function aKeeper(): Promise<Funnel> {
	const funnel = await aFunnel({ time_zone: 'UTC', cookie_window_days: 60 });
	await retain(funnel, RETENTION_DAYS);
	return funnel;
}

async function retain({ id }: Funnel, days: number | null): Promise<void> {
	const at = days === null ? null : NOON;
	await rows('UPDATE programs SET click_retention_days = ?, retire_clicks_at = ? WHERE id = ?', days, at, id);
}

async function clicksOf(funnel: Funnel, count: number, from = NOON) {
	const jobs = await Promise.all(Array.from({ length: count }, (_, index) => aClickJob(funnel, from + index)));
	await deliverClicks(jobs);
	return jobs;
}

async function customersOf(funnel: Funnel, jobs: readonly { readonly clickId: string }[]): Promise<void> {
	for (const { clickId } of jobs) await track('lead', { click_id: clickId, customer_key: unique('customer') }, funnel.apiToken);
}

/** 13,000 characters each. */
async function largeClicksOf(funnel: Funnel, count: number): Promise<void> {
	const [job] = await clicksOf(funnel, 1);
	await rows(
		`WITH RECURSIVE n(i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
		INSERT INTO affiliate_click_events (click_id, id, program_id, referral_link_id, is_test, is_bot, clicked_at, click_day, page_url)
		SELECT 'large-' || program_id || '-' || i, i, program_id, referral_link_id, 0, 0, clicked_at + i, click_day, hex(zeroblob(6500))
		FROM n CROSS JOIN affiliate_click_events WHERE click_id = ?`,
		count,
		job?.clickId,
	);
}

async function filedClicks({ id }: Funnel): Promise<RetiredClick[]> {
	const files = await listClickFiles(env.CLICK_FILES, { programId: id, day: DAY });
	return (await Promise.all(files.map(({ key }) => readClickFile(env.CLICK_FILES, key)))).flatMap((clicks) => clicks ?? []);
}

function withBucket(changed: Partial<NonNullable<Context['clickFiles']>>): Context {
	const { CLICK_FILES: files } = env;
	const bucket = { get: files.get.bind(files), list: files.list.bind(files), put: files.put.bind(files) };
	return { ...contextAt(EXPIRED), clickFiles: { ...bucket, ...changed } };
}
