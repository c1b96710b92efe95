CREATE TABLE `erased_ids` (
	`program_id` integer NOT NULL,
	`hash` text NOT NULL,
	`erased_at` integer NOT NULL,
	PRIMARY KEY(`program_id`, `hash`),
	FOREIGN KEY (`program_id`) REFERENCES `programs`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `erased_ids_by_age` ON `erased_ids` (`erased_at`);--> statement-breakpoint
CREATE TABLE `erasures` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`program_id` integer NOT NULL,
	`requested_by` integer NOT NULL,
	`requested_at` integer NOT NULL,
	`counts` text NOT NULL,
	`sealed_search` text,
	`next_sweep_at` integer,
	`revision` integer DEFAULT 0 NOT NULL,
	FOREIGN KEY (`program_id`) REFERENCES `programs`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`requested_by`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "erasures_counts_json" CHECK(json_valid("erasures"."counts")),
	CONSTRAINT "erasures_open" CHECK(("erasures"."sealed_search" IS NULL) = ("erasures"."next_sweep_at" IS NULL))
);
--> statement-breakpoint
CREATE INDEX `erasures_by_program` ON `erasures` (`program_id`,`id`);--> statement-breakpoint
CREATE INDEX `erasures_due` ON `erasures` (`next_sweep_at`) WHERE "erasures"."next_sweep_at" IS NOT NULL;