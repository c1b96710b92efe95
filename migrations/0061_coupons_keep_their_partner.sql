CREATE TRIGGER coupons_of_program BEFORE INSERT ON coupons
WHEN NOT EXISTS (SELECT 1 FROM partner_programs WHERE id = NEW.partner_program_id AND program_id = NEW.program_id)
BEGIN
	SELECT RAISE(ABORT, 'coupons: of another program');
END;
--> statement-breakpoint
CREATE TRIGGER coupons_of_member BEFORE INSERT ON coupons
WHEN NEW.archived_at IS NULL AND EXISTS (SELECT 1 FROM partner_programs WHERE id = NEW.partner_program_id AND status = 'ended')
BEGIN
	SELECT RAISE(ABORT, 'coupons: of no member');
END;
--> statement-breakpoint
CREATE TRIGGER coupons_of_member_again BEFORE UPDATE OF archived_at ON coupons
WHEN NEW.archived_at IS NULL AND EXISTS (SELECT 1 FROM partner_programs WHERE id = NEW.partner_program_id AND status = 'ended')
BEGIN
	SELECT RAISE(ABORT, 'coupons: of no member');
END;
--> statement-breakpoint
CREATE TRIGGER coupons_keep BEFORE UPDATE ON coupons
WHEN NEW.id <> OLD.id OR NEW.program_id <> OLD.program_id OR NEW.partner_program_id <> OLD.partner_program_id OR NEW.created_at <> OLD.created_at
BEGIN
	SELECT RAISE(ABORT, 'coupons: a coupon stays with its partner');
END;
--> statement-breakpoint
CREATE TRIGGER coupons_stay BEFORE DELETE ON coupons BEGIN
	SELECT RAISE(ABORT, 'coupons: stay');
END;
--> statement-breakpoint
-- A sale has one partner at most: the one whose coupon it names.
CREATE TRIGGER affiliate_sale_events_coupon BEFORE INSERT ON affiliate_sale_events
WHEN NEW.coupon_id IS NOT NULL
	AND NOT EXISTS (SELECT 1 FROM coupons WHERE id = NEW.coupon_id AND partner_program_id = NEW.partner_program_id)
BEGIN
	SELECT RAISE(ABORT, 'affiliate_sale_events: a coupon of another partner');
END;
--> statement-breakpoint
CREATE TRIGGER affiliate_sale_events_keep_coupon BEFORE UPDATE OF coupon_id ON affiliate_sale_events
WHEN NEW.coupon_id IS NOT OLD.coupon_id
BEGIN
	SELECT RAISE(ABORT, 'affiliate_sale_events: what was sold never changes');
END;
--> statement-breakpoint
-- A coupon gives a customer a partner who has none, and is never told of later.
CREATE TRIGGER customers_keep_coupon BEFORE UPDATE OF coupon_id ON customers
WHEN NEW.coupon_id IS NOT OLD.coupon_id AND OLD.click_id IS NOT NULL
BEGIN
	SELECT RAISE(ABORT, 'customers: status and attribution never go back');
END;
