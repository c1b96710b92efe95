-- Of two who decide at once one does; what was decided stays.
CREATE TRIGGER partner_applications_decided_once BEFORE UPDATE ON partner_applications WHEN OLD.status <> 'open' BEGIN
	SELECT RAISE(ABORT, 'partner_applications: decided');
END;
--> statement-breakpoint
CREATE TRIGGER partner_applications_keep BEFORE UPDATE OF program_id, name, email, terms_version, user_id, created_at ON partner_applications
BEGIN
	SELECT RAISE(ABORT, 'partner_applications: what was applied for stays');
END;
--> statement-breakpoint
CREATE TRIGGER application_terms_keep BEFORE UPDATE ON application_terms BEGIN
	SELECT RAISE(ABORT, 'application_terms: append-only');
END;
--> statement-breakpoint
CREATE TRIGGER application_terms_stay BEFORE DELETE ON application_terms BEGIN
	SELECT RAISE(ABORT, 'application_terms: append-only');
END;
--> statement-breakpoint
CREATE TRIGGER application_forms_group BEFORE UPDATE OF group_id ON application_forms
WHEN NEW.group_id IS NOT NULL
	AND NOT EXISTS (SELECT 1 FROM partner_groups WHERE id = NEW.group_id AND program_id = NEW.program_id AND archived_at IS NULL)
BEGIN
	SELECT RAISE(ABORT, 'application_forms: no such group');
END;
