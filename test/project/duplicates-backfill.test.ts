import type { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { openDatabase } from '../../src/db/client.ts';
import { repairBreakdowns } from '../../src/reporting/repair-breakdown.ts';
import { repairDays } from '../../src/reporting/repair-day.ts';
import { openD1, openEmptySqlite, Statements } from '../../testing/d1/look-alike.ts';
import { migrationsUpTo } from '../../testing/migrations.ts';

// A database with duplicate sales from before they were excluded from the metrics.

const MADE = Date.parse('2026-05-02T12:00:00Z');

test('earlier duplicates are excluded from the metrics like later ones', async () => {
	const sqlite = openEmptySqlite();
	const { before, since } = migrationsUpTo('0011_duplicates_leave_figures');
	for (const statement of before) sqlite.exec(statement);
	seed(sqlite);
	const daily = sqlite.prepare(`SELECT day, conversions, sales, revenue_cents AS revenue, refunded_cents AS refunded,
		commission_cents AS commission, deducted_cents AS deducted FROM daily_performance ORDER BY day`);
	const byProduct = sqlite.prepare(`SELECT value, sales, revenue_cents AS revenue, refunded_cents AS refunded,
		commission_cents AS commission, deducted_cents AS deducted FROM daily_breakdown WHERE dimension = 'product' ORDER BY day, value`);
	const nothing = { sales: 0, revenue: 0, refunded: 0, commission: 0, deducted: 0 };
	const first = { sales: 1, revenue: 1_000, refunded: 400, commission: 200, deducted: 80 };
	expect(daily.all()).toEqual([
		{ day: '2026-05-02', conversions: 1, sales: 3, revenue: 4_000, refunded: 3_400, commission: 600, deducted: 480 },
		{ day: '2026-05-03', conversions: 0, ...nothing, commission: 200, deducted: 200 },
	]);

	for (const statement of since) sqlite.exec(statement);

	expect(daily.all()).toEqual([
		{ day: '2026-05-02', conversions: 1, ...first },
		{ day: '2026-05-03', conversions: 0, ...nothing },
	]);
	expect(byProduct.all()).toEqual([
		{ value: 'pro', ...first },
		{ value: 'pro', ...nothing },
	]);
	const db = openDatabase(openD1(new Statements(sqlite)));
	for (const day of ['2026-05-02', '2026-05-03']) {
		expect(await repairDays({ db }, [{ id: 1, timeZone: 'UTC', day }])).toEqual([]);
		expect(await repairBreakdowns({ db }, [{ id: 1, timeZone: 'UTC', day }])).toEqual([]);
	}
});

/** Sales 2 and 3 are the same payment as sale 1. The commission of sale 3 was created a day later. */
function seed(sqlite: DatabaseSync): void {
	sqlite.exec(`
		INSERT INTO users (id, email, name, password_hash, created_at) VALUES (1, 'a@shop.example', 'Ada', '-', 1);
		INSERT INTO workspaces (id, name, created_at) VALUES (1, 'Shop', 1);
		INSERT INTO programs (id, workspace_id, name, currency, cookie_window_days, time_zone, active, server_leads_only, keep_emails, created_at)
			VALUES (1, 1, 'Shop', 'USD', 60, 'UTC', 1, 0, 0, 1);
		INSERT INTO commission_rules (id, program_id, current_version, created_at) VALUES (1, 1, 1, 1);
		INSERT INTO commission_rule_versions (id, rule_id, version, type, basis_points, hold_days, created_at) VALUES (1, 1, 1, 'percent', 2000, 0, 1);
		INSERT INTO partners (id, workspace_id, name, email, created_at) VALUES (1, 1, 'P', 'p@shop.example', 1);
		INSERT INTO partner_programs (id, program_id, partner_id, status, created_at) VALUES (1, 1, 1, 'active', 1);
		INSERT INTO referral_links (id, program_id, partner_program_id, short_link, created_at) VALUES (1, 1, 1, 'ann', 1);
		INSERT INTO customers (id, program_id, customer_key, status, first_purchase_date, partner_program_id, referral_link_id,
			click_id, clicked_at, click_sequence, created_at) VALUES (1, 1, 'buyer', 'conversion', '2026-05-02', 1, 1, 'click', ${MADE}, 0, 1);
	`);
	const sale = sqlite.prepare(`
		INSERT INTO affiliate_sale_events (id, program_id, processor_event_id, is_test, customer_id, partner_program_id, amount_cents, currency,
			sale_type, is_recurring, product_id, inside_window, commission_state, created_at, sale_day, op_id)
			VALUES (?1, 1, 'txn' || ?1, 0, 1, 1, ?2, 'USD', 'payment', 0, ?3, 1, 'made', ${MADE}, '2026-05-02', 'op' || ?1)`);
	const commission = sqlite.prepare(`
		INSERT INTO commissions (id, program_id, partner_program_id, sale_id, rule_version_id, amount_cents, currency, status, hold_until, created_at, created_day)
			VALUES (?1, 1, 1, ?1, 1, ?2, 'USD', 'approved', 1, ${MADE}, ?3)`);
	for (const [id, amount, product] of [
		[1, 1_000, 'pro'],
		[2, 2_000, null],
		[3, 1_000, 'pro'],
	] as const) {
		sale.run(id, amount, product);
		commission.run(id, amount / 5, id === 3 ? '2026-05-03' : '2026-05-02');
	}
	sqlite.exec(`
		UPDATE affiliate_sale_events SET refunded_cents = 400, revision = 1 WHERE id = 1;
		UPDATE commissions SET status = 'refunded', status_before_refund = 'approved', deducted_cents = 80, revision = 1 WHERE id = 1;
		UPDATE affiliate_sale_events SET refunded_cents = amount_cents, duplicate_of_sale_id = 1, revision = 1 WHERE id IN (2, 3);
		UPDATE commissions SET status = 'reversed', status_before_refund = 'approved', deducted_cents = amount_cents, revision = 1 WHERE id IN (2, 3);
	`);
}
