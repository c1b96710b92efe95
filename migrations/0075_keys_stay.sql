-- A key stays with its customer. It leaves one only while a page alone has claimed it and nothing was sold; an erase removes every key.
CREATE TRIGGER customers_key_stays BEFORE UPDATE ON customers
WHEN NEW.revision = OLD.revision + 1 AND NEW.erased_at IS NULL AND OLD.customer_key IS NOT NULL AND NEW.customer_key IS NOT OLD.customer_key
	AND NOT (OLD.key_from_page = 1 AND NEW.customer_key IS NULL AND OLD.status <> 'conversion' AND NEW.status <> 'conversion')
BEGIN
	SELECT RAISE(ABORT, 'customers: a key moves only while a page alone has claimed it');
END;
--> statement-breakpoint
-- The mark comes with the key that a page brings, and goes for good.
CREATE TRIGGER customers_claim_begins BEFORE UPDATE ON customers
WHEN NEW.revision = OLD.revision + 1 AND NEW.key_from_page = 1 AND (NEW.customer_key IS NULL OR (OLD.key_from_page = 0 AND OLD.customer_key IS NOT NULL))
BEGIN
	SELECT RAISE(ABORT, 'customers: only a new key can be a claim of a page');
END;
