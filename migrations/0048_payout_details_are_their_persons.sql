-- Somebody else's details are nobody's: with the person they go.
CREATE TRIGGER payout_details_go AFTER UPDATE OF user_id ON partners WHEN NEW.user_id IS NOT OLD.user_id BEGIN
	DELETE FROM payout_details WHERE partner_id = NEW.id;
END;
--> statement-breakpoint
CREATE TRIGGER payout_details_need_a_person BEFORE INSERT ON payout_details
WHEN NOT EXISTS (SELECT 1 FROM partners WHERE id = NEW.partner_id AND user_id IS NOT NULL)
BEGIN
	SELECT RAISE(ABORT, 'payout_details: of a person who accepted only');
END;
