CREATE TABLE `refused_origins` (
	`program_id` integer NOT NULL,
	`origin` text NOT NULL,
	`refused_at` integer NOT NULL,
	PRIMARY KEY(`program_id`, `origin`),
	FOREIGN KEY (`program_id`) REFERENCES `programs`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "refused_origins_length" CHECK(length("refused_origins"."origin") BETWEEN 1 AND 267)
);
