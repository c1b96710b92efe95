-- A day's clicks may be gone from the table when the zone is changed, so the daily rows are asked as well.
DROP TRIGGER programs_time_zone_fixed;
--> statement-breakpoint
CREATE TRIGGER programs_time_zone_fixed BEFORE UPDATE OF time_zone ON programs
WHEN NEW.time_zone <> OLD.time_zone AND (
	EXISTS (SELECT 1 FROM affiliate_click_events WHERE program_id = OLD.id)
	OR EXISTS (SELECT 1 FROM affiliate_lead_events WHERE program_id = OLD.id)
	OR EXISTS (SELECT 1 FROM affiliate_sale_events WHERE program_id = OLD.id)
	OR EXISTS (SELECT 1 FROM daily_performance WHERE program_id = OLD.id AND clicks > 0)
	OR EXISTS (SELECT 1 FROM retired_click_days WHERE program_id = OLD.id)
)
BEGIN
	SELECT RAISE(ABORT, 'programs: time_zone is fixed after the first event');
END;
--> statement-breakpoint
CREATE TRIGGER programs_click_retention_created BEFORE INSERT ON programs
WHEN NEW.click_retention_days < NEW.cookie_window_days + 7 OR (NEW.click_retention_days IS NULL) <> (NEW.retire_clicks_at IS NULL)
BEGIN
	SELECT RAISE(ABORT, 'programs: clicks are kept a week longer than the attribution window');
END;
--> statement-breakpoint
CREATE TRIGGER programs_click_retention_changed BEFORE UPDATE OF click_retention_days, retire_clicks_at, cookie_window_days ON programs
WHEN NEW.click_retention_days < NEW.cookie_window_days + 7 OR (NEW.click_retention_days IS NULL) <> (NEW.retire_clicks_at IS NULL)
BEGIN
	SELECT RAISE(ABORT, 'programs: clicks are kept a week longer than the attribution window');
END;
