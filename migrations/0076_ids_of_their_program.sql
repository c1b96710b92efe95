DROP INDEX `affiliate_sale_events_one_per_transaction`;--> statement-breakpoint
ALTER TABLE `affiliate_sale_events` ADD `id_scope` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `affiliate_sale_events_one_per_transaction` ON `affiliate_sale_events` (`processor_event_id`,`is_test`,`id_scope`);