CREATE TABLE `refusals` (
	`id` integer PRIMARY KEY NOT NULL,
	`program_id` integer NOT NULL,
	`hour` integer NOT NULL,
	`fingerprint` text NOT NULL,
	`operation` text NOT NULL,
	`source` text NOT NULL,
	`status` integer NOT NULL,
	`code` text NOT NULL,
	`message` text NOT NULL,
	`transaction_id` text,
	`click_id` text,
	`customer_key` text,
	`amount_cents` integer,
	`currency` text,
	`is_routine` integer NOT NULL,
	`count` integer NOT NULL,
	`first_at` integer NOT NULL,
	`last_at` integer NOT NULL,
	FOREIGN KEY (`program_id`) REFERENCES `programs`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "refusals_operation_known" CHECK("refusals"."operation" IN ('lead', 'sale', 'refund')),
	CONSTRAINT "refusals_source_known" CHECK("refusals"."source" IN ('backend', 'page'))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `refusals_once_an_hour` ON `refusals` (`program_id`,`hour`,`fingerprint`);