-- As before, but that names of who was erased go out of what was received of somebody else.
DROP TRIGGER processor_events_keep;
--> statement-breakpoint
CREATE TRIGGER processor_events_keep BEFORE UPDATE ON processor_events
WHEN NEW.program_id <> OLD.program_id OR NEW.processor <> OLD.processor OR NEW.event_id <> OLD.event_id OR NEW.type <> OLD.type
	OR NEW.is_test <> OLD.is_test OR NEW.happened_at <> OLD.happened_at OR NEW.received_at <> OLD.received_at
	OR (NEW.payload IS NOT NULL AND NEW.payload IS NOT OLD.payload AND (
		OLD.payload IS NULL OR NOT EXISTS (SELECT 1 FROM erasures WHERE program_id = NEW.program_id)))
BEGIN
	SELECT RAISE(ABORT, 'processor_events: what was received never changes');
END;
--> statement-breakpoint
-- A partner who was erased is nobody: nobody joins as one, or is invited to, and no name is given to one.
CREATE TRIGGER partners_erased_none BEFORE INSERT ON partners WHEN NEW.email GLOB 'erased-*@erased.invalid' BEGIN
	SELECT RAISE(ABORT, 'partners: erased');
END;
--> statement-breakpoint
CREATE TRIGGER partners_erased_stay BEFORE UPDATE ON partners
WHEN OLD.email GLOB 'erased-*@erased.invalid'
	AND (NEW.name <> OLD.name OR NEW.user_id IS NOT NULL OR NEW.email NOT GLOB 'erased-*@erased.invalid')
BEGIN
	SELECT RAISE(ABORT, 'partners: erased');
END;
--> statement-breakpoint
CREATE TRIGGER invitations_of_erased BEFORE INSERT ON invitations
WHEN NEW.partner_id IS NOT NULL AND EXISTS (SELECT 1 FROM partners WHERE id = NEW.partner_id AND email GLOB 'erased-*@erased.invalid')
BEGIN
	SELECT RAISE(ABORT, 'partners: erased');
END;
