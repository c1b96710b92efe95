import { createExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { retireClicks } from '../../src/clicks/retire-clicks.ts';
import type { Context } from '../../src/context.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/domain/calendar.ts';
import { app } from '../../src/http/app.ts';
import { bearer } from '../support/bindings.ts';
import { contextAt } from '../support/clock.ts';
import { aFunnel, type Funnel, rows } from '../support/funnel.ts';
import { aClickJob, deliverClicks } from '../support/report.ts';
import { api, type Owner } from '../support/world.ts';

interface Program {
	readonly click_retention_days: number | null;
	readonly kept_clicks: unknown;
	readonly retired_clicks: unknown;
}

const RETENTION = 'click_retention_days';

describe('how long clicks are kept', () => {
	test('is for ever by default, can be limited, and can be for ever again', async () => {
		const funnel = await aFunnel();
		expect(await retentionOf(funnel)).toBeNull();
		expect(await scheduleOf(funnel)).toBeNull();
		const before = Date.now();
		expect((await change(funnel, { [RETENTION]: 67 })).body.data).toMatchObject({ [RETENTION]: 67 });
		expect(await retentionOf(funnel)).toBe(67);
		expect(await scheduleOf(funnel)).toBeGreaterThanOrEqual(before);
		expect((await change(funnel, { [RETENTION]: null })).body.data).toMatchObject({ [RETENTION]: null });
		expect(await scheduleOf(funnel)).toBeNull();
	});

	test('can be set when the program is created', async () => {
		const before = Date.now();
		const funnel = await aFunnel({ cookie_window_days: 30, [RETENTION]: 37 });
		expect(await retentionOf(funnel)).toBe(37);
		expect(await scheduleOf(funnel)).toBeGreaterThanOrEqual(before);
	});

	test.each([
		[{ [RETENTION]: 66 }, 67, 60],
		[{ [RETENTION]: 1 }, 67, 60],
		[{ [RETENTION]: 96, cookie_window_days: 90 }, 97, 90],
	])('is never shorter than the attribution window and a week: %j', async (sent, least, window) => {
		const funnel = await aFunnel();
		const { status, body } = await change(funnel, sent);
		expect([status, body]).toEqual([
			400,
			{
				error: `click_retention_days must be at least ${least}, a week longer than the attribution window of ${window} days, because late leads still need their clicks`,
			},
		]);
		expect(await retentionOf(funnel)).toBeNull();
	});

	test.each([[0], [3_661], [67.5]])('cannot be %d days', async (days) => {
		const { status, body } = await change(await aFunnel(), { [RETENTION]: days });
		expect([status, body]).toEqual([400, { error: 'click_retention_days must be an integer from 1 to 3660' }]);
	});

	test('grows with a longer attribution window, and the answer and the audit log say so', async () => {
		const funnel = await aFunnel({ [RETENTION]: 67 });
		const longer = await change(funnel, { cookie_window_days: 90 });
		expect(longer.body).toMatchObject({
			data: { cookie_window_days: 90, [RETENTION]: 97 },
			message: 'Clicks are now kept for 97 days, a week longer than the attribution window.',
		});
		expect(await lastDetail(funnel)).toEqual({ cookieWindowDays: 90, clickRetentionDays: 97 });
	});

	test.each([
		['a shorter window', { cookie_window_days: 30 }, 67],
		['a longer window that fits', { cookie_window_days: 90, [RETENTION]: 100 }, 100],
		['another setting', { name: 'Renamed' }, 67],
	])('is changed by nothing else: %s', async (_what, sent, expected) => {
		const funnel = await aFunnel({ [RETENTION]: 67 });
		const { body } = await change(funnel, sent);
		expect(body).toEqual({ success: true, data: expect.objectContaining({ [RETENTION]: expected }) });
	});

	test('stays for ever with a longer window', async () => {
		const funnel = await aFunnel();
		expect((await change(funnel, { cookie_window_days: 90 })).body).toEqual({
			success: true,
			data: expect.objectContaining({ [RETENTION]: null }),
		});
	});

	test('keeps its rule when window and retention change at the same time', async () => {
		const funnel = await aFunnel({ [RETENTION]: 67 });
		const changes = Array.from({ length: 24 }, (_, index) =>
			index % 2 ? { cookie_window_days: 30 + 3 * index } : { [RETENTION]: 70 + index },
		);
		const answers = await Promise.all(changes.map((sent) => change(funnel, sent)));
		for (const { status } of answers) expect([200, 400]).toContain(status);
		const [stored] = await rows<{ days: number; window: number }>(
			'SELECT click_retention_days AS days, cookie_window_days AS window FROM programs WHERE id = ?',
			funnel.id,
		);
		expect(stored?.days).toBeGreaterThanOrEqual((stored?.window ?? 0) + 7);
	});
});

describe('when clicks are retired next', () => {
	test('does not change with the same retention', async () => {
		const funnel = await aFunnel({ [RETENTION]: 67 });
		const tomorrow = Date.now() + DAY_MS;
		await schedule(funnel, tomorrow);
		await change(funnel, { [RETENTION]: 67, cookie_window_days: 60, name: 'Renamed' });
		expect(await scheduleOf(funnel)).toBe(tomorrow);
	});

	test('is now after a shorter retention', async () => {
		const funnel = await aFunnel({ [RETENTION]: 100 });
		await schedule(funnel, Date.now() + HOUR_MS);
		await change(funnel, { [RETENTION]: 67 });
		expect(await scheduleOf(funnel)).toBeLessThanOrEqual(Date.now());
	});

	test('is after the tick that is at work, so that two never write the same file', async () => {
		const funnel = await aFunnel({ [RETENTION]: 100 });
		const leaseEnds = Date.now() + 19 * MINUTE_MS;
		await schedule(funnel, leaseEnds);
		await change(funnel, { [RETENTION]: 67 });
		expect(await scheduleOf(funnel)).toBe(leaseEnds);
	});

	test('is not put off by a tick that worked with the earlier retention', async () => {
		const funnel = await aFunnel({ [RETENTION]: 100 });
		await clicksOf(funnel, Date.now() - 120 * DAY_MS, 1);
		const ctx = contextAt(Date.now());
		const { clickFiles } = ctx;
		if (!clickFiles) throw new Error('No bucket is bound');
		const put: typeof clickFiles.put = async (...args) => {
			await change(funnel, { [RETENTION]: 67 });
			return clickFiles.put(...args);
		};
		await retire({ ...ctx, clickFiles: { get: clickFiles.get.bind(clickFiles), list: clickFiles.list.bind(clickFiles), put } });
		expect(await scheduleOf(funnel)).toBeLessThanOrEqual(ctx.now + 20 * MINUTE_MS);
	});
});

describe('what has been retired', () => {
	test('is nothing at first, and the program says whether a bucket is bound', async () => {
		const funnel = await aFunnel();
		const nothing = { until: null, clicks: 0, deleted: 0, bytes: 0 };
		expect(await retiredOf(funnel)).toEqual({ ...nothing, are_in_files: true });
		expect(await readWithoutBucket(funnel)).toMatchObject({ data: { retired_clicks: { ...nothing, are_in_files: false } } });
	});

	test('is a sum over days, some in files and some deleted', async () => {
		const funnel = await aFunnel({ [RETENTION]: 67, time_zone: 'UTC' });
		const now = Date.now();
		await clicksOf(funnel, now - 90 * DAY_MS, 2);
		await retire({ ...contextAt(now), clickFiles: undefined });
		expect(await retiredOf(funnel)).toEqual({ until: dayOf(now - 90 * DAY_MS), clicks: 2, deleted: 2, bytes: 0, are_in_files: true });

		await clicksOf(funnel, now - 80 * DAY_MS, 3);
		await clicksOf(funnel, now - 70 * DAY_MS, 4);
		await clicksOf(funnel, now - 60 * DAY_MS, 5);
		await schedule(funnel, now);
		await retire(contextAt(now));
		const [stored] = await rows<{ bytes: number }>('SELECT sum(bytes) AS bytes FROM retired_click_days WHERE program_id = ?', funnel.id);
		expect(stored?.bytes).toBeGreaterThan(0);
		const expected = { until: dayOf(now - 70 * DAY_MS), clicks: 9, deleted: 2, bytes: stored?.bytes, are_in_files: true };
		expect(await retiredOf(funnel)).toEqual(expected);
		expect((await change(funnel, { name: 'Renamed' })).body.data).toMatchObject({ retired_clicks: expected });
	});
});

describe('what is in the database', () => {
	test('is nothing at first', async () => {
		expect(await keptOf(await aFunnel())).toEqual({ since: null, clicks: 0, bytes: 0 });
	});

	test('is every click since the first, at 420 bytes, or since the last retired day', async () => {
		const funnel = await aFunnel({ [RETENTION]: 67, time_zone: 'UTC' });
		const now = Date.now();
		await clicksOf(funnel, now - 90 * DAY_MS, 2);
		await clicksOf(funnel, now - 60 * DAY_MS, 5);
		expect(await keptOf(funnel)).toEqual({ since: dayOf(now - 90 * DAY_MS), clicks: 7, bytes: 2_940 });
		await retire(contextAt(now));
		expect(await keptOf(funnel)).toEqual({ since: dayOf(now - 60 * DAY_MS), clicks: 5, bytes: 2_100 });
	});
});

const pathOf = ({ id }: Funnel) => `/api/v1/programs/${id}`;

function change(funnel: Funnel & { readonly owner: Pick<Owner, 'token'> }, body: object) {
	return api<Program>(pathOf(funnel), { method: 'PATCH', token: funnel.owner.token, body });
}

async function read(funnel: Funnel): Promise<Program> {
	return (await api<Program>(pathOf(funnel), { token: funnel.owner.token })).body.data;
}

async function readWithoutBucket(funnel: Funnel): Promise<unknown> {
	const { CLICK_FILES: _bucket, ...bindings } = env;
	const request = new Request(`http://service.test${pathOf(funnel)}`, { headers: bearer(funnel.owner.token) });
	return (await app.fetch(request, bindings, createExecutionContext())).json();
}

async function retentionOf(funnel: Funnel): Promise<number | null> {
	return (await read(funnel)).click_retention_days;
}

async function keptOf(funnel: Funnel): Promise<unknown> {
	return (await read(funnel)).kept_clicks;
}

async function retiredOf(funnel: Funnel): Promise<unknown> {
	return (await read(funnel)).retired_clicks;
}

/** When the job looks at the program next. */
async function scheduleOf({ id }: Funnel): Promise<number | null | undefined> {
	const [program] = await rows<{ at: number | null }>('SELECT retire_clicks_at AS at FROM programs WHERE id = ?', id);
	return program?.at;
}

async function schedule({ id }: Funnel, at: number): Promise<void> {
	await rows('UPDATE programs SET retire_clicks_at = ? WHERE id = ?', at, id);
}

async function lastDetail({ id }: Funnel): Promise<unknown> {
	const [entry] = await rows<{ detail: string }>('SELECT detail FROM audit_entries WHERE program_id = ? ORDER BY id DESC LIMIT 1', id);
	return JSON.parse(entry?.detail ?? '');
}

async function clicksOf(funnel: Funnel, at: number, count: number): Promise<void> {
	await deliverClicks(await Promise.all(Array.from({ length: count }, (_, index) => aClickJob(funnel, at + index))));
}

function retire(ctx: Context): Promise<number> {
	return retireClicks(ctx, { programs: 100, slices: 100 });
}

function dayOf(instant: number): string {
	return new Date(instant).toISOString().slice(0, 10);
}
