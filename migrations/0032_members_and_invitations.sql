ALTER TABLE `invitations` ADD `withdrawn_at` integer;--> statement-breakpoint
CREATE UNIQUE INDEX `invitations_of_members_open` ON `invitations` (`workspace_id`,`email`) WHERE "invitations"."accepted_at" IS NULL AND "invitations"."withdrawn_at" IS NULL AND "invitations"."role" IS NOT NULL;--> statement-breakpoint
ALTER TABLE `members` ADD `removed_at` integer;