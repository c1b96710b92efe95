import { applyD1Migrations, createExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeAll, expect, test } from 'vitest';
import { retireClicks } from '../../src/clicks/retire-clicks.ts';
import { type Context, openContext } from '../../src/context.ts';
import { DAY_MS } from '../../src/domain/calendar.ts';
import { rollUpDay } from '../../src/reporting/roll-up-day.ts';
import rowsOfBefore from '../support/upgrade/rows-0088.sql?raw';
import told from '../support/upgrade/told-0088.json';
import { inOrder, pick, type Row, type Tables, upgradedIn } from '../support/upgrade/upgraded.ts';

// A database from before clicks could expire (scripts/upgrade-data.ts in a checkout of 2d2460c). After the upgrade every answer is the same,
// and so is every figure when its clicks are retired.

const LAST_BEFORE = '0088_payouts_count_commissions.sql';
/** One second after the answers were recorded. */
const ASKED_AT = Date.parse(told.askedAt) + 1_000;
/** Fields that answers did not have then. */
const ADDED_SINCE = '"payout_details_asked_at":null,';
const RETIRED_AT = ASKED_AT + 100 * DAY_MS;
const { UPGRADED_CLICKS_DB: DB } = env;
const { askAt, insertRowsOfBefore, readTables, rows } = upgradedIn(DB);

let before: Tables;
let upgraded: Tables;

beforeAll(async () => {
	const since = env.MIGRATIONS.findIndex(({ name }) => name === LAST_BEFORE) + 1;
	await applyD1Migrations(DB, env.MIGRATIONS.slice(0, since));
	await insertRowsOfBefore(`DELETE FROM click_count;\n${rowsOfBefore}`);
	await rows("UPDATE affiliate_click_events SET sub_id = 'from-the-click' WHERE click_id IN (SELECT click_id FROM customers)");
	before = await readTables();
	await applyD1Migrations(DB, env.MIGRATIONS);
	upgraded = await readTables();
	const { links, signers, timeZones } = contextAt(ASKED_AT);
	for (const cache of [links, signers, timeZones]) cache.clear();
});

test('every request gets the same answer as before', async () => {
	expect(await answers()).toEqual(told.answers);
});

test('every row is kept, and no program has a retention', () => {
	for (const [table, was] of Object.entries(before)) {
		const columns = Object.keys(was[0] ?? {});
		const ofBefore = (all: readonly Row[]) => inOrder(all.filter((row) => !isShortPart(row)).map((row) => pick(row, columns)));
		expect({ table, rows: ofBefore(upgraded[table] ?? []) }).toEqual({ table, rows: ofBefore(was) });
	}
	expect(upgraded['programs']?.map((row) => [row['click_retention_days'], row['retire_clicks_at']])).toEqual(
		upgraded['programs']?.map(() => [null, null]),
	);
});

test('search texts from before get the short parts that the triggers would add', async () => {
	const parts = ['partner_parts', 'link_parts', 'coupon_parts'] as const;
	const allParts = async () =>
		Object.fromEntries(await Promise.all(parts.map(async (table) => [table, await rows(`SELECT * FROM ${table}`)])));
	const migrated = await allParts();
	for (const table of ['partner_parts', 'link_parts'])
		expect(migrated[table]).toContainEqual(expect.objectContaining({ part: expect.stringMatching(/^.$/u) }));
	for (const table of ['partners', 'referral_links', 'coupons']) {
		await rows(`CREATE TABLE texts_before AS SELECT id, search_text FROM ${table}`);
		await rows(`UPDATE ${table} SET search_text = NULL`);
		await rows(`UPDATE ${table} SET search_text = (SELECT search_text FROM texts_before t WHERE t.id = ${table}.id)`);
		await rows('DROP TABLE texts_before');
	}
	expect(await allParts()).toEqual(migrated);
});

test('sales of customers from before have the sub_id of their click', async () => {
	expect(await subIds()).toContain('from-the-click');
});

test('its clicks can be retired, and every figure stays the same', async () => {
	const [stored] = await rows<{ clicks: number }>('SELECT count(*) AS clicks FROM affiliate_click_events');
	await rows(`UPDATE programs SET click_retention_days = cookie_window_days + 7, retire_clicks_at = ${ASKED_AT}`);
	const retired = await retireClicks(contextAt(RETIRED_AT), { programs: 20, slices: 1_000 });
	const left = await rows('SELECT click_id FROM affiliate_click_events');
	expect(retired).toBeGreaterThan(0);
	expect(left).toHaveLength((stored?.clicks ?? 0) - retired);
	const others = await rows('SELECT click_id FROM affiliate_click_events EXCEPT SELECT click_id FROM customers');
	expect(others).toEqual([]);
	expect((await answers()).filter(isFigure)).toEqual(told.answers.filter(isFigure));
	expect(await subIds()).toContain('from-the-click');
	expect(await daysRepaired()).toEqual([]);
});

/** The status also names the last click in the table. */
function isFigure({ path }: { readonly path: string }): boolean {
	return path !== '/api/v1/cli/status';
}

async function answers(): Promise<{ path: string; token: string; accept: string; text: string }[]> {
	const found = [];
	for (const { path, token, accept } of told.answers)
		found.push({ path, token, accept, text: (await askAt(ASKED_AT, path, token, accept)).replaceAll(ADDED_SINCE, '') });
	return found;
}

/** The sub ids of one program's commissions. */
async function subIds(): Promise<(string | null)[]> {
	const [answer] = told.answers;
	const text = await askAt(ASKED_AT, '/api/v1/programs/701/commissions', answer?.token ?? '', 'application/json');
	const { data }: { data: { sale: { sub_id: string | null } }[] } = JSON.parse(text);
	return data.map(({ sale }) => sale.sub_id);
}

function contextAt(instant: number): Context {
	return openContext({ ...env, DB }, createExecutionContext(), instant);
}

/** Returns the days with clicks whose rows differed. */
async function daysRepaired(): Promise<string[]> {
	const days = await rows<{ id: number; timeZone: string; day: string }>(
		'SELECT DISTINCT program_id AS id, time_zone AS timeZone, day FROM daily_performance JOIN programs ON programs.id = program_id',
	);
	const repaired: string[] = [];
	for (const { day, ...program } of days)
		if ((await rollUpDay(contextAt(RETIRED_AT), program, day)) > 0) repaired.push(`${program.id} ${day}`);
	return repaired;
}

/** Only later versions have them. */
function isShortPart({ part }: Row): boolean {
	return typeof part === 'string' && Array.from(part).length < 3 && !/^[\t\n]/.test(part);
}
