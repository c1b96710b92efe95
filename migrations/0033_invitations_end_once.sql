-- Of two who accept at once, one joins; nobody joins by what was withdrawn, and what was accepted is not withdrawn.
CREATE TRIGGER invitations_end_once BEFORE UPDATE OF accepted_at, accepted_by, withdrawn_at ON invitations
WHEN OLD.accepted_at IS NOT NULL OR (OLD.withdrawn_at IS NOT NULL AND NEW.accepted_at IS NOT NULL)
BEGIN
	SELECT RAISE(ABORT, 'invitations: ended');
END;
