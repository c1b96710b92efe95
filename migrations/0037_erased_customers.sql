ALTER TABLE `customers` ADD `erased_at` integer;--> statement-breakpoint
CREATE INDEX `customers_by_clear_email` ON `customers` (`program_id`,`email`) WHERE "customers"."email" IS NOT NULL;