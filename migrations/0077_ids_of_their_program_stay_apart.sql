-- As before, but that a program's own id takes nothing from other programs (decision 55).
DROP TRIGGER sale_aliases_apart;
--> statement-breakpoint
CREATE TRIGGER sale_aliases_apart BEFORE INSERT ON sale_aliases
WHEN EXISTS (SELECT 1 FROM affiliate_sale_events WHERE processor_event_id = NEW.alias AND is_test = NEW.is_test
	AND (id_scope = 0 OR id_scope = (SELECT program_id FROM affiliate_sale_events WHERE id = NEW.sale_id)))
BEGIN
	SELECT RAISE(ABORT, 'UNIQUE constraint failed: sale_aliases.alias is a transaction_id');
END;
--> statement-breakpoint
DROP TRIGGER affiliate_sale_events_apart;
--> statement-breakpoint
CREATE TRIGGER affiliate_sale_events_apart BEFORE INSERT ON affiliate_sale_events
WHEN EXISTS (SELECT 1 FROM sale_aliases WHERE alias = NEW.processor_event_id AND is_test = NEW.is_test
	AND (NEW.id_scope = 0 OR NEW.id_scope = (SELECT program_id FROM affiliate_sale_events WHERE id = sale_aliases.sale_id)))
BEGIN
	SELECT RAISE(ABORT, 'UNIQUE constraint failed: affiliate_sale_events.processor_event_id is an alias');
END;
--> statement-breakpoint
-- Within a program its own id and the same id over all programs are one payment.
CREATE TRIGGER affiliate_sale_events_one_in_program BEFORE INSERT ON affiliate_sale_events
WHEN EXISTS (SELECT 1 FROM affiliate_sale_events WHERE processor_event_id = NEW.processor_event_id AND is_test = NEW.is_test
	AND id_scope = iif(NEW.id_scope = 0, NEW.program_id, 0) AND program_id = NEW.program_id)
BEGIN
	SELECT RAISE(ABORT, 'UNIQUE constraint failed: affiliate_sale_events.processor_event_id is known in its program');
END;
--> statement-breakpoint
CREATE TRIGGER affiliate_sale_events_scope BEFORE INSERT ON affiliate_sale_events WHEN NEW.id_scope NOT IN (0, NEW.program_id) BEGIN
	SELECT RAISE(ABORT, 'affiliate_sale_events: an id is of all programs or of its own');
END;
--> statement-breakpoint
CREATE TRIGGER affiliate_sale_events_keep_scope BEFORE UPDATE OF id_scope ON affiliate_sale_events WHEN NEW.id_scope <> OLD.id_scope BEGIN
	SELECT RAISE(ABORT, 'affiliate_sale_events: what was sold never changes');
END;
