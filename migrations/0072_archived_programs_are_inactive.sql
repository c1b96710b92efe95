-- Tracking asks only whether a program is active: an archived one must not be.
CREATE TRIGGER programs_archived_are_inactive BEFORE UPDATE OF active, archived_at ON programs
WHEN NEW.archived_at IS NOT NULL AND NEW.active = 1
BEGIN
	SELECT RAISE(ABORT, 'programs: archived is inactive');
END;
--> statement-breakpoint
-- Of several calls at once, one archives the program and one restores it.
CREATE TRIGGER programs_archived_once BEFORE UPDATE OF archived_at ON programs
WHEN OLD.archived_at IS NOT NULL AND NEW.archived_at IS NOT NULL
BEGIN
	SELECT RAISE(ABORT, 'programs: archived already');
END;
--> statement-breakpoint
CREATE TRIGGER programs_restored_once BEFORE UPDATE OF archived_at ON programs
WHEN OLD.archived_at IS NULL AND NEW.archived_at IS NULL
BEGIN
	SELECT RAISE(ABORT, 'programs: not archived');
END;
