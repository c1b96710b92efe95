-- Who was erased stays so: nothing more is written of them. A request that decided on them before decides again.
CREATE TRIGGER customers_erased_stay BEFORE UPDATE ON customers WHEN OLD.erased_at IS NOT NULL BEGIN
	SELECT RAISE(ABORT, 'stale revision: customers, erased');
END;
--> statement-breakpoint
-- As before, but that an erased click id may give way to what stands for it; of the attribution nothing else changes.
DROP TRIGGER customers_forward;
--> statement-breakpoint
CREATE TRIGGER customers_forward BEFORE UPDATE ON customers
WHEN NEW.revision = OLD.revision + 1 AND ((OLD.status = 'conversion' AND NEW.status <> 'conversion')
	OR (OLD.status = 'lead' AND NEW.status = 'click')
	OR (OLD.click_id IS NOT NULL AND NEW.partner_program_id IS NOT OLD.partner_program_id)
	OR (OLD.click_id IS NOT NULL AND NEW.click_id IS NOT OLD.click_id AND (
		NEW.click_id IS NULL OR NEW.click_id NOT GLOB 'erased_*' OR NEW.referral_link_id IS NOT OLD.referral_link_id
		OR NEW.clicked_at IS NOT OLD.clicked_at OR NEW.click_sequence IS NOT OLD.click_sequence))
	OR (OLD.first_purchase_date IS NOT NULL AND NEW.first_purchase_date IS NOT OLD.first_purchase_date)
	OR NEW.program_id <> OLD.program_id OR NEW.id <> OLD.id)
BEGIN
	SELECT RAISE(ABORT, 'customers: status and attribution never go back');
END;
--> statement-breakpoint
-- As before, but that a transaction_id that tells who bought may give way to what stands for it.
DROP TRIGGER affiliate_sale_events_keep;
--> statement-breakpoint
CREATE TRIGGER affiliate_sale_events_keep BEFORE UPDATE ON affiliate_sale_events
WHEN NEW.revision = OLD.revision + 1 AND (NEW.id <> OLD.id OR NEW.program_id <> OLD.program_id
	OR (NEW.processor_event_id <> OLD.processor_event_id AND NEW.processor_event_id <> 'erased_' || OLD.id) OR NEW.is_test <> OLD.is_test
	OR NEW.customer_id IS NOT OLD.customer_id OR NEW.partner_program_id IS NOT OLD.partner_program_id
	OR NEW.amount_cents <> OLD.amount_cents OR NEW.currency <> OLD.currency
	OR NEW.created_at <> OLD.created_at OR NEW.sale_day <> OLD.sale_day OR NEW.op_id <> OLD.op_id
	OR (OLD.commission_state <> 'failed' AND NEW.commission_state <> OLD.commission_state))
BEGIN
	SELECT RAISE(ABORT, 'affiliate_sale_events: what was sold never changes');
END;
--> statement-breakpoint
-- As before, and: nothing is sold to who was erased. The request that decided on them before decides again.
DROP TRIGGER affiliate_sale_events_start;
--> statement-breakpoint
CREATE TRIGGER affiliate_sale_events_start BEFORE INSERT ON affiliate_sale_events
WHEN NEW.duplicate_of_sale_id IS NOT NULL
	OR (NEW.customer_id IS NOT NULL
		AND NOT EXISTS (SELECT 1 FROM customers WHERE id = NEW.customer_id AND program_id = NEW.program_id AND erased_at IS NULL))
BEGIN
	SELECT CASE WHEN EXISTS (SELECT 1 FROM customers WHERE id = NEW.customer_id AND erased_at IS NOT NULL)
		THEN RAISE(ABORT, 'stale revision: customers, erased')
		ELSE RAISE(ABORT, 'affiliate_sale_events: a sale is of a customer of its program, and a duplicate of none yet') END;
END;
--> statement-breakpoint
-- The same of leads.
DROP TRIGGER affiliate_lead_events_of_customer;
--> statement-breakpoint
CREATE TRIGGER affiliate_lead_events_of_customer BEFORE INSERT ON affiliate_lead_events
WHEN NEW.customer_id IS NOT NULL
	AND NOT EXISTS (SELECT 1 FROM customers WHERE id = NEW.customer_id AND program_id = NEW.program_id AND erased_at IS NULL)
BEGIN
	SELECT CASE WHEN EXISTS (SELECT 1 FROM customers WHERE id = NEW.customer_id AND erased_at IS NOT NULL)
		THEN RAISE(ABORT, 'stale revision: customers, erased')
		ELSE RAISE(ABORT, 'affiliate_lead_events: a lead is of a customer of its program') END;
END;
--> statement-breakpoint
-- Append-only, but that a reason may be erased, and an id that tells who bought give way to what stands for it.
DROP TRIGGER refund_events_keep;
--> statement-breakpoint
CREATE TRIGGER refund_events_keep BEFORE UPDATE ON refund_events
WHEN NEW.id <> OLD.id OR NEW.program_id <> OLD.program_id OR NEW.sale_id <> OLD.sale_id OR NEW.source <> OLD.source
	OR NEW.is_test <> OLD.is_test OR NEW.amount_cents <> OLD.amount_cents OR NEW.deduction_cents IS NOT OLD.deduction_cents
	OR NEW.outcome <> OLD.outcome OR NEW.created_at <> OLD.created_at OR NEW.refund_day <> OLD.refund_day OR NEW.op_id <> OLD.op_id
	OR (NEW.reason IS NOT NULL AND NEW.reason IS NOT OLD.reason)
	OR (NEW.refund_id IS NOT OLD.refund_id AND NEW.refund_id IS NOT ('erased_' || OLD.id))
BEGIN
	SELECT RAISE(ABORT, 'refund_events: append-only');
END;
--> statement-breakpoint
CREATE TRIGGER erasures_stay BEFORE DELETE ON erasures BEGIN
	SELECT RAISE(ABORT, 'erasures: stay');
END;
--> statement-breakpoint
CREATE TRIGGER erasures_revised BEFORE UPDATE ON erasures WHEN NEW.revision <> OLD.revision + 1 BEGIN
	SELECT RAISE(ABORT, 'stale revision: erasures');
END;
