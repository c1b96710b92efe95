CREATE TABLE `uncredited_leads` (
	`program_id` integer PRIMARY KEY NOT NULL,
	`leads` integer NOT NULL,
	`since` integer NOT NULL,
	`last_at` integer NOT NULL,
	FOREIGN KEY (`program_id`) REFERENCES `programs`(`id`) ON UPDATE no action ON DELETE no action
);
