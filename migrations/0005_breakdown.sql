-- Edited: drizzle-kit cannot say WITHOUT ROWID.
CREATE TABLE `daily_breakdown` (
	`program_id` integer NOT NULL,
	`dimension` text NOT NULL,
	`day` text NOT NULL,
	`value` text NOT NULL,
	`currency` text NOT NULL,
	`clicks` integer DEFAULT 0 NOT NULL,
	`leads` integer DEFAULT 0 NOT NULL,
	`conversions` integer DEFAULT 0 NOT NULL,
	`sales` integer DEFAULT 0 NOT NULL,
	`revenue_cents` integer DEFAULT 0 NOT NULL,
	`refunded_cents` integer DEFAULT 0 NOT NULL,
	`commission_cents` integer DEFAULT 0 NOT NULL,
	`deducted_cents` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`program_id`, `dimension`, `day`, `value`, `currency`),
	FOREIGN KEY (`program_id`) REFERENCES `programs`(`id`) ON UPDATE no action ON DELETE no action
) WITHOUT ROWID;
--> statement-breakpoint
ALTER TABLE `referral_links` ADD `former_partner_program_id` integer REFERENCES partner_programs(id);--> statement-breakpoint
ALTER TABLE `affiliate_click_events` ADD `source` text;--> statement-breakpoint
ALTER TABLE `customers` ADD `country` text;--> statement-breakpoint
ALTER TABLE `customers` ADD `source` text;--> statement-breakpoint
CREATE INDEX `affiliate_sale_events_by_customer` ON `affiliate_sale_events` (`customer_id`);