CREATE TABLE `alert_messages` (
	`alert_id` integer NOT NULL,
	`phase` text NOT NULL,
	`recipient` integer NOT NULL,
	`due_at` integer NOT NULL,
	`tries` integer DEFAULT 0 NOT NULL,
	`sent_at` integer,
	PRIMARY KEY(`alert_id`, `phase`, `recipient`),
	FOREIGN KEY (`alert_id`) REFERENCES `alerts`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "alert_messages_phase_known" CHECK("alert_messages"."phase" IN ('begun', 'over'))
);
--> statement-breakpoint
CREATE INDEX `alert_messages_due` ON `alert_messages` (`due_at`) WHERE "alert_messages"."sent_at" IS NULL;--> statement-breakpoint
CREATE TABLE `alerts` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`kind` text NOT NULL,
	`key` text NOT NULL,
	`program_id` integer,
	`facts` text NOT NULL,
	`began_at` integer NOT NULL,
	`ended_at` integer,
	FOREIGN KEY (`program_id`) REFERENCES `programs`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "alerts_facts_json" CHECK(json_valid("alerts"."facts")),
	CONSTRAINT "alerts_end_after_beginning" CHECK("alerts"."ended_at" >= "alerts"."began_at")
);
--> statement-breakpoint
CREATE UNIQUE INDEX `alerts_open` ON `alerts` (`key`) WHERE "alerts"."ended_at" IS NULL;