ALTER TABLE `programs` ADD `domain_verified_at` integer;--> statement-breakpoint
CREATE INDEX `programs_by_domain` ON `programs` (`domain`);