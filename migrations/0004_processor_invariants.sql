-- What the refund endpoint reported so far is all that was refunded so far.
UPDATE affiliate_sale_events SET reported_refund_cents = refunded_cents, revision = revision + 1 WHERE refunded_cents > 0;
--> statement-breakpoint
-- One payment, one sale: an id is a transaction_id or an alias, never both. Whoever comes second meets a unique value that is taken.
CREATE TRIGGER sale_aliases_apart BEFORE INSERT ON sale_aliases
WHEN EXISTS (SELECT 1 FROM affiliate_sale_events WHERE processor_event_id = NEW.alias AND is_test = NEW.is_test)
BEGIN
	SELECT RAISE(ABORT, 'UNIQUE constraint failed: sale_aliases.alias is a transaction_id');
END;
--> statement-breakpoint
CREATE TRIGGER affiliate_sale_events_apart BEFORE INSERT ON affiliate_sale_events
WHEN EXISTS (SELECT 1 FROM sale_aliases WHERE alias = NEW.processor_event_id AND is_test = NEW.is_test)
BEGIN
	SELECT RAISE(ABORT, 'UNIQUE constraint failed: affiliate_sale_events.processor_event_id is an alias');
END;
--> statement-breakpoint
CREATE TRIGGER sale_aliases_keep BEFORE UPDATE ON sale_aliases BEGIN
	SELECT RAISE(ABORT, 'sale_aliases: append-only');
END;
--> statement-breakpoint
CREATE TRIGGER sale_aliases_stay BEFORE DELETE ON sale_aliases WHEN OLD.is_test = 0 BEGIN
	SELECT RAISE(ABORT, 'sale_aliases: append-only');
END;
--> statement-breakpoint
CREATE TRIGGER payment_reversals_keep BEFORE UPDATE ON payment_reversals
WHEN NEW.sale_id <> OLD.sale_id OR NEW.kind <> OLD.kind OR NEW.reversal_id <> OLD.reversal_id
	OR NEW.amount_cents < OLD.amount_cents OR NEW.currency <> OLD.currency OR (OLD.undone_at IS NOT NULL AND NEW.undone_at IS NULL)
BEGIN
	SELECT RAISE(ABORT, 'payment_reversals: what the processor told is never untold');
END;
--> statement-breakpoint
CREATE TRIGGER payment_reversals_stay BEFORE DELETE ON payment_reversals BEGIN
	SELECT RAISE(ABORT, 'payment_reversals: what the processor told is never untold');
END;
--> statement-breakpoint
CREATE TRIGGER affiliate_sale_events_keep_payment BEFORE UPDATE ON affiliate_sale_events
WHEN NEW.revision = OLD.revision + 1 AND (NEW.reported_refund_cents NOT BETWEEN OLD.reported_refund_cents AND OLD.amount_cents
	OR (OLD.charged_cents IS NOT NULL AND NEW.charged_cents IS NOT OLD.charged_cents)
	OR (OLD.duplicate_of_sale_id IS NOT NULL AND (NEW.duplicate_of_sale_id IS NULL OR NEW.duplicate_of_sale_id > OLD.duplicate_of_sale_id))
	OR (NEW.duplicate_of_sale_id IS NOT NULL AND (NEW.duplicate_of_sale_id >= NEW.id OR NEW.refunded_cents <> NEW.amount_cents)))
BEGIN
	SELECT RAISE(ABORT, 'affiliate_sale_events: what was reported and charged never changes, a duplicate counts nothing');
END;
--> statement-breakpoint
-- A duplicate leads in one step to a sale of its program that is none.
CREATE TRIGGER affiliate_sale_events_one_step BEFORE UPDATE OF duplicate_of_sale_id ON affiliate_sale_events
WHEN NEW.revision = OLD.revision + 1 AND NEW.duplicate_of_sale_id IS NOT NULL AND NEW.duplicate_of_sale_id IS NOT OLD.duplicate_of_sale_id AND (
	NOT EXISTS (
		SELECT 1 FROM affiliate_sale_events
		WHERE id = NEW.duplicate_of_sale_id AND duplicate_of_sale_id IS NULL AND program_id = NEW.program_id AND is_test = NEW.is_test
	)
	OR EXISTS (SELECT 1 FROM affiliate_sale_events WHERE duplicate_of_sale_id = NEW.id)
)
BEGIN
	SELECT RAISE(ABORT, 'affiliate_sale_events: a duplicate is of a sale that is none itself');
END;
--> statement-breakpoint
CREATE TRIGGER processor_events_keep BEFORE UPDATE ON processor_events
WHEN NEW.program_id <> OLD.program_id OR NEW.processor <> OLD.processor OR NEW.event_id <> OLD.event_id OR NEW.type <> OLD.type
	OR NEW.is_test <> OLD.is_test OR NEW.happened_at <> OLD.happened_at OR NEW.received_at <> OLD.received_at
	OR (NEW.payload IS NOT NULL AND NEW.payload IS NOT OLD.payload)
BEGIN
	SELECT RAISE(ABORT, 'processor_events: what was received never changes');
END;
--> statement-breakpoint
CREATE TRIGGER processor_events_revised BEFORE UPDATE ON processor_events WHEN NEW.revision <> OLD.revision + 1 BEGIN
	SELECT RAISE(ABORT, 'stale revision: processor_events');
END;
--> statement-breakpoint
-- As before, and: a reinstatement may be worth 0 cents, and leads back to where it came from only when nothing is deducted any more.
DROP TRIGGER commissions_transition;
--> statement-breakpoint
CREATE TRIGGER commissions_transition BEFORE UPDATE OF status ON commissions
WHEN NEW.revision = OLD.revision + 1 AND NEW.status <> OLD.status AND NOT (
	(OLD.status = 'pending' AND NEW.status IN ('approved', 'rejected', 'reversed', 'refunded'))
	OR (OLD.status = 'approved' AND NEW.status IN ('paid', 'rejected', 'reversed', 'refunded'))
	OR (OLD.status = 'paid' AND NEW.status IN ('reversed', 'refunded'))
	OR (OLD.status = 'refunded' AND NEW.status = 'reversed')
	OR (OLD.status = 'reversed' AND NEW.status = 'refunded' AND NEW.deducted_cents <= OLD.deducted_cents)
	OR (OLD.status IN ('refunded', 'reversed') AND NEW.deducted_cents = 0
		AND NEW.status = CASE WHEN OLD.paid_at IS NOT NULL THEN 'paid' ELSE OLD.status_before_refund END)
)
BEGIN
	SELECT RAISE(ABORT, 'commissions: this transition is not allowed');
END;
