import { applyD1Migrations, createExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeAll, expect, test } from 'vitest';
import { openContext } from '../../src/context.ts';
import { MINUTE_MS } from '../../src/domain/calendar.ts';
import { rollUpDay } from '../../src/reporting/roll-up-day.ts';
import { atInstant } from '../support/at-instant.ts';
import { bearer, trackWith } from '../support/bindings.ts';
import { holdingQueue } from '../../testing/queues.ts';
import { deliver, tick } from '../support/deliver.ts';
import rowsOfBefore from '../support/upgrade/rows.sql?raw';
import told from '../support/upgrade/told.json';
import { inOrder, pick, type Row, type Tables, upgradedIn } from '../support/upgrade/upgraded.ts';

// A database from when triggers kept the metrics (scripts/upgrade-data.ts). After the upgrade it gives the same answers and keeps working.

const LAST_BEFORE = '0017_payout_surplus.sql';
/** One second after the answers were recorded. */
const ASKED_AT = Date.parse(told.askedAt) + 1_000;
const { UPGRADED_DB: DB } = env;
const { askAt, insertRowsOfBefore, readTables, rows } = upgradedIn(DB);
const EFFECTS = holdingQueue();
const bindings = { DB, EFFECTS };

/** Added to answers since then. */
const TOLD_SINCE =
	/"accepted":false,|"commission_count":\d+,|"is_operator":(true|false),|"status_reason":null,|"group":null,|"payout_details":null,|"payout_details_asked_at":null,|"status":"(made|settled)",(?="partner")|,"sent_at":null,"reference":null,"failed_at":null,"failure_reason":null|,\{"name":"(fields_known|stripe_events_selected|stripe_reversals_linked|sales_reported_once|stripe_signatures_match|stripe_timestamps_match)","ok":true,"next_action":null\}|"averageSaleValues":\{[^}]*\},|,"previous_cursor":(null|"[^"]*")/g;

/** Later versions may improve advice and explanations. */
function withoutWords(text: string): string {
	return text.replaceAll(/"(next_action|amount_reason)":"(?:[^"\\]|\\.)*"/g, '"$1":"in words"');
}

let before: Tables;
let upgraded: Tables;

beforeAll(async () => {
	const since = env.MIGRATIONS.findIndex(({ name }) => name === LAST_BEFORE) + 1;
	await applyD1Migrations(DB, env.MIGRATIONS.slice(0, since));
	await insertRowsOfBefore(rowsOfBefore);
	before = await readTables();
	await applyD1Migrations(DB, env.MIGRATIONS);
	upgraded = await readTables();
	// Clears this isolate's caches, which belong to the programs of other databases.
	const { links, signers, timeZones } = openContext(env, createExecutionContext());
	for (const cache of [links, signers, timeZones]) cache.clear();
});

test('every request gets the same answer as before', async () => {
	const answers = [];
	for (const { path, token, accept } of told.answers) {
		answers.push({ path, token, accept, text: withoutWords(await ask(path, token, accept)).replaceAll(TOLD_SINCE, '') });
	}
	expect(answers).toEqual(told.answers.map((answer) => ({ ...answer, text: withoutWords(answer.text) })));
});

/** Entries no longer have free text about people. */
function withoutReason(entry: Row): Row {
	const { reason: _reason, ...detail }: Record<string, unknown> = JSON.parse(String(entry['detail']));
	return { ...entry, detail: JSON.stringify(detail) };
}

test('every row is kept, in the columns that remain', async () => {
	const { program_metrics: _gone, outbox = [], daily_breakdown: broken = [], refused_sales: refused = [], ...kept } = before;
	for (const [table, was] of Object.entries(kept)) {
		const now = upgraded[table] ?? [];
		const [since = {}, past = since] = [now[0], was[0]];
		const columns = Object.keys(past).filter((column) => Object.hasOwn(since, column));
		const ofBefore = (all: readonly Row[]) => ({ table, rows: inOrder(all.map((row) => pick(row, columns))) });
		expect(ofBefore(now)).toEqual(ofBefore(table === 'audit_entries' ? was.map(withoutReason) : was));
	}
	expect(upgraded['daily_breakdown']).toEqual(broken.filter(({ dimension, value }) => dimension !== 'partner' && value !== ''));
	const TOLD = ['program_id', 'transaction_id', 'reason', 'refused_at'];
	const refusals = (upgraded['refusals'] ?? []).map((row) => ({ ...row, reason: row['message'], refused_at: row['first_at'] }));
	expect(refusals.map((row) => pick(row, TOLD))).toEqual(refused.map((row) => pick(row, TOLD)));
	const waiting = outbox.filter(({ done_at, kind }) => done_at === null && kind !== 'sale_recorded');
	expect(waiting).toHaveLength(7);
	const NAMES = ['id', 'program_id', 'kind', 'subject_id', 'created_at'];
	expect(new Set(upgraded['outbox']?.map((row) => pick(row, NAMES)))).toEqual(new Set(waiting.map((row) => pick(row, NAMES))));
	expect((await DB.prepare('PRAGMA foreign_key_check').all()).results).toEqual([]);
});

test('no earlier key counts as a claim of a page, so none can move', async () => {
	const marks = new Set(upgraded['customers']?.map((row) => row['key_from_page']));
	expect(marks).toEqual(new Set([0]));
});

test('no address counts as proved, because older rows do not show which links were mailed', async () => {
	expect(await rows('SELECT id FROM users WHERE email_proved_at IS NOT NULL')).toEqual([]);
	expect(await rows('SELECT user_id FROM password_resets WHERE mailed')).toEqual([]);
});

test('the commissions of payouts that were made before their number was stored are counted', async () => {
	const [question] = told.answers.filter(({ path, accept }) => path.endsWith('/701/payouts') && !accept?.includes('csv'));
	if (!question) throw new Error('It was not asked before');
	const { data } = JSON.parse(await ask(question.path, question.token, question.accept));
	expect(data).not.toEqual([]);
	for (const payout of data) expect(payout.commission_count).toBe(payout.commission_ids.length);
});

test('sales keep ids that are unique over all programs', () => {
	expect(new Set(upgraded['affiliate_sale_events']?.map((row) => row['id_scope']))).toEqual(new Set([0]));
});

test('payouts from before are in the sums of payouts', async () => {
	const sums = await rows('SELECT program_id, sent_from, currency, payouts, amount_cents FROM payout_sums');
	expect(sums).not.toEqual([]);
	expect(sums).toEqual(
		await rows(
			`SELECT program_id, coalesce(sent_at - sent_at % 900000, 0) AS sent_from, currency, count(*) AS payouts, sum(amount_cents) AS amount_cents
			FROM payouts WHERE amount_cents > 0 AND failed_at IS NULL GROUP BY 1, 2, 3 ORDER BY 1, 2, 3`,
		),
	);
});

test('partners and links are found by inner parts before cron has indexed them', async () => {
	const [question] = told.answers.filter(({ path }) => path.endsWith('/701/partners'));
	if (!question) throw new Error('It was not asked before');
	const [partner] = await rows<{ name: string }>(
		'SELECT name FROM partners p JOIN partner_programs pp ON pp.partner_id = p.id WHERE pp.program_id = 701 ORDER BY p.id',
	);
	const name = partner?.name ?? '';
	expect(name).not.toBe('');
	const found = JSON.parse(await ask(`${question.path}?search=${encodeURIComponent(name.slice(1))}`, question.token, question.accept));
	expect(found.data).toContainEqual(expect.objectContaining({ name }));
	expect(await rows('SELECT part FROM partner_parts')).toEqual([]);
});

test('waiting and new events are processed, and no metric drifts', async () => {
	await atInstant(ASKED_AT, async () => {
		for (const { queue, body } of told.held) {
			const { acked } = await deliver(queue === 'affiliate-clicks' ? queue : 'affiliate-effects', [{ body }], bindings);
			expect(acked).toHaveLength(1);
		}
		await track('lead', { customer_key: 'new-one' });
		await track('sale', { transaction_id: 'after-1', amount_cents: 10_000, customer_key: 'only-lead', product_id: 'pro' });
		await track('sale', { transaction_id: 'after-2', amount_cents: 5_000, customer_key: 'by-click', currency: 'EUR' });
		await track('refund', { transaction_id: 'order-1', refund_id: 'after-3', refund_amount_cents: 500 });
		await track('refund', { transaction_id: 'order-15' });
		await track('refund', { transaction_id: 'order-16' });
	});
	const whileTheyWait = await askByCountry();
	await letTimePass();
	expect(await askByCountry()).toBe(whileTheyWait);
	expect(JSON.parse(whileTheyWait).data).toContainEqual(expect.objectContaining({ value: 'PL', sales: 1, revenue: 80.8, netRevenue: 0 }));
	expect(await rows("SELECT id FROM affiliate_sale_events WHERE commission_state = 'failed'")).toEqual([]);
	expect(await rows('SELECT outbox_id FROM notifications GROUP BY outbox_id, partner_id, user_id HAVING count(*) > 1')).toEqual([]);
	expect(await daysRepaired()).toEqual([]);
	expect(await rows('SELECT id FROM partners WHERE search_text IS NULL OR id NOT IN (SELECT partner_id FROM partner_parts)')).toEqual([]);
	expect(await rows('SELECT id FROM referral_links WHERE search_text IS NULL')).toEqual([]);
});

test('rows that the old Worker writes until it is replaced are accepted, and cron counts them', async () => {
	const day = told.askedAt.slice(0, 10);
	await DB.batch([
		DB.prepare(
			`INSERT INTO customers (program_id, customer_key, status, signup_date, created_at) VALUES (701, 'by-the-old', 'lead', ?, 1)`,
		).bind(day),
		DB.prepare(
			`INSERT INTO affiliate_lead_events (program_id, customer_id, customer_key, is_test, created_at, op_id)
			SELECT 701, id, customer_key, 0, ?, 'old' FROM customers WHERE customer_key = 'by-the-old'`,
		).bind(ASKED_AT),
		DB.prepare(`INSERT INTO outbox (id, program_id, kind, subject_id, created_at)
			VALUES ('old:sale_recorded', 701, 'sale_recorded', 28, 1), ('old:commission_created', 701, 'commission_created', 24, 1)`),
	]);
	await letTimePass();
	expect(await rows("SELECT kind FROM notifications WHERE outbox_id LIKE 'old:%'")).toEqual([{ kind: 'commission_created' }]);
	expect(await daysRepaired()).toEqual([`701 ${day}`]);
});

test('carts earn as before until rules by line are switched on', async () => {
	expect(await rows('SELECT DISTINCT rules_by_line FROM programs')).toEqual([{ rules_by_line: 0 }]);
	const cart = [{ product_id: 'pro', amount_cents: 9_000 }, { amount_cents: 1_000 }];
	const sale = { amount_cents: 10_000, customer_key: 'only-lead', line_items: cart };
	await atInstant(ASKED_AT, async () => {
		await track('sale', { ...sale, transaction_id: 'cart-1' });
		await DB.prepare('UPDATE programs SET rules_by_line = 1').run();
		await track('sale', { ...sale, transaction_id: 'cart-2' });
		await DB.prepare('UPDATE programs SET rules_by_line = 0').run();
	});
	const earned = await rows(
		"SELECT m.amount_cents FROM commissions m JOIN affiliate_sale_events s ON s.id = m.sale_id WHERE s.processor_event_id LIKE 'cart-%' ORDER BY s.id",
	);
	// 20 % of everything; later 33.33 % of 90.00 and 20 % of 10.00.
	expect(earned).toEqual([{ amount_cents: 2_000 }, { amount_cents: 3_200 }]);
});

async function track(route: string, body: Row): Promise<void> {
	const { status, body: answer } = await trackWith(bindings, route, body, bearer(told.key));
	expect({ status, answer }).toMatchObject({ status: 200 });
}

/** Lets a few minutes pass, after which no work is waiting. */
async function letTimePass(): Promise<void> {
	for (let minute = 1; minute <= 3; minute += 1) {
		await atInstant(ASKED_AT + minute * MINUTE_MS, async () => {
			await tick(bindings);
			for (const body of EFFECTS.held.splice(0)) await deliver('affiliate-effects', [{ body }], bindings);
		});
	}
	expect(await rows('SELECT id FROM outbox')).toEqual([]);
}

/** Returns the days with events whose rows differed. */
async function daysRepaired(): Promise<string[]> {
	const ctx = openContext({ ...env, DB }, createExecutionContext(), ASKED_AT);
	const days = await rows<{ id: number; timeZone: string; day: string }>(`
		SELECT id, time_zone AS timeZone, day FROM programs JOIN (
			SELECT program_id, day FROM daily_performance
			UNION SELECT program_id, signup_date FROM customers UNION SELECT program_id, first_purchase_date FROM customers
			UNION SELECT program_id, sale_day FROM affiliate_sale_events UNION SELECT program_id, created_day FROM commissions
		) ON program_id = id WHERE day IS NOT NULL`);
	const repaired: string[] = [];
	for (const { day, ...program } of days) if ((await rollUpDay(ctx, program, day)) > 0) repaired.push(`${program.id} ${day}`);
	return repaired;
}

function askByCountry(): Promise<string> {
	const [question] = told.answers.filter(({ path }) => path.includes('701?by=country&dateFrom=2026-03-01'));
	if (!question) throw new Error('It was not asked before');
	return ask(question.path, question.token, question.accept);
}

/** The Worker's response as text, at the time when the answers were recorded. */
function ask(path: string, token: string, accept: string): Promise<string> {
	return askAt(ASKED_AT, path, token, accept);
}
