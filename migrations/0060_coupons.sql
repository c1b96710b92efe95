CREATE TABLE `coupon_ids` (
	`program_id` integer NOT NULL,
	`is_test` integer NOT NULL,
	`processor` text NOT NULL,
	`processor_id` text NOT NULL,
	`code` text NOT NULL,
	PRIMARY KEY(`program_id`, `is_test`, `processor`, `processor_id`),
	FOREIGN KEY (`program_id`) REFERENCES `programs`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `coupons` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`program_id` integer NOT NULL,
	`partner_program_id` integer NOT NULL,
	`code` text NOT NULL,
	`created_at` integer NOT NULL,
	`archived_at` integer,
	FOREIGN KEY (`program_id`) REFERENCES `programs`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`partner_program_id`) REFERENCES `partner_programs`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "coupons_code_form" CHECK(length("coupons"."code") BETWEEN 1 AND 64 AND "coupons"."code" = trim(upper("coupons"."code")))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `coupons_one_per_code` ON `coupons` (`program_id`,`code`) WHERE "coupons"."archived_at" IS NULL;--> statement-breakpoint
CREATE INDEX `coupons_by_program` ON `coupons` (`program_id`,`id`);--> statement-breakpoint
CREATE INDEX `coupons_by_partner_program` ON `coupons` (`partner_program_id`,`id`);--> statement-breakpoint
ALTER TABLE `customers` ADD `coupon_id` integer REFERENCES coupons(id);--> statement-breakpoint
ALTER TABLE `programs` ADD `coupon_wins` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `affiliate_sale_events` ADD `coupon_id` integer REFERENCES coupons(id);--> statement-breakpoint
CREATE INDEX `affiliate_sale_events_by_coupon` ON `affiliate_sale_events` (`coupon_id`) WHERE "affiliate_sale_events"."coupon_id" IS NOT NULL;