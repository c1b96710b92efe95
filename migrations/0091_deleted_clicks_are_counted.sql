ALTER TABLE `retired_click_days` ADD `deleted` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `programs` ADD `old_clicks_from` integer DEFAULT 0 NOT NULL;