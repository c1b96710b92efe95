-- Which invoice a sale stands for never changes once it is told.
CREATE TRIGGER affiliate_sale_events_keep_invoice BEFORE UPDATE OF invoice_id ON affiliate_sale_events
WHEN NEW.revision = OLD.revision + 1 AND OLD.invoice_id IS NOT NULL AND NEW.invoice_id IS NOT OLD.invoice_id
BEGIN
	SELECT RAISE(ABORT, 'affiliate_sale_events: a sale stands for one invoice');
END;
