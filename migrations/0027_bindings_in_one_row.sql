-- WITHOUT ROWID, which Drizzle cannot say.
CREATE TABLE `__new_processor_bindings` (
	`program_id` integer NOT NULL,
	`is_test` integer NOT NULL,
	`processor_id` text NOT NULL,
	`customer_key` text,
	`click_id` text,
	`told_at` integer NOT NULL,
	`began_at` integer,
	`trial_began_at` integer,
	`ended_at` integer,
	PRIMARY KEY(`program_id`, `is_test`, `processor_id`),
	FOREIGN KEY (`program_id`) REFERENCES `programs`(`id`) ON UPDATE no action ON DELETE no action
) WITHOUT ROWID;
--> statement-breakpoint
INSERT INTO `__new_processor_bindings` (`program_id`, `is_test`, `processor_id`, `customer_key`, `click_id`, `told_at`, `began_at`, `trial_began_at`, `ended_at`)
SELECT `program_id`, `is_test`, `processor_id`, `customer_key`, `click_id`, `told_at`, `began_at`, `trial_began_at`, `ended_at` FROM `processor_bindings`
ORDER BY +`program_id`, `is_test`, `processor_id`;
--> statement-breakpoint
DROP TABLE `processor_bindings`;
--> statement-breakpoint
ALTER TABLE `__new_processor_bindings` RENAME TO `processor_bindings`;
