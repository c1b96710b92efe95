import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Rows } from './rows.ts';

const QUERIES = {
	customers: `SELECT id, program_id, customer_key, status, signup_date, first_purchase_date, partner_program_id, referral_link_id,
		click_id, clicked_at, click_sequence, country, source, sub_id, email_hash, email, key_from_page, erased_at, coupon_id FROM customers ORDER BY id`,
	leads: 'SELECT id, program_id, customer_id, is_test, created_at, op_id FROM affiliate_lead_events ORDER BY id',
	leadKeys: 'SELECT id, customer_id, customer_key FROM affiliate_lead_events WHERE customer_key IS NOT NULL AND customer_id IS NOT NULL',
	deliveryKeys: `SELECT d.id, d.customer_id, d.payload ->> '$.data.customer_key' AS customer_key
		FROM webhook_deliveries d JOIN customers c ON c.id = d.customer_id AND c.erased_at IS NULL
		WHERE d.payload ->> '$.data.customer_key' IS NOT NULL`,
	sales: `SELECT id, program_id, processor_event_id, id_scope, is_test, customer_id, partner_program_id, amount_cents, currency, is_recurring,
		subscription_id, product_id, line_items, inside_window, decision_facts, commission_state, no_commission_reason, owed_commission, refunded_cents,
		reported_refund_cents, charged_cents, charged_currency, duplicate_of_sale_id, created_at, sale_day, op_id, coupon_id
		FROM affiliate_sale_events ORDER BY id`,
	aliases: 'SELECT alias, is_test, sale_id FROM sale_aliases',
	reportedReversals:
		'SELECT sale_id, kind, reversal_id, amount_cents, currency, happened_at, undone_at, stood_at, charge_id, charge_cents FROM payment_reversals',
	refunds: `SELECT id, program_id, sale_id, refund_id, is_test, amount_cents, deduction_cents, outcome, source, created_at, op_id
		FROM refund_events ORDER BY id`,
	commissions: `SELECT id, program_id, partner_program_id, sale_id, rule_version_id, amount_cents, currency, status, status_before_refund,
		deducted_cents, hold_until, paid_at, payout_id, created_at, created_day FROM commissions ORDER BY id`,
	entries: `SELECT id, partner_program_id, currency, kind, commission_id, payout_id, nominal_cents, applied_cents, balance_after_cents,
		operation FROM ledger_entries ORDER BY id`,
	balances: 'SELECT partner_program_id, currency, balance_cents FROM partner_program_balances',
	payouts: `SELECT id, program_id, partner_program_id, currency, due_cents, surplus_cents, recovered_cents, amount_cents, op_id, created_at,
		sent_at, failed_at FROM payouts ORDER BY id`,
	payoutSums: 'SELECT * FROM payout_sums',
	outbox: 'SELECT id, program_id, kind, subject_id, moves, referral_link_id, product_id, country, source FROM outbox',
	webhooks: 'SELECT program_id, types FROM webhook_endpoints WHERE disabled_at IS NULL AND deleted_at IS NULL',
	deliveries: `SELECT e.program_id, d.endpoint_id, d.type, d.subject_id FROM webhook_deliveries d JOIN webhook_endpoints e ON e.id = d.endpoint_id
		WHERE d.is_test = 0`,
	postbacks: 'SELECT id, partner_program_id, events, disabled_for FROM postbacks ORDER BY id',
	postbackCalls: `SELECT id, postback_id, event, subject_id, amount_cents, currency, state, attempts, last_error FROM postback_deliveries
		ORDER BY id`,
	notifications: `SELECT partner_id, user_id, program_id, kind, detail ->> 'commission_id' AS commission_id, detail ->> 'payout_id' AS payout_id,
		detail ->> 'application_id' AS application_id,
		detail ->> 'amount_cents' AS amount_cents, detail ->> 'deduction_cents' AS deduction_cents,
		detail ->> 'withheld_cents' AS withheld_cents, detail ->> 'currency' AS currency,
		detail ->> 'commissions' AS commissions FROM notifications`,
	clicks:
		'SELECT id, click_id, program_id, referral_link_id, is_test, is_bot, clicked_at, click_day, country, source, sub_id, referrer_url FROM affiliate_click_events ORDER BY id',
	retiredDays: 'SELECT program_id, day, clicks, files, deleted FROM retired_click_days ORDER BY program_id, day',
	erasedIds: 'SELECT program_id, hash FROM erased_ids',
	audits: `SELECT program_id, action, json_extract(detail, '$.operation') AS operation, json_extract(detail, '$.commission_ids') AS commission_ids
		FROM audit_entries`,
	rules: `SELECT r.id, r.program_id, r.partner_id, r.group_id, r.product_id, v.id AS version_id, v.type, v.basis_points, v.amount_cents, v.currency,
		v.recurring_months, v.hold_days
		FROM commission_rules r JOIN commission_rule_versions v ON v.rule_id = r.id AND v.version = r.current_version
		WHERE r.archived_at IS NULL`,
	memberships: 'SELECT id, program_id, partner_id, group_id, status, created_day FROM partner_programs ORDER BY id',
	partners: 'SELECT id, workspace_id, email, user_id FROM partners ORDER BY id',
	applications: 'SELECT id, program_id, email, name, message, status, partner_id, decided_by FROM partner_applications ORDER BY id',
	links: 'SELECT id, partner_program_id FROM referral_links',
	programs: 'SELECT id, currency, time_zone, created_at, click_retention_days, retire_clicks_at, old_clicks_from FROM programs ORDER BY id',
	reviewers: `SELECT p.id AS program_id, m.user_id FROM programs p JOIN members m ON m.workspace_id = p.workspace_id
		WHERE m.role IN ('owner', 'admin') AND m.deactivated_at IS NULL`,
	daily: 'SELECT * FROM daily_performance',
	breakdown: 'SELECT * FROM daily_breakdown',
	monthly: 'SELECT * FROM monthly_breakdown',
	closedMonths: 'SELECT * FROM breakdown_months',
	sumScopes: 'SELECT * FROM commission_sum_scopes',
	sums: 'SELECT * FROM commission_sums',
	inbox: `SELECT id, program_id, event_id, type, is_test, state, reason, sale_id, received_at, settled_at, next_attempt_at, expires_at, revision,
		payload IS NOT NULL AS has_payload FROM processor_events ORDER BY id`,
	waits: 'SELECT program_id, processor_id, processor_event_id FROM processor_event_waits',
} as const satisfies Record<keyof Rows, string>;

/** The tables that each query reads, as they appear in SQL. */
const TABLES: Record<keyof Rows, RegExp> = {
	customers: /customers/,
	leads: /affiliate_lead_events/,
	leadKeys: /affiliate_lead_events/,
	deliveryKeys: /webhook_deliveries|customers/,
	sales: /affiliate_sale_events/,
	aliases: /sale_aliases/,
	reportedReversals: /payment_reversals/,
	refunds: /refund_events/,
	commissions: /commissions/,
	entries: /ledger_entries/,
	balances: /ledger_entries|partner_program_balances/,
	payouts: /payouts/,
	// Triggers on payouts change it.
	payoutSums: /payouts/,
	webhooks: /webhook_endpoints/,
	deliveries: /webhook_deliveries/,
	postbacks: /^postbacks/,
	postbackCalls: /postback_deliveries/,
	outbox: /outbox/,
	notifications: /notifications/,
	clicks: /affiliate_click_events/,
	retiredDays: /retired_click_days/,
	erasedIds: /erased_ids/,
	audits: /audit_entries/,
	rules: /commission_rule/,
	memberships: /partner_programs/,
	partners: /^partners/,
	applications: /partner_applications/,
	links: /referral_links/,
	programs: /^programs/,
	reviewers: /^members/,
	daily: /daily_performance/,
	breakdown: /daily_breakdown/,
	monthly: /monthly_breakdown/,
	closedMonths: /breakdown_months/,
	sumScopes: /commission_sum_scopes/,
	sums: /commission_sums/,
	inbox: /processor_events/,
	waits: /processor_event_waits/,
};

const NAMES = Object.keys(QUERIES) as readonly (keyof Rows)[];

/** Reads all rows once, and later only those that a write may have changed. */
export class RowReader {
	readonly #queries: Readonly<Record<keyof Rows, StatementSync>>;
	readonly #touched = new Map<string, readonly (keyof Rows)[]>();

	constructor(sqlite: DatabaseSync) {
		this.#queries = Object.fromEntries(NAMES.map((name) => [name, sqlite.prepare(QUERIES[name])])) as Record<keyof Rows, StatementSync>;
	}

	all(): Rows {
		return this.refresh({} as Rows, NAMES);
	}

	/** Reads only `names` again. */
	refresh(rows: Rows, names: Iterable<keyof Rows>): Rows {
		const read: Record<string, unknown> = { ...rows };
		for (const name of names) read[name] = this.#queries[name].all();
		return read as unknown as Rows;
	}

	touchedBy(statement: string): readonly (keyof Rows)[] {
		let touched = this.#touched.get(statement);
		if (!touched) {
			const target = /^\s*(?:insert\s+into|update(?:\s+or\s+\w+)?|delete\s+from)\s+"?(\w+)/i.exec(statement)?.[1];
			touched = target === undefined ? [] : NAMES.filter((name) => TABLES[name].test(target));
			this.#touched.set(statement, touched);
		}
		return touched;
	}
}
