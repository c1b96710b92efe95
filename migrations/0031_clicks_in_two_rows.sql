-- A click's row and one index: kept by its id, WITHOUT ROWID, which Drizzle cannot say. The number of a click is no key any more; it is
-- counted on from the last that was given, of a click that is gone too.
DROP TRIGGER programs_time_zone_fixed;
--> statement-breakpoint
CREATE TABLE `click_count` (
	`id` integer PRIMARY KEY NOT NULL,
	`clicks` integer NOT NULL,
	CONSTRAINT "click_count_one_row" CHECK("click_count"."id" = 1)
);
--> statement-breakpoint
CREATE TABLE `__new_affiliate_click_events` (
	`click_id` text PRIMARY KEY NOT NULL,
	`id` integer NOT NULL,
	`program_id` integer NOT NULL,
	`referral_link_id` integer NOT NULL,
	`is_test` integer NOT NULL,
	`is_bot` integer NOT NULL,
	`clicked_at` integer NOT NULL,
	`click_day` text NOT NULL,
	`page_url` text,
	`page_title` text,
	`referrer_url` text,
	`session_id` text,
	`user_agent` text,
	`language` text,
	`timezone` text,
	`country` text,
	`source` text,
	FOREIGN KEY (`program_id`) REFERENCES `programs`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`referral_link_id`) REFERENCES `referral_links`(`id`) ON UPDATE no action ON DELETE no action
) WITHOUT ROWID;
--> statement-breakpoint
INSERT INTO `__new_affiliate_click_events`("click_id", "id", "program_id", "referral_link_id", "is_test", "is_bot", "clicked_at", "click_day", "page_url", "page_title", "referrer_url", "session_id", "user_agent", "language", "timezone", "country", "source") SELECT "click_id", "id", "program_id", "referral_link_id", "is_test", "is_bot", "clicked_at", "click_day", "page_url", "page_title", "referrer_url", "session_id", "user_agent", "language", "timezone", "country", "source" FROM `affiliate_click_events`;
--> statement-breakpoint
INSERT INTO click_count (id, clicks)
SELECT 1, max(coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'affiliate_click_events'), 0), coalesce(max(id), 0)) FROM affiliate_click_events;
--> statement-breakpoint
DROP TABLE `affiliate_click_events`;
--> statement-breakpoint
ALTER TABLE `__new_affiliate_click_events` RENAME TO `affiliate_click_events`;
--> statement-breakpoint
CREATE INDEX `affiliate_click_events_by_program` ON `affiliate_click_events` (`program_id`,`clicked_at`,`id`);
--> statement-breakpoint
CREATE INDEX `affiliate_click_events_tests` ON `affiliate_click_events` (`program_id`,`is_test`,`clicked_at`,`id`) WHERE "affiliate_click_events"."is_test" = 1;
--> statement-breakpoint
CREATE TRIGGER programs_time_zone_fixed BEFORE UPDATE OF time_zone ON programs
WHEN NEW.time_zone <> OLD.time_zone AND (
	EXISTS (SELECT 1 FROM affiliate_click_events WHERE program_id = OLD.id)
	OR EXISTS (SELECT 1 FROM affiliate_lead_events WHERE program_id = OLD.id)
	OR EXISTS (SELECT 1 FROM affiliate_sale_events WHERE program_id = OLD.id)
)
BEGIN
	SELECT RAISE(ABORT, 'programs: time_zone is fixed after the first event');
END;
--> statement-breakpoint
CREATE TRIGGER click_count_stays BEFORE DELETE ON click_count BEGIN
	SELECT RAISE(ABORT, 'click_count: stays');
END;
--> statement-breakpoint
CREATE TRIGGER click_count_grows BEFORE UPDATE ON click_count WHEN NEW.clicks < OLD.clicks BEGIN
	SELECT RAISE(ABORT, 'click_count: grows');
END;
