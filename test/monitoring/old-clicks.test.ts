import { env } from 'cloudflare:workers';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { DAY_MS, dayOf } from '../../src/domain/calendar.ts';
import { callWith } from '../support/bindings.ts';
import { tick } from '../support/deliver.ts';
import { aFunnel, rows } from '../support/funnel.ts';
import { signUp } from '../support/world.ts';

// What retention would free is estimated for the operator.

const CLICKS = 7_000_000;
const OLD = dayOf(Date.now() - 95 * DAY_MS, 'UTC');
const OLDER = dayOf(Date.now() - 200 * DAY_MS, 'UTC');
const RECENT = dayOf(Date.now() - 89 * DAY_MS, 'UTC');

let token: string;
let id: number;
let name: string;
beforeAll(async () => {
	const operator = await signUp();
	({ token } = operator);
	await env.DB.prepare(
		"INSERT OR IGNORE INTO members (workspace_id, user_id, role, created_at) SELECT min(id), ?, 'owner', 0 FROM workspaces",
	)
		.bind(operator.userId)
		.run();
});

beforeEach(async () => {
	await rows('UPDATE daily_performance SET clicks = 0');
	({ id } = await aFunnel());
	name = `Northwind ${id}`;
	await rows('UPDATE programs SET name = ?, created_at = 0 WHERE id = ?', name, id);
});

async function clicksOn(day: string, clicks = CLICKS): Promise<void> {
	await rows('INSERT INTO daily_performance (program_id, day, currency, clicks) VALUES (?, ?, ?, ?)', id, day, 'USD', clicks);
}

async function service(limit = '10') {
	const { body } = await callWith({ DATABASE_LIMIT_GB: limit }, '/api/v1/service', { token });
	const { database, checks } = Object(body['data']);
	const advice: unknown = checks.find((check: { name: string }) => check.name === 'database').next_action;
	return { oldClicks: Object(database)['old_clicks'], advice };
}

test('the service page says how large clicks older than 90 days are, and in which programs', async () => {
	await clicksOn(OLD);
	await clicksOn(OLDER, 1_000_000);
	await clicksOn(RECENT);
	expect(await service()).toEqual({ oldClicks: { bytes: 8_000_000 * 420, programs: [name] }, advice: null });
});

test('the advice on a full database names them', async () => {
	await clicksOn(OLD);
	expect((await service('0.001')).advice).toContain(
		`Clicks older than 90 days take about 2.94 GB in these programs: ${name}. Keep their clicks for a limited time.`,
	);
});

test('an alert about a full database says what it was when it began', async () => {
	await clicksOn(OLD);
	await tick({ DATABASE_LIMIT_GB: '0.001' });
	await rows('UPDATE daily_performance SET clicks = 0');
	await tick({ DATABASE_LIMIT_GB: '0.001' });
	const found = await rows<{ facts: string }>("SELECT facts FROM alerts WHERE kind = 'database_full' AND ended_at IS NULL");
	expect(found.map(({ facts }): unknown => JSON.parse(facts))).toMatchObject([{ oldClicks: { bytes: CLICKS * 420, programs: [name] } }]);
	await tick();
});

test.each([
	['keeps clicks for a limited time already', 'UPDATE programs SET click_retention_days = 90, retire_clicks_at = 1 WHERE id = ?'],
	['has an attribution window of more than 83 days', 'UPDATE programs SET cookie_window_days = 84 WHERE id = ?'],
	[
		'has retired those days',
		`INSERT INTO retired_click_days (program_id, day, clicks, files, bytes, retired_at) SELECT ?, '${OLD}', 1, 0, 0, 0`,
	],
])('a program that %s would free nothing', async (_, change) => {
	await clicksOn(OLD);
	await rows(change, id);
	expect((await service()).oldClicks).toEqual({ bytes: 0, programs: [] });
});
