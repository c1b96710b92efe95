-- Whoever accepted first stays the partner's person, until an owner takes them off.
CREATE TRIGGER partners_one_person BEFORE UPDATE OF user_id ON partners
WHEN OLD.user_id IS NOT NULL AND NEW.user_id IS NOT NULL AND NEW.user_id <> OLD.user_id
BEGIN
	SELECT RAISE(ABORT, 'partners: taken');
END;
