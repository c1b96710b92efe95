CREATE TABLE `retired_click_days` (
	`program_id` integer NOT NULL,
	`day` text NOT NULL,
	`clicks` integer NOT NULL,
	`files` integer NOT NULL,
	`bytes` integer NOT NULL,
	`retired_at` integer NOT NULL,
	PRIMARY KEY(`program_id`, `day`),
	FOREIGN KEY (`program_id`) REFERENCES `programs`(`id`) ON UPDATE no action ON DELETE no action
) WITHOUT ROWID;
--> statement-breakpoint
ALTER TABLE `customers` ADD `sub_id` text;--> statement-breakpoint
ALTER TABLE `programs` ADD `click_retention_days` integer;--> statement-breakpoint
ALTER TABLE `programs` ADD `retire_clicks_at` integer;--> statement-breakpoint
CREATE INDEX `programs_retiring` ON `programs` (`retire_clicks_at`) WHERE "programs"."retire_clicks_at" IS NOT NULL;