// All stored data that concerns money.

import type { ClickRow, ErasedIdRow, RetiredDayRow } from './rows-of-clicks.ts';
import type { MonthlyRow, PayoutSumRow, SumRow, SumScopeRow } from './rows-of-sums.ts';
import type { DeliveryRow, PostbackCallRow, PostbackRow, WebhookRow } from './rows-of-receivers.ts';
import type { ApplicationRow, AuditRow, LinkRow, MembershipRow, PartnerRow, ProgramRow, ReviewerRow, RuleRow } from './rows-of-programs.ts';

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
	/** Copied from the click once it is stored. */
	country: string | null;
	source: string | null;
	sub_id: string | null;
	email_hash: string | null;
	/** In plain text, if the program keeps it. */
	email: string | null;
	/** Only a page has claimed the key. */
	key_from_page: number;
	erased_at: number | null;
	coupon_id: number | null;
}

export interface LeadRow {
	id: number;
	program_id: number;
	customer_id: number | null;
	is_test: number;
	created_at: number;
	op_id: string;
}

export interface LeadKeyRow {
	id: number;
	customer_id: number;
	customer_key: string;
}

/** Excludes deliveries of erased customers, because their texts are erased later. */
export interface DeliveryKeyRow {
	id: number;
	customer_id: number;
	customer_key: string;
}

export interface SaleRow {
	id: number;
	program_id: number;
	processor_event_id: string;
	id_scope: number;
	is_test: number;
	customer_id: number | null;
	partner_program_id: number | null;
	amount_cents: number;
	currency: string;
	is_recurring: number;
	subscription_id: string | null;
	product_id: string | null;
	/** JSON. Null after an erasure too. */
	line_items: string | null;
	inside_window: number;
	decision_facts: string | null;
	commission_state: 'made' | 'none' | 'failed';
	no_commission_reason: string | null;
	owed_commission: string | null;
	refunded_cents: number;
	reported_refund_cents: number;
	charged_cents: number | null;
	charged_currency: string | null;
	duplicate_of_sale_id: number | null;
	created_at: number;
	sale_day: string;
	op_id: string;
	coupon_id: number | null;
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

export interface ReportedReversalRow {
	sale_id: number;
	kind: 'refund' | 'dispute' | 'total';
	reversal_id: string;
	amount_cents: number;
	currency: string;
	happened_at: number;
	undone_at: number | null;
	stood_at: number | null;
	charge_id: string | null;
	charge_cents: number | null;
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
	kind: 'credit' | 'reversal' | 'reinstatement' | 'rejection' | 'payout' | 'recovery' | 'surplus' | 'return';
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
	due_cents: number;
	surplus_cents: number;
	recovered_cents: number;
	amount_cents: number;
	op_id: string;
	created_at: number;
	sent_at: number | null;
	failed_at: number | null;
}

/** An effect that has yet to be applied. */
export interface OutboxRow {
	id: string;
	program_id: number;
	kind: string;
	subject_id: number;
	/** JSON: its metric deltas. */
	moves: string | null;
	referral_link_id: number | null;
	product_id: string | null;
	country: string | null;
	source: string | null;
}

export interface NotificationRow {
	partner_id: number | null;
	user_id: number | null;
	program_id: number;
	kind: string;
	/** Read from its detail. */
	commission_id: number | null;
	payout_id: number | null;
	application_id: number | null;
	amount_cents: number | null;
	deduction_cents: number | null;
	withheld_cents: number | null;
	currency: string | null;
	commissions: number | null;
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
	dimension: 'link' | 'product' | 'country' | 'source';
	value: string;
}

export interface InboxRow {
	id: number;
	program_id: number;
	event_id: string;
	type: string;
	is_test: number;
	state: 'received' | 'waiting' | 'applied' | 'ignored' | 'refused' | 'expired' | 'failed';
	reason: string | null;
	sale_id: number | null;
	received_at: number;
	settled_at: number | null;
	next_attempt_at: number | null;
	expires_at: number;
	revision: number;
	has_payload: number;
}

export interface WaitRow {
	program_id: number;
	processor_id: string;
	processor_event_id: number;
}

export interface Rows {
	webhooks: WebhookRow[];
	deliveries: DeliveryRow[];
	postbacks: PostbackRow[];
	postbackCalls: PostbackCallRow[];
	customers: CustomerRow[];
	leads: LeadRow[];
	leadKeys: LeadKeyRow[];
	deliveryKeys: DeliveryKeyRow[];
	sales: SaleRow[];
	aliases: AliasRow[];
	reportedReversals: ReportedReversalRow[];
	refunds: RefundRow[];
	commissions: CommissionRow[];
	entries: EntryRow[];
	balances: BalanceRow[];
	payouts: PayoutRow[];
	payoutSums: PayoutSumRow[];
	outbox: OutboxRow[];
	notifications: NotificationRow[];
	/** In a history, also the retired ones (stored-clicks.ts). */
	clicks: ClickRow[];
	retiredDays: RetiredDayRow[];
	erasedIds: ErasedIdRow[];
	audits: AuditRow[];
	/** With their current versions; archived rules are excluded. */
	rules: RuleRow[];
	memberships: MembershipRow[];
	partners: PartnerRow[];
	applications: ApplicationRow[];
	links: LinkRow[];
	programs: ProgramRow[];
	reviewers: ReviewerRow[];
	daily: DailyRow[];
	breakdown: BreakdownRow[];
	monthly: MonthlyRow[];
	closedMonths: Pick<MonthlyRow, 'program_id' | 'dimension' | 'month'>[];
	/** Scopes with stored sums, each up to a given day, and the sums. */
	sumScopes: SumScopeRow[];
	sums: SumRow[];
	inbox: InboxRow[];
	waits: WaitRow[];
}
