-- What stands for a refund_id that told who was erased is the same for the same, so that it is known when it comes again.
DROP TRIGGER refund_events_keep;
--> statement-breakpoint
CREATE TRIGGER refund_events_keep BEFORE UPDATE ON refund_events
WHEN NEW.id <> OLD.id OR NEW.program_id <> OLD.program_id OR NEW.sale_id <> OLD.sale_id OR NEW.source <> OLD.source
	OR NEW.is_test <> OLD.is_test OR NEW.amount_cents <> OLD.amount_cents OR NEW.deduction_cents IS NOT OLD.deduction_cents
	OR NEW.outcome <> OLD.outcome OR NEW.created_at <> OLD.created_at OR NEW.refund_day <> OLD.refund_day OR NEW.op_id <> OLD.op_id
	OR (NEW.reason IS NOT NULL AND NEW.reason IS NOT OLD.reason)
	OR (NEW.refund_id IS NOT OLD.refund_id AND coalesce(NEW.refund_id, '') NOT GLOB 'erased_*')
BEGIN
	SELECT RAISE(ABORT, 'refund_events: append-only');
END;
