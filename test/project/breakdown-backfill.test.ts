import type { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { openDatabase } from '../../src/db/client.ts';
import { sourceOf } from '../../src/domain/attribution/source.ts';
import { repairBreakdowns } from '../../src/reporting/repair-breakdown.ts';
import type { Dimension } from '../../src/domain/reporting/breakdown.ts';
import { readBreakdown } from '../../src/reporting/read-breakdown.ts';
import { repairDays } from '../../src/reporting/repair-day.ts';
import { openD1, openEmptySqlite, Statements } from '../../testing/d1/look-alike.ts';
import { migrationsUpTo } from '../../testing/migrations.ts';

// A database from before the breakdown existed. The migration derives what it can.

const NOON = Date.parse('2026-05-02T12:00:00Z');
const REFERRERS = [
	'https://www.Google.com/search?q=a/b',
	'http://user:secret@t.co:8080/x#y',
	'https://blog.example',
	'https://blog.example?x=1',
	'android-app://com.example.app/',
	'https://my_shop.example/#@nobody.example',
	'https://xn--mller-kva.example/',
	'https://[::1]/',
	'about:blank',
	'nonsense',
	'',
	null,
];

test('earlier rows are broken down like later ones', async () => {
	const sqlite = openEmptySqlite();
	const { before, since } = migrationsUpTo('0006_breakdown_upkeep');
	for (const statement of before) sqlite.exec(statement);
	seed(sqlite);
	for (const statement of since) sqlite.exec(statement);

	const sources = sqlite.prepare('SELECT referrer_url, source FROM affiliate_click_events ORDER BY id').all();
	expect(sources.slice(0, REFERRERS.length).map((row) => row['source'])).toEqual(REFERRERS.map(sourceOf));
	expect(sqlite.prepare('SELECT id, former_partner_program_id AS former FROM referral_links ORDER BY id').all()).toEqual([
		{ id: 1, former: null },
		{ id: 2, former: 2 },
		{ id: 3, former: 3 },
		{ id: 4, former: null },
	]);
	expect(sqlite.prepare('SELECT customer_key, country, source FROM customers ORDER BY id').all()).toEqual([
		{ customer_key: 'buyer', country: 'DE', source: 'google.com' },
		{ customer_key: 'lead', country: null, source: null },
	]);

	const db = openDatabase(openD1(new Statements(sqlite)));
	expect(await repairBreakdowns({ db }, [{ id: 1, timeZone: 'UTC', day: '2026-05-02' }])).toEqual([]);
	const all = sqlite.prepare(`SELECT value, clicks, leads, conversions, sales, revenue_cents AS revenue, refunded_cents AS refunded,
		commission_cents AS commission, deducted_cents AS deducted FROM daily_breakdown WHERE dimension = ? ORDER BY value`);
	expect(await repairDays({ db }, [{ id: 1, timeZone: 'UTC', day: '2026-05-02' }])).toEqual([]);
	const nothing = { leads: 0, conversions: 0, sales: 0, revenue: 0, refunded: 0, commission: 0, deducted: 0 };
	const bought = { leads: 1, conversions: 1, sales: 1, revenue: 1_000, refunded: 400, commission: 200, deducted: 80 };
	expect(all.all('link')).toEqual([
		{ ...bought, value: '1', clicks: REFERRERS.length },
		{ ...nothing, value: '2', clicks: 1 },
		{ ...nothing, value: '3', clicks: 1, leads: 1 },
		{ ...nothing, value: '4', clicks: 1 },
	]);
	expect(all.all('partner')).toEqual([]);
	expect(all.all('product')).toEqual([{ ...bought, value: 'pro', clicks: 0, leads: 0, conversions: 0 }]);
	expect(all.all('country')).toEqual([{ ...bought, value: 'DE', clicks: 1 }]);

	const seen = async (by: Dimension) => {
		const asked = { by, range: { period: '30d', dates: undefined }, limit: 10, cursor: undefined } as const;
		const { rows } = await readBreakdown({ db, now: NOON, timeZones: new Map() }, 'token', 1, asked);
		return rows.map(({ value, clicks, leads, sales, revenue, netCommission }) => [value, clicks, leads, sales, revenue, netCommission]);
	};
	expect(await seen('partner')).toEqual([
		[1, REFERRERS.length, 1, 1, 10, 1.2],
		[3, 1, 1, 0, 0, 0],
		[2, 1, 0, 0, 0, 0],
		[null, 1, 0, 0, 0, 0],
	]);
	expect(await seen('country')).toEqual([
		['DE', 1, 1, 1, 10, 1.2],
		[null, REFERRERS.length + 2, 1, 0, 0, 0],
	]);
	expect(await seen('product')).toEqual([['pro', null, null, 1, 10, 1.2]]);
});

/** Link 2 has lost its partner according to the audit log, link 3 according to its customer. Link 4 never had one. */
function seed(sqlite: DatabaseSync): void {
	sqlite.exec(`
		INSERT INTO users (id, email, name, password_hash, created_at) VALUES (1, 'a@shop.example', 'Ada', '-', 1);
		INSERT INTO workspaces (id, name, created_at) VALUES (1, 'Shop', 1);
		INSERT INTO members (workspace_id, user_id, role, created_at) VALUES (1, 1, 'owner', 1);
		INSERT INTO sessions (token_hash, user_id, created_at, expires_at) VALUES ('token', 1, 1, ${2 * NOON});
		INSERT INTO programs (id, workspace_id, name, currency, cookie_window_days, time_zone, active, server_leads_only, keep_emails, created_at)
			VALUES (1, 1, 'Shop', 'USD', 60, 'UTC', 1, 0, 0, 1);
		INSERT INTO commission_rules (id, program_id, current_version, created_at) VALUES (1, 1, 1, 1);
		INSERT INTO commission_rule_versions (id, rule_id, version, type, basis_points, hold_days, created_at) VALUES (1, 1, 1, 'percent', 2000, 0, 1);
		INSERT INTO audit_entries (at, workspace_id, program_id, user_id, action, subject_id, detail)
			VALUES (1, 1, 1, 1, 'partner.end', 2, '{"links":["other","ben"]}');
	`);
	for (const [id, shortLink] of ['ann', 'ben', 'cat', 'nobody'].entries()) {
		const partner = id + 1;
		sqlite.exec(`
			INSERT INTO partners (id, workspace_id, name, email, created_at) VALUES (${partner}, 1, 'P', 'p${partner}@shop.example', 1);
			INSERT INTO partner_programs (id, program_id, partner_id, status, created_at) VALUES (${partner}, 1, ${partner}, 'active', 1);
			INSERT INTO referral_links (id, program_id, partner_program_id, short_link, created_at)
				VALUES (${partner}, 1, ${partner === 4 ? 'NULL' : partner}, '${shortLink}', 1);
		`);
	}
	const click = sqlite.prepare(
		`INSERT INTO affiliate_click_events (click_id, program_id, referral_link_id, is_test, is_bot, clicked_at, click_day, referrer_url, country)
		VALUES (?, 1, ?, 0, ?, ${NOON}, '2026-05-02', ?, ?)`,
	);
	for (const [index, referrer] of REFERRERS.entries()) click.run(`click-${index}`, 1, 0, referrer, index === 0 ? 'DE' : null);
	for (const link of [2, 3, 4]) click.run(`of-${link}`, link, 0, null, null);
	click.run('bot', 1, 1, null, 'US');
	sqlite.exec(`
		INSERT INTO customers (id, program_id, customer_key, status, signup_date, first_purchase_date, partner_program_id, referral_link_id,
			click_id, clicked_at, click_sequence, created_at) VALUES
			(1, 1, 'buyer', 'conversion', '2026-05-02', '2026-05-02', 1, 1, 'click-0', ${NOON}, 0, 1),
			(2, 1, 'lead', 'lead', '2026-05-02', NULL, 3, 3, 'of-3', ${NOON}, 0, 1);
		INSERT INTO affiliate_lead_events (program_id, customer_id, is_test, created_at, op_id) VALUES (1, 1, 0, ${NOON}, 'lead-1'), (1, 2, 0, ${NOON}, 'lead-2');
		INSERT INTO affiliate_sale_events (id, program_id, processor_event_id, is_test, customer_id, partner_program_id, amount_cents, currency,
			sale_type, is_recurring, product_id, inside_window, commission_state, refunded_cents, created_at, sale_day, op_id)
			VALUES (1, 1, 'txn', 0, 1, 1, 1000, 'USD', 'payment', 0, 'pro', 1, 'made', 400, ${NOON}, '2026-05-02', 'op');
		INSERT INTO commissions (id, program_id, partner_program_id, sale_id, rule_version_id, amount_cents, currency, status, hold_until, created_at, created_day)
			VALUES (1, 1, 1, 1, 1, 200, 'USD', 'approved', 1, ${NOON}, '2026-05-02');
		UPDATE commissions SET status = 'refunded', status_before_refund = 'approved', deducted_cents = 80, revision = 1;
		UPDATE referral_links SET partner_program_id = NULL WHERE id IN (2, 3);
		UPDATE daily_performance SET clicks = (SELECT count(*) FROM affiliate_click_events WHERE is_bot = 0);
	`);
}
