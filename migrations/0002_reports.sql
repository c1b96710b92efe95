CREATE TABLE `cron_runs` (
	`name` text PRIMARY KEY NOT NULL,
	`ran_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `refused_sales` (
	`program_id` integer PRIMARY KEY NOT NULL,
	`refused_at` integer NOT NULL,
	`transaction_id` text,
	`reason` text NOT NULL,
	FOREIGN KEY (`program_id`) REFERENCES `programs`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "refused_sales_transaction_named" CHECK(length("refused_sales"."transaction_id") BETWEEN 1 AND 255)
);
--> statement-breakpoint
-- Edited: drizzle-kit would copy the old table, which nothing has written to; and it cannot say WITHOUT ROWID.
DROP TABLE `daily_performance`;
--> statement-breakpoint
CREATE TABLE `daily_performance` (
	`program_id` integer NOT NULL,
	`day` text NOT NULL,
	`currency` text NOT NULL,
	`clicks` integer DEFAULT 0 NOT NULL,
	`leads` integer DEFAULT 0 NOT NULL,
	`open_leads` integer DEFAULT 0 NOT NULL,
	`conversions` integer DEFAULT 0 NOT NULL,
	`partners` integer DEFAULT 0 NOT NULL,
	`sales` integer DEFAULT 0 NOT NULL,
	`revenue_cents` integer DEFAULT 0 NOT NULL,
	`refunded_cents` integer DEFAULT 0 NOT NULL,
	`commission_cents` integer DEFAULT 0 NOT NULL,
	`deducted_cents` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`program_id`, `day`, `currency`),
	FOREIGN KEY (`program_id`) REFERENCES `programs`(`id`) ON UPDATE no action ON DELETE no action
) WITHOUT ROWID;
--> statement-breakpoint
ALTER TABLE `partner_programs` ADD `created_day` text;--> statement-breakpoint
CREATE INDEX `commissions_by_day` ON `commissions` (`program_id`,`created_day`);--> statement-breakpoint
CREATE INDEX `commissions_pending` ON `commissions` (`program_id`) WHERE "commissions"."status" = 'pending';--> statement-breakpoint
CREATE INDEX `affiliate_click_events_tests` ON `affiliate_click_events` (`program_id`,`is_test`,`clicked_at`) WHERE "affiliate_click_events"."is_test" = 1;--> statement-breakpoint
CREATE INDEX `affiliate_lead_events_tests` ON `affiliate_lead_events` (`program_id`,`is_test`,`created_at`) WHERE "affiliate_lead_events"."is_test" = 1;--> statement-breakpoint
CREATE INDEX `affiliate_sale_events_tests` ON `affiliate_sale_events` (`program_id`,`is_test`,`created_at`) WHERE "affiliate_sale_events"."is_test" = 1;--> statement-breakpoint
CREATE INDEX `customers_by_signup` ON `customers` (`program_id`,`signup_date`) WHERE "customers"."signup_date" IS NOT NULL;--> statement-breakpoint
CREATE INDEX `customers_by_first_purchase` ON `customers` (`program_id`,`first_purchase_date`) WHERE "customers"."first_purchase_date" IS NOT NULL;--> statement-breakpoint
CREATE INDEX `refund_events_tests` ON `refund_events` (`program_id`,`is_test`,`created_at`) WHERE "refund_events"."is_test" = 1;--> statement-breakpoint
CREATE INDEX `dead_letters_waiting` ON `dead_letters` (`program_id`) WHERE "dead_letters"."replayed_at" IS NULL;--> statement-breakpoint
CREATE INDEX `notifications_unread_by_partner` ON `notifications` (`partner_id`,`id`) WHERE "notifications"."partner_id" IS NOT NULL AND "notifications"."read_at" IS NULL;--> statement-breakpoint
CREATE INDEX `notifications_unread_by_user` ON `notifications` (`user_id`,`id`) WHERE "notifications"."user_id" IS NOT NULL AND "notifications"."read_at" IS NULL;