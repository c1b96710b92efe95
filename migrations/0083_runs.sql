CREATE TABLE `run_results` (
	`run_id` integer NOT NULL,
	`outcome` text NOT NULL,
	`partner_program_id` integer NOT NULL,
	`currency` text NOT NULL,
	`detail` text NOT NULL,
	PRIMARY KEY(`run_id`, `outcome`, `partner_program_id`, `currency`),
	FOREIGN KEY (`run_id`) REFERENCES `runs`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "run_results_detail_json" CHECK(json_valid("run_results"."detail"))
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `runs` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`program_id` integer NOT NULL,
	`kind` text NOT NULL,
	`state` text DEFAULT 'running' NOT NULL,
	`selection` text NOT NULL,
	`until_id` integer NOT NULL,
	`cursor` text,
	`expected_count` integer NOT NULL,
	`counts` text DEFAULT '{}' NOT NULL,
	`sums` text DEFAULT '{}' NOT NULL,
	`op_id` text NOT NULL,
	`created_by` integer NOT NULL,
	`created_at` integer NOT NULL,
	`finished_at` integer,
	`failure_reason` text,
	`lease_until` integer NOT NULL,
	`failures` integer DEFAULT 0 NOT NULL,
	`revision` integer DEFAULT 0 NOT NULL,
	FOREIGN KEY (`program_id`) REFERENCES `programs`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`created_by`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "runs_selection_json" CHECK(json_valid("runs"."selection")),
	CONSTRAINT "runs_counts_json" CHECK(json_valid("runs"."counts") AND json_valid("runs"."sums")),
	CONSTRAINT "runs_finish_dated" CHECK(("runs"."state" = 'running') = ("runs"."finished_at" IS NULL))
);
--> statement-breakpoint
CREATE INDEX `runs_by_program` ON `runs` (`program_id`,`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `runs_one_at_a_time` ON `runs` (`program_id`,`kind`) WHERE "runs"."state" = 'running';--> statement-breakpoint
ALTER TABLE `payouts` ADD `run_id` integer REFERENCES runs(id);--> statement-breakpoint
CREATE UNIQUE INDEX `payouts_once_per_run` ON `payouts` (`run_id`,`partner_program_id`,`currency`) WHERE "payouts"."run_id" IS NOT NULL;