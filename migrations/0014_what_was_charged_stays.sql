-- Nor does the currency of what was charged change, once it is told.
CREATE TRIGGER affiliate_sale_events_keep_charged_currency BEFORE UPDATE OF charged_currency ON affiliate_sale_events
WHEN NEW.revision = OLD.revision + 1 AND OLD.charged_cents IS NOT NULL AND NEW.charged_currency IS NOT OLD.charged_currency
BEGIN
	SELECT RAISE(ABORT, 'affiliate_sale_events: a payment is charged in one currency');
END;
