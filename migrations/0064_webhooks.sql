CREATE TABLE `webhook_deliveries` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`endpoint_id` integer NOT NULL,
	`operation` text NOT NULL,
	`type` text NOT NULL,
	`subject_id` integer NOT NULL,
	`is_test` integer NOT NULL,
	`customer_id` integer,
	`partner_id` integer,
	`payload` text NOT NULL,
	`state` text NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`tries` integer DEFAULT 0 NOT NULL,
	`next_attempt_at` integer,
	`last_attempt_at` integer,
	`last_status` integer,
	`last_response` text,
	`last_error` text,
	`last_duration_ms` integer,
	`created_at` integer NOT NULL,
	`settled_at` integer,
	`erased_at` integer,
	FOREIGN KEY (`endpoint_id`) REFERENCES `webhook_endpoints`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "webhook_deliveries_payload_json" CHECK(json_valid("webhook_deliveries"."payload")),
	CONSTRAINT "webhook_deliveries_state_known" CHECK("webhook_deliveries"."state" IN ('pending', 'delivered', 'failed')),
	CONSTRAINT "webhook_deliveries_pending_due" CHECK(("webhook_deliveries"."state" = 'pending') = ("webhook_deliveries"."next_attempt_at" IS NOT NULL)),
	CONSTRAINT "webhook_deliveries_settled" CHECK(("webhook_deliveries"."state" = 'pending') = ("webhook_deliveries"."settled_at" IS NULL)),
	CONSTRAINT "webhook_deliveries_tried" CHECK("webhook_deliveries"."tries" BETWEEN 0 AND "webhook_deliveries"."attempts"),
	CONSTRAINT "webhook_deliveries_response_length" CHECK(length("webhook_deliveries"."last_response") <= 1024)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `webhook_deliveries_once` ON `webhook_deliveries` (`endpoint_id`,`operation`,`type`,`subject_id`);--> statement-breakpoint
CREATE INDEX `webhook_deliveries_by_endpoint` ON `webhook_deliveries` (`endpoint_id`,`id`);--> statement-breakpoint
CREATE INDEX `webhook_deliveries_due` ON `webhook_deliveries` (`next_attempt_at`) WHERE "webhook_deliveries"."state" = 'pending';--> statement-breakpoint
CREATE INDEX `webhook_deliveries_failed` ON `webhook_deliveries` (`endpoint_id`,`id`) WHERE "webhook_deliveries"."state" = 'failed';--> statement-breakpoint
CREATE INDEX `webhook_deliveries_by_customer` ON `webhook_deliveries` (`customer_id`) WHERE "webhook_deliveries"."customer_id" IS NOT NULL;--> statement-breakpoint
CREATE INDEX `webhook_deliveries_by_partner` ON `webhook_deliveries` (`partner_id`) WHERE "webhook_deliveries"."partner_id" IS NOT NULL;--> statement-breakpoint
CREATE TABLE `webhook_endpoints` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`program_id` integer NOT NULL,
	`url` text NOT NULL,
	`description` text,
	`types` text NOT NULL,
	`sealed_secrets` text NOT NULL,
	`created_at` integer NOT NULL,
	`disabled_at` integer,
	`disabled_for` text,
	`failures` integer DEFAULT 0 NOT NULL,
	`failing_since` integer,
	`deleted_at` integer,
	FOREIGN KEY (`program_id`) REFERENCES `programs`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "webhook_endpoints_types_list" CHECK(json_type("webhook_endpoints"."types") = 'array'),
	CONSTRAINT "webhook_endpoints_secrets_list" CHECK(json_type("webhook_endpoints"."sealed_secrets") = 'array'),
	CONSTRAINT "webhook_endpoints_disabled_for" CHECK(("webhook_endpoints"."disabled_at" IS NULL) = ("webhook_endpoints"."disabled_for" IS NULL)),
	CONSTRAINT "webhook_endpoints_failing_since" CHECK(("webhook_endpoints"."failures" = 0) = ("webhook_endpoints"."failing_since" IS NULL))
);
--> statement-breakpoint
CREATE INDEX `webhook_endpoints_by_program` ON `webhook_endpoints` (`program_id`,`id`) WHERE "webhook_endpoints"."deleted_at" IS NULL;