CREATE TABLE `letter_progress` (
	`id` integer PRIMARY KEY NOT NULL,
	`up_to_id` integer NOT NULL,
	CONSTRAINT "letter_progress_one" CHECK("letter_progress"."id" = 1)
);
--> statement-breakpoint
CREATE TABLE `letters_due` (
	`user_id` integer NOT NULL,
	`pace` text NOT NULL,
	`after_id` integer NOT NULL,
	`up_to_id` integer NOT NULL,
	`due_at` integer NOT NULL,
	`tries` integer NOT NULL,
	PRIMARY KEY(`user_id`, `pace`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `letters_due_by_time` ON `letters_due` (`due_at`);--> statement-breakpoint
CREATE TABLE `mail_preferences` (
	`user_id` integer PRIMARY KEY NOT NULL,
	`notifications` integer NOT NULL,
	`kinds` text NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "mail_preferences_kinds_json" CHECK(json_valid("mail_preferences"."kinds"))
);
