-- What Drizzle cannot express: append-only tables, state machines and the ledger's chain.

CREATE TRIGGER audit_entries_keep BEFORE UPDATE ON audit_entries BEGIN
	SELECT RAISE(ABORT, 'audit_entries: append-only');
END;
--> statement-breakpoint
CREATE TRIGGER audit_entries_stay BEFORE DELETE ON audit_entries BEGIN
	SELECT RAISE(ABORT, 'audit_entries: append-only');
END;
--> statement-breakpoint
CREATE TRIGGER members_last_owner BEFORE UPDATE OF role, deactivated_at ON members
WHEN OLD.role = 'owner' AND OLD.deactivated_at IS NULL AND (NEW.role <> 'owner' OR NEW.deactivated_at IS NOT NULL)
	AND NOT EXISTS (
		SELECT 1 FROM members
		WHERE workspace_id = OLD.workspace_id AND id <> OLD.id AND role = 'owner' AND deactivated_at IS NULL
	)
BEGIN
	SELECT RAISE(ABORT, 'members: the last owner stays');
END;
--> statement-breakpoint
CREATE TRIGGER members_stay BEFORE DELETE ON members BEGIN
	SELECT RAISE(ABORT, 'members: deactivate instead');
END;
--> statement-breakpoint
CREATE TRIGGER programs_currency_fixed BEFORE UPDATE OF currency ON programs
WHEN NEW.currency <> OLD.currency AND EXISTS (SELECT 1 FROM affiliate_sale_events WHERE program_id = OLD.id)
BEGIN
	SELECT RAISE(ABORT, 'programs: currency is fixed after the first sale');
END;
--> statement-breakpoint
CREATE TRIGGER programs_time_zone_fixed BEFORE UPDATE OF time_zone ON programs
WHEN NEW.time_zone <> OLD.time_zone AND (
	EXISTS (SELECT 1 FROM affiliate_click_events WHERE program_id = OLD.id)
	OR EXISTS (SELECT 1 FROM affiliate_lead_events WHERE program_id = OLD.id)
	OR EXISTS (SELECT 1 FROM affiliate_sale_events WHERE program_id = OLD.id)
)
BEGIN
	SELECT RAISE(ABORT, 'programs: time_zone is fixed after the first event');
END;
--> statement-breakpoint
CREATE TRIGGER commission_rule_versions_keep BEFORE UPDATE ON commission_rule_versions BEGIN
	SELECT RAISE(ABORT, 'commission_rule_versions: append-only');
END;
--> statement-breakpoint
CREATE TRIGGER commission_rule_versions_stay BEFORE DELETE ON commission_rule_versions BEGIN
	SELECT RAISE(ABORT, 'commission_rule_versions: append-only');
END;
--> statement-breakpoint
CREATE TRIGGER referral_links_partner_fixed BEFORE UPDATE OF partner_program_id, program_id, short_link ON referral_links
WHEN (NEW.partner_program_id IS NOT NULL AND NEW.partner_program_id IS NOT OLD.partner_program_id)
	OR NEW.program_id IS NOT OLD.program_id OR NEW.short_link <> OLD.short_link
BEGIN
	SELECT RAISE(ABORT, 'referral_links: a link keeps its partner, program and short_link');
END;
--> statement-breakpoint
CREATE TRIGGER referral_links_stay BEFORE DELETE ON referral_links BEGIN
	SELECT RAISE(ABORT, 'referral_links: archive instead');
END;
--> statement-breakpoint
-- A change that read an older revision is refused as stale, so that its request decides again. SQLite does not promise an order
-- of triggers: the others of these tables leave such a change to this one.
CREATE TRIGGER customers_revised BEFORE UPDATE ON customers WHEN NEW.revision <> OLD.revision + 1 BEGIN
	SELECT RAISE(ABORT, 'stale revision: customers');
END;
--> statement-breakpoint
CREATE TRIGGER customers_forward BEFORE UPDATE ON customers
WHEN NEW.revision = OLD.revision + 1 AND ((OLD.status = 'conversion' AND NEW.status <> 'conversion')
	OR (OLD.status = 'lead' AND NEW.status = 'click')
	OR (OLD.click_id IS NOT NULL AND (NEW.click_id IS NOT OLD.click_id OR NEW.partner_program_id IS NOT OLD.partner_program_id))
	OR (OLD.first_purchase_date IS NOT NULL AND NEW.first_purchase_date IS NOT OLD.first_purchase_date)
	OR NEW.program_id <> OLD.program_id)
BEGIN
	SELECT RAISE(ABORT, 'customers: status and attribution never go back');
END;
--> statement-breakpoint
CREATE TRIGGER affiliate_sale_events_revised BEFORE UPDATE ON affiliate_sale_events WHEN NEW.revision <> OLD.revision + 1 BEGIN
	SELECT RAISE(ABORT, 'stale revision: affiliate_sale_events');
END;
--> statement-breakpoint
CREATE TRIGGER affiliate_sale_events_keep BEFORE UPDATE ON affiliate_sale_events
WHEN NEW.revision = OLD.revision + 1 AND (NEW.program_id <> OLD.program_id OR NEW.processor_event_id <> OLD.processor_event_id OR NEW.is_test <> OLD.is_test
	OR NEW.customer_id IS NOT OLD.customer_id OR NEW.partner_program_id IS NOT OLD.partner_program_id
	OR NEW.amount_cents <> OLD.amount_cents OR NEW.currency <> OLD.currency
	OR NEW.created_at <> OLD.created_at OR NEW.sale_day <> OLD.sale_day OR NEW.op_id <> OLD.op_id
	OR (OLD.commission_state <> 'failed' AND NEW.commission_state <> OLD.commission_state))
BEGIN
	SELECT RAISE(ABORT, 'affiliate_sale_events: what was sold never changes');
END;
--> statement-breakpoint
CREATE TRIGGER affiliate_sale_events_stay BEFORE DELETE ON affiliate_sale_events WHEN OLD.is_test = 0 BEGIN
	SELECT RAISE(ABORT, 'affiliate_sale_events: real sales stay');
END;
--> statement-breakpoint
CREATE TRIGGER commissions_start BEFORE INSERT ON commissions
WHEN NEW.status NOT IN ('pending', 'approved') OR NEW.deducted_cents <> 0
	OR EXISTS (SELECT 1 FROM affiliate_sale_events WHERE id = NEW.sale_id AND (is_test = 1 OR program_id <> NEW.program_id OR currency <> NEW.currency OR partner_program_id IS NOT NEW.partner_program_id))
	OR EXISTS (SELECT 1 FROM partner_programs WHERE id = NEW.partner_program_id AND program_id <> NEW.program_id)
BEGIN
	SELECT RAISE(ABORT, 'commissions: a commission starts pending or approved, for a real sale of its program');
END;
--> statement-breakpoint
CREATE TRIGGER commissions_revised BEFORE UPDATE ON commissions WHEN NEW.revision <> OLD.revision + 1 BEGIN
	SELECT RAISE(ABORT, 'stale revision: commissions');
END;
--> statement-breakpoint
CREATE TRIGGER commissions_keep BEFORE UPDATE ON commissions
WHEN NEW.revision = OLD.revision + 1 AND (NEW.program_id <> OLD.program_id OR NEW.partner_program_id <> OLD.partner_program_id OR NEW.sale_id <> OLD.sale_id
	OR NEW.rule_version_id <> OLD.rule_version_id OR NEW.amount_cents <> OLD.amount_cents OR NEW.currency <> OLD.currency
	OR NEW.created_at <> OLD.created_at OR NEW.created_day <> OLD.created_day
	OR (OLD.paid_at IS NOT NULL AND (NEW.paid_at IS NOT OLD.paid_at OR NEW.payout_id IS NOT OLD.payout_id)))
BEGIN
	SELECT RAISE(ABORT, 'commissions: what was earned and what was paid never change');
END;
--> statement-breakpoint
-- pending -> approved -> paid; a refund leads to refunded or reversed, and back only to where it came from.
CREATE TRIGGER commissions_transition BEFORE UPDATE OF status ON commissions
WHEN NEW.revision = OLD.revision + 1 AND NEW.status <> OLD.status AND NOT (
	(OLD.status = 'pending' AND NEW.status IN ('approved', 'rejected', 'reversed', 'refunded'))
	OR (OLD.status = 'approved' AND NEW.status IN ('paid', 'rejected', 'reversed', 'refunded'))
	OR (OLD.status = 'paid' AND NEW.status IN ('reversed', 'refunded'))
	OR (OLD.status = 'refunded' AND NEW.status = 'reversed')
	OR (OLD.status IN ('refunded', 'reversed') AND NEW.deducted_cents < OLD.deducted_cents
		AND (NEW.status = 'refunded' OR NEW.status = CASE WHEN OLD.paid_at IS NOT NULL THEN 'paid' ELSE OLD.status_before_refund END))
)
BEGIN
	SELECT RAISE(ABORT, 'commissions: this transition is not allowed');
END;
--> statement-breakpoint
CREATE TRIGGER commissions_stay BEFORE DELETE ON commissions BEGIN
	SELECT RAISE(ABORT, 'commissions: stay');
END;
--> statement-breakpoint
CREATE TRIGGER payouts_keep BEFORE UPDATE ON payouts BEGIN
	SELECT RAISE(ABORT, 'payouts: append-only');
END;
--> statement-breakpoint
CREATE TRIGGER payouts_stay BEFORE DELETE ON payouts BEGIN
	SELECT RAISE(ABORT, 'payouts: append-only');
END;
--> statement-breakpoint
CREATE TRIGGER refund_events_keep BEFORE UPDATE ON refund_events BEGIN
	SELECT RAISE(ABORT, 'refund_events: append-only');
END;
--> statement-breakpoint
CREATE TRIGGER refund_events_stay BEFORE DELETE ON refund_events WHEN OLD.is_test = 0 BEGIN
	SELECT RAISE(ABORT, 'refund_events: append-only');
END;
--> statement-breakpoint
CREATE TRIGGER ledger_entries_keep BEFORE UPDATE ON ledger_entries BEGIN
	SELECT RAISE(ABORT, 'ledger_entries: append-only');
END;
--> statement-breakpoint
CREATE TRIGGER ledger_entries_stay BEFORE DELETE ON ledger_entries BEGIN
	SELECT RAISE(ABORT, 'ledger_entries: append-only');
END;
--> statement-breakpoint
CREATE TRIGGER ledger_entries_chain BEFORE INSERT ON ledger_entries
WHEN NEW.balance_after_cents <> NEW.applied_cents + coalesce((
	SELECT balance_cents FROM partner_program_balances
	WHERE partner_program_id = NEW.partner_program_id AND currency = NEW.currency
), 0)
BEGIN
	SELECT RAISE(ABORT, 'ledger_entries: the entry does not follow the balance');
END;
--> statement-breakpoint
-- An entry belongs to its commission's account and says what the commission says.
CREATE TRIGGER ledger_entries_agree AFTER INSERT ON ledger_entries WHEN NEW.commission_id IS NOT NULL AND NOT EXISTS (
	SELECT 1 FROM commissions c
	WHERE c.id = NEW.commission_id AND c.partner_program_id = NEW.partner_program_id AND c.currency = NEW.currency
		AND CASE NEW.kind
			WHEN 'credit' THEN NEW.nominal_cents = c.amount_cents
			WHEN 'rejection' THEN c.status = 'rejected' AND NEW.nominal_cents = c.deducted_cents - c.amount_cents
			WHEN 'payout' THEN c.payout_id = NEW.payout_id AND NEW.nominal_cents = c.deducted_cents - c.amount_cents
			ELSE c.deducted_cents = -(
				SELECT sum(nominal_cents) FROM ledger_entries
				WHERE commission_id = NEW.commission_id AND kind IN ('reversal', 'reinstatement')
			) END
)
BEGIN
	SELECT RAISE(ABORT, 'ledger_entries: the entry does not agree with its commission');
END;
--> statement-breakpoint
CREATE TRIGGER ledger_entries_apply AFTER INSERT ON ledger_entries BEGIN
	INSERT INTO partner_program_balances (partner_program_id, currency, balance_cents, last_entry_id)
	VALUES (NEW.partner_program_id, NEW.currency, NEW.balance_after_cents, NEW.id)
	ON CONFLICT (partner_program_id, currency) DO UPDATE
	SET balance_cents = excluded.balance_cents, last_entry_id = excluded.last_entry_id;
END;
--> statement-breakpoint
-- The first entry of an account begins its balance; a row that says anything else than the newest entry is refused.
CREATE TRIGGER partner_program_balances_begin BEFORE INSERT ON partner_program_balances
WHEN NOT EXISTS (
	SELECT 1 FROM ledger_entries
	WHERE id = NEW.last_entry_id AND partner_program_id = NEW.partner_program_id AND currency = NEW.currency
		AND balance_after_cents = NEW.balance_cents
) OR EXISTS (
	SELECT 1 FROM ledger_entries
	WHERE partner_program_id = NEW.partner_program_id AND currency = NEW.currency AND id > NEW.last_entry_id
)
BEGIN
	SELECT RAISE(ABORT, 'partner_program_balances: only the ledger moves a balance');
END;
--> statement-breakpoint
CREATE TRIGGER partner_program_balances_follow BEFORE UPDATE ON partner_program_balances
WHEN NEW.last_entry_id <= OLD.last_entry_id OR NOT EXISTS (
	SELECT 1 FROM ledger_entries
	WHERE id = NEW.last_entry_id AND partner_program_id = NEW.partner_program_id AND currency = NEW.currency
		AND balance_after_cents = NEW.balance_cents
)
BEGIN
	SELECT RAISE(ABORT, 'partner_program_balances: only the ledger moves a balance');
END;
--> statement-breakpoint
CREATE TRIGGER partner_program_balances_stay BEFORE DELETE ON partner_program_balances BEGIN
	SELECT RAISE(ABORT, 'partner_program_balances: only the ledger moves a balance');
END;
--> statement-breakpoint
CREATE TRIGGER outbox_done_once BEFORE UPDATE ON outbox WHEN OLD.done_at IS NOT NULL BEGIN
	SELECT RAISE(ABORT, 'outbox: the effect is already there');
END;
