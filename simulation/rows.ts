import type { DatabaseSync, StatementSync } from 'node:sqlite';

// What the invariants look at: all that is stored that has to do with money, read once after a step.

export interface CustomerRow {
	id: number;
	program_id: number;
	customer_key: string | null;
	status: 'click' | 'lead' | 'conversion';
	signup_date: string | null;
	first_purchase_date: string | null;
	partner_program_id: number | null;
	referral_link_id: number | null;
	click_id: string | null;
	clicked_at: number | null;
	click_sequence: number | null;
	email_hash: string | null;
}

export interface LeadRow {
	id: number;
	program_id: number;
	customer_id: number | null;
	is_test: number;
	created_at: number;
	op_id: string;
}

export interface SaleRow {
	id: number;
	program_id: number;
	processor_event_id: string;
	is_test: number;
	customer_id: number | null;
	partner_program_id: number | null;
	amount_cents: number;
	currency: string;
	subscription_id: string | null;
	product_id: string | null;
	inside_window: number;
	commission_state: 'made' | 'none' | 'failed';
	no_commission_reason: string | null;
	owed_commission: string | null;
	refunded_cents: number;
	reported_refund_cents: number;
	charged_cents: number | null;
	duplicate_of_sale_id: number | null;
	created_at: number;
	sale_day: string;
	op_id: string;
}

export interface RefundRow {
	id: number;
	program_id: number;
	sale_id: number;
	refund_id: string | null;
	is_test: number;
	amount_cents: number;
	deduction_cents: number | null;
	outcome: 'reversed' | 'refunded' | 'no_commission' | 'reinstated' | 'skipped' | 'test';
	source: 'endpoint' | 'processor';
	created_at: number;
	op_id: string;
}

export interface AliasRow {
	alias: string;
	is_test: number;
	sale_id: number;
}

/** What the processor told of money given back. */
export interface ToldRow {
	sale_id: number;
	kind: 'refund' | 'dispute' | 'total';
	reversal_id: string;
	amount_cents: number;
	currency: string;
	happened_at: number;
	undone_at: number | null;
}

export interface CommissionRow {
	id: number;
	program_id: number;
	partner_program_id: number;
	sale_id: number;
	rule_version_id: number;
	amount_cents: number;
	currency: string;
	status: 'pending' | 'approved' | 'paid' | 'rejected' | 'reversed' | 'refunded';
	status_before_refund: 'pending' | 'approved' | 'paid' | null;
	deducted_cents: number;
	hold_until: number;
	paid_at: number | null;
	payout_id: number | null;
	created_at: number;
	created_day: string;
}

export interface EntryRow {
	id: number;
	partner_program_id: number;
	currency: string;
	kind: 'credit' | 'reversal' | 'reinstatement' | 'rejection' | 'payout' | 'recovery';
	commission_id: number | null;
	payout_id: number | null;
	nominal_cents: number;
	applied_cents: number;
	balance_after_cents: number;
	operation: string;
}

export interface BalanceRow {
	partner_program_id: number;
	currency: string;
	balance_cents: number;
}

export interface PayoutRow {
	id: number;
	program_id: number;
	partner_program_id: number;
	currency: string;
	commission_cents: number;
	recovered_cents: number;
	amount_cents: number;
	op_id: string;
	created_at: number;
}

export interface OutboxRow {
	id: string;
	program_id: number;
	kind: 'sale_recorded' | 'commission_created' | 'sale_refunded' | 'commission_rejected' | 'payout_made';
	subject_id: number;
	done_at: number | null;
}

export interface NotificationRow {
	partner_id: number | null;
	user_id: number | null;
	program_id: number;
	kind: string;
	outbox_id: string;
}

export interface MetricRow {
	program_id: number;
	currency: string;
	sales: number;
	revenue_cents: number;
	refunded_cents: number;
	commission_cents: number;
	deducted_cents: number;
}

export interface ClickRow {
	click_id: string;
	program_id: number;
	referral_link_id: number;
	is_test: number;
	is_bot: number;
	clicked_at: number;
	click_day: string;
	country: string | null;
	source: string | null;
}

export interface AuditRow {
	program_id: number | null;
	action: string;
	operation: string | null;
	commission_ids: string | null;
}

export interface RuleRow {
	id: number;
	program_id: number;
	partner_id: number | null;
	product_id: string | null;
	version_id: number;
	type: 'percent' | 'flat';
	basis_points: number | null;
	amount_cents: number | null;
	currency: string | null;
	recurring_months: number | null;
	hold_days: number;
}

export interface MembershipRow {
	id: number;
	program_id: number;
	partner_id: number;
	status: 'active' | 'suspended' | 'ended';
	created_day: string | null;
}

export interface DailyRow {
	program_id: number;
	day: string;
	currency: string;
	clicks: number;
	leads: number;
	open_leads: number;
	conversions: number;
	partners: number;
	sales: number;
	revenue_cents: number;
	refunded_cents: number;
	commission_cents: number;
	deducted_cents: number;
}

export interface BreakdownRow extends Omit<DailyRow, 'open_leads' | 'partners'> {
	dimension: 'partner' | 'link' | 'product' | 'country' | 'source';
	value: string;
}

export interface Rows {
	customers: CustomerRow[];
	leads: LeadRow[];
	sales: SaleRow[];
	aliases: AliasRow[];
	told: ToldRow[];
	refunds: RefundRow[];
	commissions: CommissionRow[];
	entries: EntryRow[];
	balances: BalanceRow[];
	payouts: PayoutRow[];
	outbox: OutboxRow[];
	notifications: NotificationRow[];
	metrics: MetricRow[];
	clicks: ClickRow[];
	audits: AuditRow[];
	/** With the current version of each that is in force. */
	rules: RuleRow[];
	memberships: MembershipRow[];
	/** The daily rows that reports are read from. */
	daily: DailyRow[];
	/** And those by partner, link, product, country and source. */
	breakdown: BreakdownRow[];
}

const QUERIES = {
	customers: `SELECT id, program_id, customer_key, status, signup_date, first_purchase_date, partner_program_id, referral_link_id,
		click_id, clicked_at, click_sequence, email_hash FROM customers ORDER BY id`,
	leads: 'SELECT id, program_id, customer_id, is_test, created_at, op_id FROM affiliate_lead_events ORDER BY id',
	sales: `SELECT id, program_id, processor_event_id, is_test, customer_id, partner_program_id, amount_cents, currency, subscription_id,
		product_id, inside_window, commission_state, no_commission_reason, owed_commission, refunded_cents,
		reported_refund_cents, charged_cents, duplicate_of_sale_id, created_at, sale_day, op_id
		FROM affiliate_sale_events ORDER BY id`,
	aliases: 'SELECT alias, is_test, sale_id FROM sale_aliases',
	told: 'SELECT sale_id, kind, reversal_id, amount_cents, currency, happened_at, undone_at FROM payment_reversals',
	refunds: `SELECT id, program_id, sale_id, refund_id, is_test, amount_cents, deduction_cents, outcome, source, created_at, op_id
		FROM refund_events ORDER BY id`,
	commissions: `SELECT id, program_id, partner_program_id, sale_id, rule_version_id, amount_cents, currency, status, status_before_refund,
		deducted_cents, hold_until, paid_at, payout_id, created_at, created_day FROM commissions ORDER BY id`,
	entries: `SELECT id, partner_program_id, currency, kind, commission_id, payout_id, nominal_cents, applied_cents, balance_after_cents,
		operation FROM ledger_entries ORDER BY id`,
	balances: 'SELECT partner_program_id, currency, balance_cents FROM partner_program_balances',
	payouts: `SELECT id, program_id, partner_program_id, currency, commission_cents, recovered_cents, amount_cents, op_id, created_at
		FROM payouts ORDER BY id`,
	outbox: 'SELECT id, program_id, kind, subject_id, done_at FROM outbox',
	notifications: 'SELECT partner_id, user_id, program_id, kind, outbox_id FROM notifications',
	metrics: `SELECT program_id, currency, sales, revenue_cents, refunded_cents, commission_cents, deducted_cents FROM program_metrics`,
	clicks:
		'SELECT click_id, program_id, referral_link_id, is_test, is_bot, clicked_at, click_day, country, source FROM affiliate_click_events',
	audits: `SELECT program_id, action, json_extract(detail, '$.operation') AS operation, json_extract(detail, '$.commission_ids') AS commission_ids
		FROM audit_entries`,
	rules: `SELECT r.id, r.program_id, r.partner_id, r.product_id, v.id AS version_id, v.type, v.basis_points, v.amount_cents, v.currency,
		v.recurring_months, v.hold_days
		FROM commission_rules r JOIN commission_rule_versions v ON v.rule_id = r.id AND v.version = r.current_version
		WHERE r.archived_at IS NULL`,
	memberships: 'SELECT id, program_id, partner_id, status, created_day FROM partner_programs ORDER BY id',
	daily: 'SELECT * FROM daily_performance',
	breakdown: 'SELECT * FROM daily_breakdown',
} as const satisfies Record<keyof Rows, string>;

/** The tables behind each query, as they stand in the text of a statement. */
const TABLES: Record<keyof Rows, RegExp> = {
	customers: /customers/,
	leads: /affiliate_lead_events/,
	sales: /affiliate_sale_events/,
	aliases: /sale_aliases/,
	told: /payment_reversals/,
	refunds: /refund_events/,
	commissions: /commissions/,
	entries: /ledger_entries/,
	balances: /ledger_entries|partner_program_balances/,
	payouts: /payouts/,
	outbox: /outbox/,
	notifications: /notifications/,
	metrics: /program_metrics/,
	clicks: /affiliate_click_events/,
	audits: /audit_entries/,
	rules: /commission_rule/,
	memberships: /partner_programs/,
	daily: /daily_performance|customers|affiliate_click_events|affiliate_sale_events|commissions|partner_programs|programs/,
	breakdown: /daily_breakdown|customers|affiliate_click_events|affiliate_sale_events|commissions|programs/,
};

const NAMES = Object.keys(QUERIES) as readonly (keyof Rows)[];

/** Reads rows, and again only those that a write since then may have changed. */
export class RowReader {
	readonly #queries: Readonly<Record<keyof Rows, StatementSync>>;
	readonly #touched = new Map<string, readonly (keyof Rows)[]>();

	constructor(sqlite: DatabaseSync) {
		this.#queries = Object.fromEntries(NAMES.map((name) => [name, sqlite.prepare(QUERIES[name])])) as Record<keyof Rows, StatementSync>;
	}

	all(): Rows {
		return this.refresh({} as Rows, NAMES);
	}

	/** The rows as they are now; `names` tells which may have changed. */
	refresh(rows: Rows, names: Iterable<keyof Rows>): Rows {
		const read: Record<string, unknown> = { ...rows };
		for (const name of names) read[name] = this.#queries[name].all();
		return read as unknown as Rows;
	}

	/** Which rows a written statement may have changed. */
	touchedBy(statement: string): readonly (keyof Rows)[] {
		let touched = this.#touched.get(statement);
		if (!touched) {
			const target = /^\s*(?:insert\s+into|update|delete\s+from)\s+"?(\w+)/i.exec(statement)?.[1];
			touched = target === undefined ? [] : NAMES.filter((name) => TABLES[name].test(target));
			this.#touched.set(statement, touched);
		}
		return touched;
	}
}
