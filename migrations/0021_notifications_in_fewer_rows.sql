-- No AUTOINCREMENT where nothing is ever deleted, and an index for both lists, read and unread. What is told is told once because the
-- outbox row goes with it. Edited: drizzle-kit quotes an expression as if it were a column.
CREATE TABLE `__new_notifications` (
	`id` integer PRIMARY KEY NOT NULL,
	`partner_id` integer,
	`user_id` integer,
	`program_id` integer NOT NULL,
	`kind` text NOT NULL,
	`detail` text NOT NULL,
	`outbox_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`read_at` integer,
	FOREIGN KEY (`partner_id`) REFERENCES `partners`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`program_id`) REFERENCES `programs`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "notifications_one_reader" CHECK(("__new_notifications"."partner_id" IS NULL) <> ("__new_notifications"."user_id" IS NULL)),
	CONSTRAINT "notifications_detail_json" CHECK(json_valid("__new_notifications"."detail"))
);
--> statement-breakpoint
INSERT INTO `__new_notifications`("id", "partner_id", "user_id", "program_id", "kind", "detail", "outbox_id", "created_at", "read_at") SELECT "id", "partner_id", "user_id", "program_id", "kind", "detail", "outbox_id", "created_at", "read_at" FROM `notifications`;
--> statement-breakpoint
DROP TABLE `notifications`;
--> statement-breakpoint
ALTER TABLE `__new_notifications` RENAME TO `notifications`;
--> statement-breakpoint
CREATE INDEX `notifications_by_partner` ON `notifications` (`partner_id`,`read_at` IS NULL,`id`) WHERE "notifications"."partner_id" IS NOT NULL;
--> statement-breakpoint
CREATE INDEX `notifications_by_user` ON `notifications` (`user_id`,`read_at` IS NULL,`id`) WHERE "notifications"."user_id" IS NOT NULL;
--> statement-breakpoint
CREATE TRIGGER notifications_stay BEFORE DELETE ON notifications BEGIN
	SELECT RAISE(ABORT, 'notifications: stay');
END;
