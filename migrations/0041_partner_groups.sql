CREATE TABLE `partner_groups` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`program_id` integer NOT NULL,
	`name` text NOT NULL,
	`name_key` text NOT NULL,
	`created_at` integer NOT NULL,
	`archived_at` integer,
	FOREIGN KEY (`program_id`) REFERENCES `programs`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `partner_groups_one_per_name` ON `partner_groups` (`program_id`,`name_key`) WHERE "partner_groups"."archived_at" IS NULL;--> statement-breakpoint
DROP INDEX `commission_rules_one_default`;--> statement-breakpoint
DROP INDEX `commission_rules_one_per_product`;--> statement-breakpoint
DROP INDEX `commission_rules_in_force`;--> statement-breakpoint
ALTER TABLE `commission_rules` ADD `group_id` integer REFERENCES partner_groups(id);--> statement-breakpoint
CREATE UNIQUE INDEX `commission_rules_one_per_group` ON `commission_rules` (`program_id`,`group_id`) WHERE "commission_rules"."archived_at" IS NULL AND "commission_rules"."group_id" IS NOT NULL AND "commission_rules"."product_id" IS NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `commission_rules_one_per_group_product` ON `commission_rules` (`program_id`,`group_id`,`product_id`) WHERE "commission_rules"."archived_at" IS NULL AND "commission_rules"."group_id" IS NOT NULL AND "commission_rules"."product_id" IS NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `commission_rules_one_default` ON `commission_rules` (`program_id`) WHERE "commission_rules"."archived_at" IS NULL AND "commission_rules"."partner_id" IS NULL AND "commission_rules"."group_id" IS NULL AND "commission_rules"."product_id" IS NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `commission_rules_one_per_product` ON `commission_rules` (`program_id`,`product_id`) WHERE "commission_rules"."archived_at" IS NULL AND "commission_rules"."partner_id" IS NULL AND "commission_rules"."group_id" IS NULL AND "commission_rules"."product_id" IS NOT NULL;--> statement-breakpoint
CREATE INDEX `commission_rules_in_force` ON `commission_rules` (`program_id`,`partner_id`,`group_id`,`product_id`);--> statement-breakpoint
ALTER TABLE `partner_programs` ADD `group_id` integer REFERENCES partner_groups(id);--> statement-breakpoint
CREATE INDEX `partner_programs_by_group` ON `partner_programs` (`group_id`,`partner_id`) WHERE "partner_programs"."group_id" IS NOT NULL;