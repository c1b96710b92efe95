-- Edited: drizzle-kit cannot say WITHOUT ROWID.
CREATE TABLE `commission_sum_scopes` (
	`program_id` integer NOT NULL,
	`partner_program_id` integer NOT NULL,
	`summed_before` text DEFAULT '' NOT NULL,
	PRIMARY KEY(`program_id`, `partner_program_id`),
	FOREIGN KEY (`program_id`) REFERENCES `programs`(`id`) ON UPDATE no action ON DELETE no action
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `commission_sums` (
	`program_id` integer NOT NULL,
	`partner_program_id` integer NOT NULL,
	`day` text NOT NULL,
	`currency` text NOT NULL,
	`pending_count` integer DEFAULT 0 NOT NULL,
	`pending_amount_cents` integer DEFAULT 0 NOT NULL,
	`pending_deducted_cents` integer DEFAULT 0 NOT NULL,
	`approved_count` integer DEFAULT 0 NOT NULL,
	`approved_amount_cents` integer DEFAULT 0 NOT NULL,
	`approved_deducted_cents` integer DEFAULT 0 NOT NULL,
	`paid_count` integer DEFAULT 0 NOT NULL,
	`paid_amount_cents` integer DEFAULT 0 NOT NULL,
	`paid_deducted_cents` integer DEFAULT 0 NOT NULL,
	`rejected_count` integer DEFAULT 0 NOT NULL,
	`rejected_amount_cents` integer DEFAULT 0 NOT NULL,
	`rejected_deducted_cents` integer DEFAULT 0 NOT NULL,
	`reversed_count` integer DEFAULT 0 NOT NULL,
	`reversed_amount_cents` integer DEFAULT 0 NOT NULL,
	`reversed_deducted_cents` integer DEFAULT 0 NOT NULL,
	`refunded_count` integer DEFAULT 0 NOT NULL,
	`refunded_amount_cents` integer DEFAULT 0 NOT NULL,
	`refunded_deducted_cents` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`program_id`, `partner_program_id`, `day`, `currency`),
	FOREIGN KEY (`program_id`) REFERENCES `programs`(`id`) ON UPDATE no action ON DELETE no action
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `breakdown_months` (
	`program_id` integer NOT NULL,
	`dimension` text NOT NULL,
	`month` text NOT NULL,
	PRIMARY KEY(`program_id`, `dimension`, `month`),
	FOREIGN KEY (`program_id`) REFERENCES `programs`(`id`) ON UPDATE no action ON DELETE no action
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `monthly_breakdown` (
	`program_id` integer NOT NULL,
	`dimension` text NOT NULL,
	`month` text NOT NULL,
	`value` text NOT NULL,
	`currency` text NOT NULL,
	`last_day` text,
	`clicks` integer DEFAULT 0 NOT NULL,
	`leads` integer DEFAULT 0 NOT NULL,
	`conversions` integer DEFAULT 0 NOT NULL,
	`sales` integer DEFAULT 0 NOT NULL,
	`revenue_cents` integer DEFAULT 0 NOT NULL,
	`refunded_cents` integer DEFAULT 0 NOT NULL,
	`commission_cents` integer DEFAULT 0 NOT NULL,
	`deducted_cents` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`program_id`, `dimension`, `month`, `value`, `currency`),
	FOREIGN KEY (`program_id`) REFERENCES `programs`(`id`) ON UPDATE no action ON DELETE no action
) WITHOUT ROWID;
