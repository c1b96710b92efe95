CREATE TABLE `signature_failures` (
	`program_id` integer NOT NULL,
	`processor` text NOT NULL,
	`kind` text NOT NULL,
	`failures` integer NOT NULL,
	`since` integer NOT NULL,
	`last_at` integer NOT NULL,
	`offset_ms` integer,
	PRIMARY KEY(`program_id`, `processor`, `kind`),
	FOREIGN KEY (`program_id`) REFERENCES `programs`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "signature_failures_kind_known" CHECK("signature_failures"."kind" IN ('mismatch', 'timestamp')),
	CONSTRAINT "signature_failures_offset_given" CHECK(("signature_failures"."kind" = 'timestamp') = ("signature_failures"."offset_ms" IS NOT NULL))
);
