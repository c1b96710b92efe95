CREATE INDEX `audit_entries_by_action` ON `audit_entries` (`workspace_id`,`action`,`id`);--> statement-breakpoint
CREATE INDEX `audit_entries_by_user` ON `audit_entries` (`workspace_id`,`user_id`,`id`);--> statement-breakpoint
CREATE INDEX `audit_entries_by_program` ON `audit_entries` (`workspace_id`,`program_id`,`id`);--> statement-breakpoint
CREATE INDEX `audit_entries_by_time` ON `audit_entries` (`workspace_id`,`at`);--> statement-breakpoint
CREATE INDEX `partner_applications_by_status` ON `partner_applications` (`program_id`,`status`,`id`);--> statement-breakpoint
CREATE INDEX `payouts_failed` ON `payouts` (`program_id`,`id`) WHERE "payouts"."failed_at" IS NOT NULL;--> statement-breakpoint
CREATE INDEX `payouts_unsent` ON `payouts` (`program_id`,`id`) WHERE "payouts"."sent_at" IS NULL AND "payouts"."failed_at" IS NULL;