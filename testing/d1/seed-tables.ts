import type { DatabaseSync } from 'node:sqlite';

/**
 * Fills each table that grows with traffic with `count` rows, without triggers; a million rows take a minute. The schema is the one before
 * notifications_in_fewer_rows. Every customer has a click, a lead and one sale; half of the sales are partly refunded.
 */
export function seedTables(sqlite: DatabaseSync, count: number): void {
	const triggers = sqlite.prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'").all();
	sqlite.exec('BEGIN');
	for (const { name } of triggers) sqlite.exec(`DROP TRIGGER ${String(name)}`);
	for (const statement of [...BASE, ...TRAFFIC]) sqlite.exec(statement.replaceAll(':count', String(count)));
	for (const { sql } of triggers) sqlite.exec(String(sql));
	sqlite.exec('COMMIT');
}

const PARTNERS = 10;
const NUMBERS = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < :count)';
const OPERATION = "lower(hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-' || hex(randomblob(10)))";

const BASE = [
	"INSERT INTO users (id, email, name, password_hash, created_at) VALUES (1, 'a@shop.example', 'Ada', '-', 1)",
	"INSERT INTO workspaces (id, name, created_at) VALUES (1, 'Shop', 1)",
	`INSERT INTO programs (id, workspace_id, name, currency, cookie_window_days, time_zone, active, server_leads_only, keep_emails, created_at)
	VALUES (1, 1, 'Shop', 'USD', 60, 'UTC', 1, 0, 0, 1)`,
	'INSERT INTO commission_rules (id, program_id, current_version, created_at) VALUES (1, 1, 1, 1)',
	"INSERT INTO commission_rule_versions (id, rule_id, version, type, basis_points, hold_days, created_at) VALUES (1, 1, 1, 'percent', 2000, 0, 1)",
	`INSERT INTO partners (id, workspace_id, name, email, created_at)
	SELECT value, 1, 'P' || value, 'p' || value || '@shop.example', 1 FROM json_each('[1,2,3,4,5,6,7,8,9,10]')`,
	"INSERT INTO partner_programs (id, program_id, partner_id, status, created_at) SELECT id, 1, id, 'active', 1 FROM partners",
	"INSERT INTO referral_links (id, program_id, partner_program_id, short_link, created_at) SELECT id, 1, id, 'link' || id, 1 FROM partners",
];

const TRAFFIC = [
	`${NUMBERS} INSERT INTO affiliate_click_events (id, click_id, program_id, referral_link_id, is_test, is_bot, clicked_at, click_day, page_url,
		page_title, referrer_url, session_id, user_agent, language, timezone, country, source)
	SELECT i, 'cust_' || ((1767225600000 + i * 21600) * 1000 + i % 1000) || '_' || (abs(random()) % 1000000000000), 1, i % ${PARTNERS} + 1, i % 1000 = 0,
		i % 50 = 1, 1767225600000 + i * 21600, date(1767225600 + i * 21.6, 'unixepoch'), 'https://shop.example/product/' || (i % 977) || '?aff=link1',
		'Product ' || (i % 977), 'https://news.example/', 'sess-' || i, 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/126 Safari/537.36', 'en-US',
		'Europe/Berlin', 'DE', 'news.example' FROM n`,
	`INSERT INTO customers (id, program_id, customer_key, status, signup_date, first_purchase_date, partner_program_id, referral_link_id, click_id,
		clicked_at, click_sequence, email_hash, created_at, revision, country, source)
	SELECT id, 1, 'user_' || ${OPERATION}, 'conversion', click_day, click_day, referral_link_id, referral_link_id, click_id, clicked_at, 0,
		iif(id % 3 = 0, hex(randomblob(20)), NULL), clicked_at, 1, 'DE', 'news.example' FROM affiliate_click_events`,
	`INSERT INTO affiliate_lead_events (id, program_id, customer_id, click_id, customer_key, is_test, created_at, op_id)
	SELECT id, 1, iif(id % 1000 = 0, NULL, id), click_id, customer_key, id % 1000 = 0, created_at, ${OPERATION} FROM customers`,
	`INSERT INTO affiliate_sale_events (id, program_id, processor_event_id, is_test, customer_id, partner_program_id, amount_cents, currency, sale_type,
		is_recurring, commission_state, inside_window, sale_day, op_id, created_at, subscription_id, product_id, charged_cents, refunded_cents,
		reported_refund_cents)
	SELECT id, 1, 'pi_' || hex(randomblob(12)), 0, id, partner_program_id, 5000, 'USD', 'payment', 0, 'made', 1, signup_date, ${OPERATION}, created_at,
		iif(id % 2, NULL, 'sub_' || hex(randomblob(10))), 'plan_' || (id % 7), 5000, iif(id % 2, 0, 1000), iif(id % 2, 0, 1000) FROM customers`,
	'UPDATE affiliate_sale_events SET duplicate_of_sale_id = id - 1, refunded_cents = amount_cents WHERE id % 10 = 0',
	`${NUMBERS} INSERT INTO payouts (id, program_id, partner_program_id, currency, due_cents, recovered_cents, amount_cents, created_by, created_at, op_id)
	SELECT i, 1, i % ${PARTNERS} + 1, 'USD', 1000, 0, 1000, 1, 1, ${OPERATION} FROM n`,
	`INSERT INTO commissions (id, program_id, partner_program_id, sale_id, rule_version_id, amount_cents, currency, status, deducted_cents,
		status_before_refund, hold_until, paid_at, payout_id, created_at, created_day)
	SELECT id, 1, partner_program_id, id, 1, 1000, 'USD',
		CASE WHEN id % 2 = 0 THEN 'refunded' WHEN id % 3 = 0 THEN 'paid' WHEN id % 5 = 0 THEN 'pending' ELSE 'approved' END, iif(id % 2, 0, 200),
		iif(id % 2, NULL, 'approved'), created_at, iif(id % 6 = 3, created_at, NULL), iif(id % 6 = 3, id, NULL), created_at, sale_day
	FROM affiliate_sale_events`,
	`INSERT INTO ledger_entries (partner_program_id, currency, kind, commission_id, nominal_cents, applied_cents, balance_after_cents, operation, created_at)
	SELECT partner_program_id, 'USD', 'credit', id, 1000, 1000, 0, ${OPERATION}, created_at FROM commissions
	UNION ALL SELECT partner_program_id, 'USD', 'reversal', id, -200, -200, 0, ${OPERATION}, created_at FROM commissions WHERE deducted_cents > 0`,
	"INSERT INTO partner_program_balances SELECT partner_program_id, 'USD', 0, max(id) FROM ledger_entries GROUP BY 1",
	`INSERT INTO refund_events (id, program_id, sale_id, refund_id, is_test, amount_cents, deduction_cents, outcome, reason, created_at, refund_day, op_id, source)
	SELECT id, 1, id, iif(id % 3, NULL, 're_' || id), 0, 1000, 200, 'refunded', 'changed their mind', created_at, sale_day, ${OPERATION},
		iif(id % 5, 'endpoint', 'processor') FROM affiliate_sale_events`,
	`INSERT INTO notifications (id, partner_id, user_id, program_id, kind, detail, outbox_id, created_at, read_at)
	SELECT id, iif(id % 9, partner_program_id, NULL), iif(id % 9, NULL, 1), 1, 'commission_created', json_object('commission_id', id, 'sale_id', sale_id,
		'amount_cents', amount_cents, 'currency', currency, 'status', status), ${OPERATION}, created_at, iif(id % 2, NULL, 1) FROM commissions`,
	"INSERT INTO sale_aliases (alias, is_test, sale_id, created_at) SELECT 'ch_' || hex(randomblob(12)), 0, id, created_at FROM affiliate_sale_events",
	`INSERT INTO payment_reversals (sale_id, kind, reversal_id, amount_cents, currency, happened_at)
	SELECT id, 'refund', 're_' || hex(randomblob(12)), 1000, 'USD', created_at FROM affiliate_sale_events`,
	`INSERT INTO processor_events (id, program_id, processor, event_id, type, is_test, happened_at, received_at, payload, state, reason, sale_id, attempts,
		expires_at, settled_at, revision)
	SELECT id, 1, 'stripe', 'evt_' || hex(randomblob(12)), 'checkout.session.completed', 0, created_at, created_at,
		iif(id % 10, NULL, json_object('body', hex(randomblob(1500)))), iif(id % 11, 'applied', 'refused'), 'Sale recorded', id, 1, 1, created_at, 1
	FROM affiliate_sale_events`,
	"INSERT INTO processor_event_waits SELECT 1, 'pi_' || id, id FROM processor_events",
	`INSERT INTO processor_bindings (program_id, is_test, processor_id, customer_key, told_at)
	SELECT 1, 0, 'sub_' || hex(randomblob(10)), customer_key, created_at FROM customers`,
];
