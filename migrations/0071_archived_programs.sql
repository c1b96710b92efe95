ALTER TABLE `programs` ADD `archived_at` integer;--> statement-breakpoint
ALTER TABLE `programs` ADD `active_before_archive` integer;