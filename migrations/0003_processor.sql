CREATE TABLE `processor_bindings` (
	`program_id` integer NOT NULL,
	`is_test` integer NOT NULL,
	`processor_id` text NOT NULL,
	`customer_key` text,
	`click_id` text,
	`told_at` integer NOT NULL,
	`ended_at` integer,
	PRIMARY KEY(`program_id`, `is_test`, `processor_id`),
	FOREIGN KEY (`program_id`) REFERENCES `programs`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `processor_endpoints` (
	`program_id` integer NOT NULL,
	`processor` text NOT NULL,
	`sealed_secrets` text NOT NULL,
	`amount_basis` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	PRIMARY KEY(`program_id`, `processor`),
	FOREIGN KEY (`program_id`) REFERENCES `programs`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "processor_endpoints_secrets_json" CHECK(json_array_length("processor_endpoints"."sealed_secrets") > 0),
	CONSTRAINT "processor_endpoints_basis_known" CHECK("processor_endpoints"."amount_basis" IN ('net', 'gross'))
);
--> statement-breakpoint
CREATE TABLE `processor_event_waits` (
	`program_id` integer NOT NULL,
	`processor_id` text NOT NULL,
	`processor_event_id` integer NOT NULL,
	PRIMARY KEY(`program_id`, `processor_id`, `processor_event_id`),
	FOREIGN KEY (`program_id`) REFERENCES `programs`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`processor_event_id`) REFERENCES `processor_events`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `processor_event_waits_by_event` ON `processor_event_waits` (`processor_event_id`);--> statement-breakpoint
CREATE TABLE `processor_events` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`program_id` integer NOT NULL,
	`processor` text NOT NULL,
	`event_id` text NOT NULL,
	`type` text NOT NULL,
	`is_test` integer NOT NULL,
	`happened_at` integer NOT NULL,
	`received_at` integer NOT NULL,
	`payload` text,
	`state` text NOT NULL,
	`reason` text,
	`sale_id` integer,
	`attempts` integer DEFAULT 0 NOT NULL,
	`next_attempt_at` integer,
	`expires_at` integer NOT NULL,
	`settled_at` integer,
	`revision` integer DEFAULT 0 NOT NULL,
	FOREIGN KEY (`program_id`) REFERENCES `programs`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`sale_id`) REFERENCES `affiliate_sale_events`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "processor_events_state_known" CHECK("processor_events"."state" IN ('received', 'waiting', 'applied', 'ignored', 'refused', 'expired', 'failed')),
	CONSTRAINT "processor_events_due_until_settled" CHECK(("processor_events"."state" IN ('received', 'waiting')) = ("processor_events"."next_attempt_at" IS NOT NULL)
			AND ("processor_events"."next_attempt_at" IS NULL) = ("processor_events"."settled_at" IS NOT NULL)),
	CONSTRAINT "processor_events_reason_given" CHECK("processor_events"."state" = 'received' OR "processor_events"."reason" IS NOT NULL),
	CONSTRAINT "processor_events_payload_kept" CHECK("processor_events"."payload" IS NOT NULL OR "processor_events"."settled_at" IS NOT NULL)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `processor_events_once` ON `processor_events` (`program_id`,`processor`,`event_id`);--> statement-breakpoint
CREATE INDEX `processor_events_by_program` ON `processor_events` (`program_id`,`id`);--> statement-breakpoint
CREATE INDEX `processor_events_by_state` ON `processor_events` (`program_id`,`state`,`id`);--> statement-breakpoint
CREATE INDEX `processor_events_due` ON `processor_events` (`next_attempt_at`) WHERE "processor_events"."next_attempt_at" IS NOT NULL;--> statement-breakpoint
CREATE INDEX `processor_events_purgeable` ON `processor_events` (`settled_at`) WHERE "processor_events"."payload" IS NOT NULL AND "processor_events"."settled_at" IS NOT NULL;--> statement-breakpoint
CREATE TABLE `payment_reversals` (
	`sale_id` integer NOT NULL,
	`kind` text NOT NULL,
	`reversal_id` text NOT NULL,
	`amount_cents` integer NOT NULL,
	`currency` text NOT NULL,
	`happened_at` integer NOT NULL,
	`undone_at` integer,
	PRIMARY KEY(`sale_id`, `kind`, `reversal_id`),
	FOREIGN KEY (`sale_id`) REFERENCES `affiliate_sale_events`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "payment_reversals_kind_known" CHECK("payment_reversals"."kind" IN ('refund', 'dispute', 'total')),
	CONSTRAINT "payment_reversals_amount_range" CHECK(typeof("payment_reversals"."amount_cents") = 'integer' AND "payment_reversals"."amount_cents" >= 0)
);
--> statement-breakpoint
CREATE TABLE `sale_aliases` (
	`alias` text NOT NULL,
	`is_test` integer NOT NULL,
	`sale_id` integer NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`alias`, `is_test`),
	FOREIGN KEY (`sale_id`) REFERENCES `affiliate_sale_events`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "sale_aliases_alias_named" CHECK(length("sale_aliases"."alias") BETWEEN 1 AND 255)
);
--> statement-breakpoint
CREATE INDEX `sale_aliases_by_sale` ON `sale_aliases` (`sale_id`);--> statement-breakpoint
DROP INDEX `refund_events_one_per_refund_id`;--> statement-breakpoint
DROP INDEX `refund_events_one_without_refund_id`;--> statement-breakpoint
ALTER TABLE `refund_events` ADD `source` text DEFAULT 'endpoint' NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `refund_events_one_per_refund_id` ON `refund_events` (`sale_id`,`refund_id`) WHERE "refund_events"."is_test" = 0 AND "refund_events"."source" = 'endpoint' AND "refund_events"."refund_id" IS NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `refund_events_one_without_refund_id` ON `refund_events` (`sale_id`) WHERE "refund_events"."is_test" = 0 AND "refund_events"."source" = 'endpoint' AND "refund_events"."refund_id" IS NULL;--> statement-breakpoint
CREATE INDEX `refund_events_by_sale` ON `refund_events` (`sale_id`);--> statement-breakpoint
ALTER TABLE `affiliate_sale_events` ADD `reported_refund_cents` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `affiliate_sale_events` ADD `charged_cents` integer;--> statement-breakpoint
ALTER TABLE `affiliate_sale_events` ADD `duplicate_of_sale_id` integer REFERENCES affiliate_sale_events(id);--> statement-breakpoint
CREATE INDEX `affiliate_sale_events_duplicates` ON `affiliate_sale_events` (`duplicate_of_sale_id`) WHERE "affiliate_sale_events"."duplicate_of_sale_id" IS NOT NULL;