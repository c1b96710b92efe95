ALTER TABLE `payouts` ADD `commission_count` integer;
--> statement-breakpoint
DROP TRIGGER payouts_keep;
--> statement-breakpoint
CREATE TRIGGER payouts_keep BEFORE UPDATE ON payouts
WHEN NEW.id <> OLD.id OR NEW.program_id <> OLD.program_id OR NEW.partner_program_id <> OLD.partner_program_id OR NEW.currency <> OLD.currency
	OR NEW.due_cents <> OLD.due_cents OR NEW.surplus_cents <> OLD.surplus_cents OR NEW.recovered_cents <> OLD.recovered_cents
	OR NEW.amount_cents <> OLD.amount_cents OR NEW.created_by IS NOT OLD.created_by OR NEW.created_at <> OLD.created_at OR NEW.op_id <> OLD.op_id
	OR NEW.commission_count IS NOT OLD.commission_count
BEGIN
	SELECT RAISE(ABORT, 'payouts: what was paid never changes');
END;
