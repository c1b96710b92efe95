CREATE TABLE `payout_details` (
	`partner_id` integer PRIMARY KEY NOT NULL,
	`method` text NOT NULL,
	`summary` text NOT NULL,
	`sealed` text NOT NULL,
	`changed_at` integer NOT NULL,
	FOREIGN KEY (`partner_id`) REFERENCES `partners`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "payout_details_method_known" CHECK("payout_details"."method" IN ('paypal', 'wise', 'bank'))
);
