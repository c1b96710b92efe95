-- Names, addresses and words about people that entries held before they were written without: nothing of a person who is erased stays.
DROP TRIGGER audit_entries_keep;
--> statement-breakpoint
UPDATE audit_entries SET detail = json_remove(detail, '$.name', '$.email', '$.reason')
WHERE action IN ('partner.add', 'partner.change', 'partner.invite', 'partner.status', 'invitation.create', 'invitation.withdraw', 'commission.reject')
	AND (detail ->> 'name' IS NOT NULL OR detail ->> 'email' IS NOT NULL OR detail ->> 'reason' IS NOT NULL);
--> statement-breakpoint
CREATE TRIGGER audit_entries_keep BEFORE UPDATE ON audit_entries BEGIN
	SELECT RAISE(ABORT, 'audit_entries: append-only');
END;
--> statement-breakpoint
-- As before, but that who applied may be erased: their words go, and what stands for their address tells nobody.
DROP TRIGGER partner_applications_decided_once;
--> statement-breakpoint
CREATE TRIGGER partner_applications_decided_once BEFORE UPDATE ON partner_applications
WHEN OLD.status <> 'open' AND (NEW.email <> 'erased-' || OLD.id || '@erased.invalid' OR NEW.status <> OLD.status
	OR NEW.decided_at IS NOT OLD.decided_at OR NEW.decided_by IS NOT OLD.decided_by OR NEW.partner_id IS NOT OLD.partner_id)
BEGIN
	SELECT RAISE(ABORT, 'partner_applications: decided');
END;
--> statement-breakpoint
DROP TRIGGER partner_applications_keep;
--> statement-breakpoint
CREATE TRIGGER partner_applications_keep BEFORE UPDATE OF program_id, name, email, terms_version, user_id, created_at ON partner_applications
WHEN NEW.email <> 'erased-' || OLD.id || '@erased.invalid' OR NEW.status = 'open' OR NEW.program_id <> OLD.program_id
	OR NEW.terms_version <> OLD.terms_version OR NEW.user_id IS NOT OLD.user_id OR NEW.created_at <> OLD.created_at
BEGIN
	SELECT RAISE(ABORT, 'partner_applications: what was applied for stays');
END;
--> statement-breakpoint
-- Whoever ended their account joins nothing any more, be it by a request that began before.
CREATE TRIGGER members_have_an_account BEFORE INSERT ON members
WHEN EXISTS (SELECT 1 FROM users WHERE id = NEW.user_id AND deactivated_at IS NOT NULL)
BEGIN
	SELECT RAISE(ABORT, 'users: ended');
END;
--> statement-breakpoint
CREATE TRIGGER partners_added_have_an_account BEFORE INSERT ON partners
WHEN EXISTS (SELECT 1 FROM users WHERE id = NEW.user_id AND deactivated_at IS NOT NULL)
BEGIN
	SELECT RAISE(ABORT, 'users: ended');
END;
--> statement-breakpoint
CREATE TRIGGER partners_have_an_account BEFORE UPDATE OF user_id ON partners
WHEN EXISTS (SELECT 1 FROM users WHERE id = NEW.user_id AND deactivated_at IS NOT NULL)
BEGIN
	SELECT RAISE(ABORT, 'users: ended');
END;
--> statement-breakpoint
CREATE TRIGGER password_resets_have_an_account BEFORE INSERT ON password_resets
WHEN EXISTS (SELECT 1 FROM users WHERE id = NEW.user_id AND deactivated_at IS NOT NULL)
BEGIN
	SELECT RAISE(ABORT, 'users: ended');
END;
--> statement-breakpoint
-- As before, but that whoever ends their account may leave a workspace that has nothing and nobody else.
DROP TRIGGER members_last_owner;
--> statement-breakpoint
CREATE TRIGGER members_last_owner BEFORE UPDATE OF role, deactivated_at ON members
WHEN OLD.role = 'owner' AND OLD.deactivated_at IS NULL AND (NEW.role <> 'owner' OR NEW.deactivated_at IS NOT NULL)
	AND NOT EXISTS (
		SELECT 1 FROM members
		WHERE workspace_id = OLD.workspace_id AND id <> OLD.id AND role = 'owner' AND deactivated_at IS NULL
	)
	AND NOT (
		EXISTS (SELECT 1 FROM users WHERE id = OLD.user_id AND deactivated_at IS NOT NULL)
		AND NOT EXISTS (SELECT 1 FROM members WHERE workspace_id = OLD.workspace_id AND id <> OLD.id AND deactivated_at IS NULL)
		AND NOT EXISTS (SELECT 1 FROM programs WHERE workspace_id = OLD.workspace_id)
	)
BEGIN
	SELECT RAISE(ABORT, 'members: the last owner stays');
END;
