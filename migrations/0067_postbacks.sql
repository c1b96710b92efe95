CREATE TABLE `postback_deliveries` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`postback_id` integer NOT NULL,
	`operation` text NOT NULL,
	`event` text NOT NULL,
	`subject_id` integer NOT NULL,
	`is_test` integer NOT NULL,
	`customer_id` integer,
	`amount_cents` integer NOT NULL,
	`currency` text NOT NULL,
	`state` text NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`next_attempt_at` integer,
	`last_attempt_at` integer,
	`last_status` integer,
	`last_response` text,
	`last_error` text,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`postback_id`) REFERENCES `postbacks`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "postback_deliveries_state_known" CHECK("postback_deliveries"."state" IN ('pending', 'delivered', 'failed')),
	CONSTRAINT "postback_deliveries_pending_due" CHECK(("postback_deliveries"."state" = 'pending') = ("postback_deliveries"."next_attempt_at" IS NOT NULL)),
	CONSTRAINT "postback_deliveries_response_length" CHECK(length("postback_deliveries"."last_response") <= 1024)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `postback_deliveries_once` ON `postback_deliveries` (`postback_id`,`operation`,`event`,`subject_id`);--> statement-breakpoint
CREATE INDEX `postback_deliveries_by_postback` ON `postback_deliveries` (`postback_id`,`id`);--> statement-breakpoint
CREATE INDEX `postback_deliveries_due` ON `postback_deliveries` (`next_attempt_at`) WHERE "postback_deliveries"."state" = 'pending';--> statement-breakpoint
CREATE TABLE `postbacks` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`program_id` integer NOT NULL,
	`partner_program_id` integer NOT NULL,
	`url` text NOT NULL,
	`events` text NOT NULL,
	`created_at` integer NOT NULL,
	`disabled_at` integer,
	`disabled_for` text,
	`failures` integer DEFAULT 0 NOT NULL,
	`failing_since` integer,
	`deleted_at` integer,
	FOREIGN KEY (`program_id`) REFERENCES `programs`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`partner_program_id`) REFERENCES `partner_programs`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "postbacks_events_list" CHECK(json_type("postbacks"."events") = 'array'),
	CONSTRAINT "postbacks_disabled_for" CHECK(("postbacks"."disabled_at" IS NULL) = ("postbacks"."disabled_for" IS NULL)),
	CONSTRAINT "postbacks_failing_since" CHECK(("postbacks"."failures" = 0) = ("postbacks"."failing_since" IS NULL))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `postbacks_one_of_membership` ON `postbacks` (`partner_program_id`) WHERE "postbacks"."deleted_at" IS NULL;--> statement-breakpoint
CREATE INDEX `postbacks_by_program` ON `postbacks` (`program_id`) WHERE "postbacks"."deleted_at" IS NULL AND "postbacks"."disabled_at" IS NULL;--> statement-breakpoint
ALTER TABLE `programs` ADD `partner_postbacks` integer DEFAULT true NOT NULL;