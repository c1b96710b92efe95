import { applyD1Migrations } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type LogLine, openContext } from '../../src/context.ts';
import { dayOf, HOUR_MS, MINUTE_MS } from '../../src/domain/calendar.ts';
import { rollUpDays } from '../../src/reporting/roll-up-day.ts';
import { metered, type Spent } from '../../testing/d1/metered.ts';
import { atInstant } from '../support/at-instant.ts';
import { tick } from '../support/deliver.ts';

// What the cron job costs with one, ten and 2,000 programs, and that each of them has its turn. They have their own database, because so many
// programs would slow down other tests.

const CREATED = Date.UTC(2026, 4, 1);
/** A minute in which the job compares program 1 and every sixtieth after it. */
const NOW = Date.UTC(2026, 7, 20, 12, 1);
const TODAY = dayOf(NOW, 'UTC');
const PROGRAMS_COMPARED = 100;

const DB = env.MANY_PROGRAMS_DB;

beforeAll(async () => {
	await applyD1Migrations(DB, env.MIGRATIONS);
	await run("INSERT INTO workspaces (id, name, created_at) VALUES (1, 'Acme', 0)");
});

function run(statement: string, ...values: unknown[]): Promise<unknown> {
	return DB.prepare(statement)
		.bind(...values)
		.run();
}

/** Programs without any event, up to that many. */
async function programs(count: number): Promise<void> {
	await run(
		`WITH RECURSIVE n(i) AS (SELECT coalesce(max(id), 0) + 1 FROM programs UNION ALL SELECT i + 1 FROM n WHERE i < ?1)
		INSERT INTO programs (id, workspace_id, name, currency, cookie_window_days, time_zone, active, server_leads_only, keep_emails, created_at)
		SELECT i, ?2, 'Program ' || i, 'EUR', 30, 'UTC', 1, 0, 0, ?3 FROM n`,
		count,
		1,
		CREATED,
	);
}

/** Sets wrong daily rows, as if an event of today had been miscounted. */
function miscount(where: string): Promise<unknown> {
	return run(
		`INSERT INTO daily_performance (program_id, day, currency, clicks, leads, open_leads, conversions, partners, sales, revenue_cents,
			refunded_cents, commission_cents, deducted_cents)
		SELECT id, ?1, 'EUR', 1, 0, 0, 0, 0, 0, 0, 0, 0, 0 FROM programs WHERE ${where}
		ON CONFLICT DO UPDATE SET clicks = 1`,
		TODAY,
	);
}

async function miscounted(): Promise<unknown[]> {
	const { results } = await DB.prepare('SELECT program_id AS id FROM daily_performance WHERE clicks <> 0').all();
	return results.map(({ id }) => id);
}

async function costOfTick(): Promise<Spent> {
	const counted = metered(DB);
	await atInstant(NOW, () => tick({ DB: counted }));
	return counted.spent();
}

async function costOfComparison(
	now = NOW,
	ofPrograms = PROGRAMS_COMPARED,
): Promise<Spent & { readonly repaired: number; readonly lines: LogLine[] }> {
	const counted = metered(DB);
	const lines: LogLine[] = [];
	const ctx = openContext({ ...env, DB: counted }, { waitUntil: () => undefined }, now);
	const repaired = await rollUpDays({ ...ctx, log: (line) => lines.push(line) }, ofPrograms);
	return { ...counted.spent(), repaired, lines };
}

describe.each([1, 10, 2_000])('with %d idle programs', (count) => {
	beforeAll(() => programs(count));

	test('a tick takes 23 trips and reads some 30 rows for each program that it looks at', async () => {
		const { trips, rowsRead } = await costOfTick();
		expect(trips).toBe(23);
		expect(rowsRead).toBeLessThan(100 + 32 * Math.ceil(count / 60));
	});

	test('four of the trips are those of the comparison', async () => {
		expect(await costOfComparison()).toMatchObject({ trips: 4, repaired: 0 });
	});
});

describe('with 2,000 programs', () => {
	beforeAll(() => programs(2_000));
	beforeEach(() => run('DELETE FROM daily_performance'));

	test('the comparison of those that had events takes two trips more', async () => {
		await miscount('true');
		const { trips, rowsRead, repaired } = await costOfComparison();
		expect([trips, repaired]).toEqual([6, 34]);
		expect(rowsRead).toBeLessThan(34 * 75);
	});

	test('every program is compared within the hour', async () => {
		await miscount('true');
		for (let minute = 0; minute < 60; minute += 1) await costOfComparison(NOW + minute * MINUTE_MS);
		expect(await miscounted()).toEqual([]);
	});

	test('those of a minute take turns by the hour if there are more than a tick compares', async () => {
		await miscount('id % 60 = 1');
		const repaired = [];
		for (let hour = 0; hour < 4; hour += 1) repaired.push((await costOfComparison(NOW + hour * HOUR_MS, 10)).repaired);
		expect(repaired.toSorted()).toEqual([8, 8, 9, 9]);
		expect(await miscounted()).toEqual([]);
	});

	test('a program whose comparison fails does not stop the others', async () => {
		await miscount('id IN (1, 61, 121)');
		await run(
			`CREATE TRIGGER refuse_row BEFORE UPDATE ON daily_performance WHEN NEW.program_id = 61 BEGIN SELECT RAISE(ABORT, 'refused'); END`,
		);
		const { lines } = await costOfComparison();
		await run('DROP TRIGGER refuse_row');
		expect(await miscounted()).toEqual([61]);
		expect(lines.filter(({ event }) => event === 'roll_up_failed')).toMatchObject([{ programId: 61 }]);
	});

	test('a gap between the ids, as after a restore, costs nothing', async () => {
		const before = await costOfComparison();
		await run(`
			INSERT INTO programs (id, workspace_id, name, currency, cookie_window_days, time_zone, active, server_leads_only, keep_emails, created_at)
			SELECT id + 1000020, workspace_id, name, currency, cookie_window_days, time_zone, active, server_leads_only, keep_emails, created_at
			FROM programs WHERE id <= 120`);
		await miscount('id IN (61, 1000021, 1000081)');
		const { rowsRead } = await costOfComparison();
		expect(await miscounted()).toEqual([]);
		expect(rowsRead).toBeLessThan(before.rowsRead + 400);
	});
});
