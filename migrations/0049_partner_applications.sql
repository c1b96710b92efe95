CREATE TABLE `application_forms` (
	`program_id` integer PRIMARY KEY NOT NULL,
	`slug` text NOT NULL,
	`mode` text NOT NULL,
	`description` text,
	`terms_version` integer NOT NULL,
	`group_id` integer,
	FOREIGN KEY (`program_id`) REFERENCES `programs`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`group_id`) REFERENCES `partner_groups`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "application_forms_slug_form" CHECK(length("application_forms"."slug") BETWEEN 3 AND 63 AND "application_forms"."slug" NOT GLOB '*[^a-z0-9-]*'),
	CONSTRAINT "application_forms_mode_known" CHECK("application_forms"."mode" IN ('closed', 'by_approval', 'automatic'))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `application_forms_slug_unique` ON `application_forms` (`slug`);--> statement-breakpoint
CREATE TABLE `application_terms` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`program_id` integer NOT NULL,
	`version` integer NOT NULL,
	`text` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`program_id`) REFERENCES `programs`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `application_terms_once` ON `application_terms` (`program_id`,`version`);--> statement-breakpoint
CREATE TABLE `partner_applications` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`op_id` text NOT NULL,
	`program_id` integer NOT NULL,
	`name` text NOT NULL,
	`email` text NOT NULL,
	`website` text,
	`message` text,
	`terms_version` integer NOT NULL,
	`user_id` integer,
	`status` text NOT NULL,
	`created_at` integer NOT NULL,
	`decided_at` integer,
	`decided_by` integer,
	`reason` text,
	`partner_id` integer,
	FOREIGN KEY (`program_id`) REFERENCES `programs`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`decided_by`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`partner_id`) REFERENCES `partners`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "partner_applications_status_known" CHECK("partner_applications"."status" IN ('open', 'approved', 'declined')),
	CONSTRAINT "partner_applications_email_normalised" CHECK("partner_applications"."email" = lower(trim("partner_applications"."email"))),
	CONSTRAINT "partner_applications_decided" CHECK(("partner_applications"."status" = 'open') = ("partner_applications"."decided_at" IS NULL)),
	CONSTRAINT "partner_applications_partner" CHECK(("partner_applications"."status" = 'approved') = ("partner_applications"."partner_id" IS NOT NULL))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `partner_applications_one_open` ON `partner_applications` (`program_id`,`email`) WHERE "partner_applications"."status" = 'open';--> statement-breakpoint
CREATE INDEX `partner_applications_by_program` ON `partner_applications` (`program_id`,`id`);--> statement-breakpoint
CREATE INDEX `partner_applications_by_email` ON `partner_applications` (`program_id`,`email`);--> statement-breakpoint
CREATE INDEX `partner_applications_declined` ON `partner_applications` (`decided_at`) WHERE "partner_applications"."status" = 'declined';--> statement-breakpoint
ALTER TABLE `partner_programs` ADD `status_reason` text;