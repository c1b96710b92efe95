DROP INDEX `postback_deliveries_due`;--> statement-breakpoint
CREATE INDEX `postback_deliveries_due` ON `postback_deliveries` (`postback_id`,`next_attempt_at`) WHERE "postback_deliveries"."state" = 'pending';--> statement-breakpoint
DROP INDEX `webhook_deliveries_due`;--> statement-breakpoint
CREATE INDEX `webhook_deliveries_due` ON `webhook_deliveries` (`endpoint_id`,`next_attempt_at`) WHERE "webhook_deliveries"."state" = 'pending';--> statement-breakpoint
ALTER TABLE `postbacks` ADD `rests_until` integer;--> statement-breakpoint
ALTER TABLE `webhook_endpoints` ADD `rests_until` integer;