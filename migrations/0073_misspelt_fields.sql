CREATE TABLE `misspelt_fields` (
	`program_id` integer NOT NULL,
	`operation` text NOT NULL,
	`field` text NOT NULL,
	`meant` text NOT NULL,
	`calls` integer NOT NULL,
	`since` integer NOT NULL,
	`last_at` integer NOT NULL,
	PRIMARY KEY(`program_id`, `operation`, `field`),
	FOREIGN KEY (`program_id`) REFERENCES `programs`(`id`) ON UPDATE no action ON DELETE no action
);
