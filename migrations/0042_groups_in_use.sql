-- A partner and a rule are in a group of their own program that is in use; nobody is in one that is archived.
CREATE TRIGGER partner_programs_group_joined BEFORE INSERT ON partner_programs
WHEN NEW.group_id IS NOT NULL
	AND NOT EXISTS (SELECT 1 FROM partner_groups WHERE id = NEW.group_id AND program_id = NEW.program_id AND archived_at IS NULL)
BEGIN
	SELECT RAISE(ABORT, 'partner_programs: no such group');
END;
--> statement-breakpoint
CREATE TRIGGER partner_programs_group_changed BEFORE UPDATE OF group_id ON partner_programs
WHEN NEW.group_id IS NOT NULL
	AND NOT EXISTS (SELECT 1 FROM partner_groups WHERE id = NEW.group_id AND program_id = NEW.program_id AND archived_at IS NULL)
BEGIN
	SELECT RAISE(ABORT, 'partner_programs: no such group');
END;
--> statement-breakpoint
CREATE TRIGGER partner_programs_group_left BEFORE UPDATE OF status, group_id ON partner_programs
WHEN NEW.status = 'ended' AND NEW.group_id IS NOT NULL
BEGIN
	SELECT RAISE(ABORT, 'partner_programs: nobody who has left is in a group');
END;
--> statement-breakpoint
CREATE TRIGGER commission_rules_of_group BEFORE INSERT ON commission_rules
WHEN NEW.group_id IS NOT NULL AND (
	NEW.partner_id IS NOT NULL
	OR NOT EXISTS (SELECT 1 FROM partner_groups WHERE id = NEW.group_id AND program_id = NEW.program_id AND archived_at IS NULL)
)
BEGIN
	SELECT RAISE(ABORT, 'commission_rules: no such group');
END;
--> statement-breakpoint
CREATE TRIGGER commission_rules_group_kept BEFORE UPDATE OF group_id ON commission_rules WHEN NEW.group_id IS NOT OLD.group_id BEGIN
	SELECT RAISE(ABORT, 'commission_rules: a rule keeps its group');
END;
--> statement-breakpoint
CREATE TRIGGER partner_groups_in_use BEFORE UPDATE OF archived_at ON partner_groups
WHEN NEW.archived_at IS NOT NULL AND (
	EXISTS (SELECT 1 FROM partner_programs WHERE group_id = OLD.id)
	OR EXISTS (SELECT 1 FROM commission_rules WHERE program_id = OLD.program_id AND group_id = OLD.id AND archived_at IS NULL)
)
BEGIN
	SELECT RAISE(ABORT, 'partner_groups: in use');
END;
--> statement-breakpoint
CREATE TRIGGER partner_groups_end BEFORE UPDATE ON partner_groups
WHEN OLD.archived_at IS NOT NULL OR NEW.program_id <> OLD.program_id
BEGIN
	SELECT RAISE(ABORT, 'partner_groups: an archived group stays as it is');
END;
--> statement-breakpoint
CREATE TRIGGER partner_groups_stay BEFORE DELETE ON partner_groups BEGIN
	SELECT RAISE(ABORT, 'partner_groups: archive instead');
END;
