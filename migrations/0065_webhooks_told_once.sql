CREATE TRIGGER webhook_endpoints_limit BEFORE INSERT ON webhook_endpoints
WHEN (SELECT count(*) FROM webhook_endpoints WHERE program_id = NEW.program_id AND deleted_at IS NULL) >= 10
BEGIN
	SELECT RAISE(ABORT, 'webhook_endpoints: ten of a program');
END;
--> statement-breakpoint
CREATE TRIGGER webhook_endpoints_keep BEFORE UPDATE ON webhook_endpoints
WHEN NEW.id <> OLD.id OR NEW.program_id <> OLD.program_id OR NEW.created_at <> OLD.created_at
	OR OLD.deleted_at IS NOT NULL AND NEW.deleted_at IS NOT OLD.deleted_at
BEGIN
	SELECT RAISE(ABORT, 'webhook_endpoints: stays its program''s, and deleted');
END;
--> statement-breakpoint
-- What was told is told the same at every attempt; only an erase takes something out of it, and says so.
CREATE TRIGGER webhook_deliveries_keep BEFORE UPDATE ON webhook_deliveries
WHEN NEW.id <> OLD.id OR NEW.endpoint_id <> OLD.endpoint_id OR NEW.operation <> OLD.operation OR NEW.type <> OLD.type
	OR NEW.subject_id <> OLD.subject_id OR NEW.is_test <> OLD.is_test OR NEW.created_at <> OLD.created_at
	OR NEW.attempts < OLD.attempts OR NEW.payload <> OLD.payload AND NEW.erased_at IS NULL
BEGIN
	SELECT RAISE(ABORT, 'webhook_deliveries: what is told stays');
END;
--> statement-breakpoint
-- Delivered or given up, and from both only back to be sent again.
CREATE TRIGGER webhook_deliveries_transition BEFORE UPDATE OF state ON webhook_deliveries
WHEN OLD.state <> NEW.state AND OLD.state <> 'pending' AND NEW.state <> 'pending'
BEGIN
	SELECT RAISE(ABORT, 'webhook_deliveries: not that state');
END;
