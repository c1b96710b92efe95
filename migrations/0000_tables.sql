CREATE TABLE `audit_entries` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`at` integer NOT NULL,
	`workspace_id` integer,
	`program_id` integer,
	`user_id` integer,
	`action` text NOT NULL,
	`subject_id` integer,
	`detail` text NOT NULL,
	`address` text,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "audit_entries_detail_json" CHECK(json_valid("audit_entries"."detail"))
);
--> statement-breakpoint
CREATE INDEX `audit_entries_by_workspace` ON `audit_entries` (`workspace_id`,`id`);--> statement-breakpoint
CREATE TABLE `invitations` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`token_hash` text NOT NULL,
	`workspace_id` integer NOT NULL,
	`email` text NOT NULL,
	`role` text,
	`partner_id` integer,
	`invited_by` integer NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`accepted_at` integer,
	`accepted_by` integer,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`invited_by`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`accepted_by`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "invitations_as_member_or_partner" CHECK(("invitations"."role" IS NULL) <> ("invitations"."partner_id" IS NULL)),
	CONSTRAINT "invitations_accepted_by_someone" CHECK(("invitations"."accepted_at" IS NULL) = ("invitations"."accepted_by" IS NULL))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `invitations_token_hash_unique` ON `invitations` (`token_hash`);--> statement-breakpoint
CREATE INDEX `invitations_by_workspace` ON `invitations` (`workspace_id`);--> statement-breakpoint
CREATE TABLE `members` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`workspace_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`role` text NOT NULL,
	`created_at` integer NOT NULL,
	`deactivated_at` integer,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "members_role_known" CHECK("members"."role" IN ('owner', 'admin', 'member'))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `members_one_per_user` ON `members` (`workspace_id`,`user_id`);--> statement-breakpoint
CREATE INDEX `members_by_user` ON `members` (`user_id`);--> statement-breakpoint
CREATE TABLE `password_resets` (
	`token_hash` text PRIMARY KEY NOT NULL,
	`user_id` integer NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`used_at` integer,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `sessions` (
	`token_hash` text PRIMARY KEY NOT NULL,
	`user_id` integer NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `sessions_by_user` ON `sessions` (`user_id`);--> statement-breakpoint
CREATE TABLE `users` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`email` text NOT NULL,
	`name` text NOT NULL,
	`password_hash` text NOT NULL,
	`created_at` integer NOT NULL,
	`deactivated_at` integer,
	CONSTRAINT "users_email_normalised" CHECK("users"."email" = lower(trim("users"."email")))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `users_email_unique` ON `users` (`email`);--> statement-breakpoint
CREATE TABLE `workspaces` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`name` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `commission_rule_versions` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`rule_id` integer NOT NULL,
	`version` integer NOT NULL,
	`type` text NOT NULL,
	`basis_points` integer,
	`amount_cents` integer,
	`currency` text,
	`recurring_months` integer,
	`hold_days` integer NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`rule_id`) REFERENCES `commission_rules`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "commission_rule_versions_terms" CHECK(("commission_rule_versions"."type" = 'percent' AND "commission_rule_versions"."basis_points" BETWEEN 0 AND 10000 AND "commission_rule_versions"."amount_cents" IS NULL AND "commission_rule_versions"."currency" IS NULL)
			OR ("commission_rule_versions"."type" = 'flat' AND "commission_rule_versions"."amount_cents" BETWEEN 0 AND 99999999999 AND "commission_rule_versions"."currency" IS NOT NULL AND "commission_rule_versions"."basis_points" IS NULL)),
	CONSTRAINT "commission_rule_versions_recurring_range" CHECK("commission_rule_versions"."recurring_months" BETWEEN 0 AND 1200),
	CONSTRAINT "commission_rule_versions_hold_range" CHECK("commission_rule_versions"."hold_days" BETWEEN 0 AND 3650)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `commission_rule_versions_once` ON `commission_rule_versions` (`rule_id`,`version`);--> statement-breakpoint
CREATE TABLE `commission_rules` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`program_id` integer NOT NULL,
	`partner_id` integer,
	`product_id` text,
	`current_version` integer NOT NULL,
	`created_at` integer NOT NULL,
	`archived_at` integer,
	FOREIGN KEY (`program_id`) REFERENCES `programs`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`partner_id`) REFERENCES `partners`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "commission_rules_product_named" CHECK("commission_rules"."product_id" <> '')
);
--> statement-breakpoint
CREATE UNIQUE INDEX `commission_rules_one_default` ON `commission_rules` (`program_id`) WHERE "commission_rules"."archived_at" IS NULL AND "commission_rules"."partner_id" IS NULL AND "commission_rules"."product_id" IS NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `commission_rules_one_per_product` ON `commission_rules` (`program_id`,`product_id`) WHERE "commission_rules"."archived_at" IS NULL AND "commission_rules"."partner_id" IS NULL AND "commission_rules"."product_id" IS NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `commission_rules_one_per_partner` ON `commission_rules` (`program_id`,`partner_id`) WHERE "commission_rules"."archived_at" IS NULL AND "commission_rules"."partner_id" IS NOT NULL AND "commission_rules"."product_id" IS NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `commission_rules_one_per_partner_product` ON `commission_rules` (`program_id`,`partner_id`,`product_id`) WHERE "commission_rules"."archived_at" IS NULL AND "commission_rules"."partner_id" IS NOT NULL AND "commission_rules"."product_id" IS NOT NULL;--> statement-breakpoint
CREATE INDEX `commission_rules_in_force` ON `commission_rules` (`program_id`,`partner_id`,`product_id`);--> statement-breakpoint
CREATE TABLE `cron_runs` (
	`name` text PRIMARY KEY NOT NULL,
	`ran_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `refused_sales` (
	`program_id` integer PRIMARY KEY NOT NULL,
	`refused_at` integer NOT NULL,
	`transaction_id` text,
	`reason` text NOT NULL,
	FOREIGN KEY (`program_id`) REFERENCES `programs`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "refused_sales_transaction_named" CHECK(length("refused_sales"."transaction_id") BETWEEN 1 AND 255)
);
--> statement-breakpoint
CREATE TABLE `commissions` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`program_id` integer NOT NULL,
	`partner_program_id` integer NOT NULL,
	`sale_id` integer NOT NULL,
	`rule_version_id` integer NOT NULL,
	`amount_cents` integer NOT NULL,
	`currency` text NOT NULL,
	`status` text NOT NULL,
	`deducted_cents` integer DEFAULT 0 NOT NULL,
	`status_before_refund` text,
	`refund_reason` text,
	`rejection_reason` text,
	`hold_until` integer NOT NULL,
	`paid_at` integer,
	`payout_id` integer,
	`created_at` integer NOT NULL,
	`created_day` text NOT NULL,
	`revision` integer DEFAULT 0 NOT NULL,
	FOREIGN KEY (`program_id`) REFERENCES `programs`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`partner_program_id`) REFERENCES `partner_programs`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`sale_id`) REFERENCES `affiliate_sale_events`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`rule_version_id`) REFERENCES `commission_rule_versions`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`payout_id`) REFERENCES `payouts`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "commissions_amount_range" CHECK(typeof("commissions"."amount_cents") = 'integer' AND "commissions"."amount_cents" >= 0),
	CONSTRAINT "commissions_deducted_range" CHECK(typeof("commissions"."deducted_cents") = 'integer' AND "commissions"."deducted_cents" BETWEEN 0 AND "commissions"."amount_cents"),
	CONSTRAINT "commissions_status_known" CHECK("commissions"."status" IN ('pending', 'approved', 'paid', 'rejected', 'reversed', 'refunded')),
	CONSTRAINT "commissions_reversed_whole" CHECK("commissions"."status" <> 'reversed' OR "commissions"."deducted_cents" = "commissions"."amount_cents"),
	CONSTRAINT "commissions_paid_by_payout" CHECK(("commissions"."paid_at" IS NULL) = ("commissions"."payout_id" IS NULL)),
	CONSTRAINT "commissions_paid_dated" CHECK("commissions"."status" <> 'paid' OR "commissions"."paid_at" IS NOT NULL),
	CONSTRAINT "commissions_refund_from" CHECK(("commissions"."status" IN ('reversed', 'refunded')) = ("commissions"."status_before_refund" IS NOT NULL))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `commissions_sale_id_unique` ON `commissions` (`sale_id`);--> statement-breakpoint
CREATE INDEX `commissions_by_program` ON `commissions` (`program_id`,`id`);--> statement-breakpoint
CREATE INDEX `commissions_by_day` ON `commissions` (`program_id`,`created_day`);--> statement-breakpoint
CREATE INDEX `commissions_by_partner_program` ON `commissions` (`partner_program_id`,`id`);--> statement-breakpoint
CREATE INDEX `commissions_pending` ON `commissions` (`program_id`) WHERE "commissions"."status" = 'pending';--> statement-breakpoint
CREATE INDEX `commissions_on_hold` ON `commissions` (`hold_until`) WHERE "commissions"."status" = 'pending';--> statement-breakpoint
CREATE INDEX `commissions_by_payout` ON `commissions` (`payout_id`) WHERE "commissions"."payout_id" IS NOT NULL;--> statement-breakpoint
CREATE TABLE `ledger_entries` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`partner_program_id` integer NOT NULL,
	`currency` text NOT NULL,
	`kind` text NOT NULL,
	`commission_id` integer,
	`payout_id` integer,
	`nominal_cents` integer NOT NULL,
	`applied_cents` integer NOT NULL,
	`balance_after_cents` integer NOT NULL,
	`operation` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`partner_program_id`) REFERENCES `partner_programs`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`commission_id`) REFERENCES `commissions`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`payout_id`) REFERENCES `payouts`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "ledger_entries_whole_cents" CHECK(typeof("ledger_entries"."nominal_cents") = 'integer' AND typeof("ledger_entries"."applied_cents") = 'integer' AND typeof("ledger_entries"."balance_after_cents") = 'integer'),
	CONSTRAINT "ledger_entries_direction" CHECK(CASE "ledger_entries"."kind"
				WHEN 'credit' THEN "ledger_entries"."nominal_cents" >= 0 AND "ledger_entries"."applied_cents" = "ledger_entries"."nominal_cents"
				WHEN 'reversal' THEN "ledger_entries"."applied_cents" BETWEEN "ledger_entries"."nominal_cents" AND 0
				WHEN 'rejection' THEN "ledger_entries"."applied_cents" BETWEEN "ledger_entries"."nominal_cents" AND 0
				WHEN 'reinstatement' THEN "ledger_entries"."applied_cents" BETWEEN 0 AND "ledger_entries"."nominal_cents"
				WHEN 'payout' THEN "ledger_entries"."nominal_cents" <= 0 AND "ledger_entries"."applied_cents" = "ledger_entries"."nominal_cents"
				WHEN 'recovery' THEN "ledger_entries"."nominal_cents" >= 0 AND "ledger_entries"."applied_cents" = "ledger_entries"."nominal_cents"
				ELSE 0 END),
	CONSTRAINT "ledger_entries_subject" CHECK(("ledger_entries"."kind" = 'recovery') = ("ledger_entries"."commission_id" IS NULL) AND ("ledger_entries"."kind" IN ('payout', 'recovery')) = ("ledger_entries"."payout_id" IS NOT NULL))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `ledger_entries_once` ON `ledger_entries` (`commission_id`,`kind`,`operation`) WHERE "ledger_entries"."commission_id" IS NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `ledger_entries_one_credit` ON `ledger_entries` (`commission_id`) WHERE "ledger_entries"."kind" = 'credit';--> statement-breakpoint
CREATE UNIQUE INDEX `ledger_entries_one_recovery` ON `ledger_entries` (`payout_id`) WHERE "ledger_entries"."kind" = 'recovery';--> statement-breakpoint
CREATE INDEX `ledger_entries_by_account` ON `ledger_entries` (`partner_program_id`,`currency`,`id`);--> statement-breakpoint
CREATE TABLE `payouts` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`program_id` integer NOT NULL,
	`partner_program_id` integer NOT NULL,
	`currency` text NOT NULL,
	`commission_cents` integer NOT NULL,
	`recovered_cents` integer NOT NULL,
	`amount_cents` integer NOT NULL,
	`created_by` integer,
	`created_at` integer NOT NULL,
	`op_id` text NOT NULL,
	FOREIGN KEY (`program_id`) REFERENCES `programs`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`partner_program_id`) REFERENCES `partner_programs`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`created_by`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "payouts_sum" CHECK("payouts"."amount_cents" >= 0 AND "payouts"."recovered_cents" >= 0 AND "payouts"."amount_cents" + "payouts"."recovered_cents" = "payouts"."commission_cents")
);
--> statement-breakpoint
CREATE UNIQUE INDEX `payouts_one_per_partner` ON `payouts` (`op_id`,`partner_program_id`,`currency`);--> statement-breakpoint
CREATE INDEX `payouts_by_program` ON `payouts` (`program_id`,`id`);--> statement-breakpoint
CREATE INDEX `payouts_by_partner_program` ON `payouts` (`partner_program_id`,`id`);--> statement-breakpoint
CREATE TABLE `partner_program_balances` (
	`partner_program_id` integer NOT NULL,
	`currency` text NOT NULL,
	`balance_cents` integer NOT NULL,
	`last_entry_id` integer NOT NULL,
	PRIMARY KEY(`partner_program_id`, `currency`),
	FOREIGN KEY (`partner_program_id`) REFERENCES `partner_programs`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `partner_programs` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`program_id` integer NOT NULL,
	`partner_id` integer NOT NULL,
	`status` text NOT NULL,
	`created_at` integer NOT NULL,
	`created_day` text,
	FOREIGN KEY (`program_id`) REFERENCES `programs`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`partner_id`) REFERENCES `partners`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "partner_programs_status_known" CHECK("partner_programs"."status" IN ('active', 'suspended', 'ended'))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `partner_programs_once` ON `partner_programs` (`program_id`,`partner_id`);--> statement-breakpoint
CREATE INDEX `partner_programs_by_partner` ON `partner_programs` (`partner_id`);--> statement-breakpoint
CREATE INDEX `partner_programs_by_creation` ON `partner_programs` (`program_id`,`created_at`);--> statement-breakpoint
CREATE TABLE `partners` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`workspace_id` integer NOT NULL,
	`name` text NOT NULL,
	`email` text NOT NULL,
	`user_id` integer,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "partners_email_normalised" CHECK("partners"."email" = lower(trim("partners"."email")))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `partners_one_per_email` ON `partners` (`workspace_id`,`email`);--> statement-breakpoint
CREATE INDEX `partners_by_user` ON `partners` (`user_id`);--> statement-breakpoint
CREATE TABLE `referral_links` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`program_id` integer,
	`partner_program_id` integer,
	`short_link` text NOT NULL,
	`destination_url` text,
	`created_at` integer NOT NULL,
	`archived_at` integer,
	FOREIGN KEY (`program_id`) REFERENCES `programs`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`partner_program_id`) REFERENCES `partner_programs`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "referral_links_short_link_form" CHECK(length("referral_links"."short_link") BETWEEN 1 AND 64 AND "referral_links"."short_link" NOT GLOB '*[^A-Za-z0-9_-]*')
);
--> statement-breakpoint
CREATE UNIQUE INDEX `referral_links_short_link_unique` ON `referral_links` (`short_link`);--> statement-breakpoint
CREATE INDEX `referral_links_by_program` ON `referral_links` (`program_id`,`id`);--> statement-breakpoint
CREATE INDEX `referral_links_by_partner_program` ON `referral_links` (`partner_program_id`);--> statement-breakpoint
CREATE TABLE `allowed_origins` (
	`program_id` integer NOT NULL,
	`origin` text NOT NULL,
	PRIMARY KEY(`program_id`, `origin`),
	FOREIGN KEY (`program_id`) REFERENCES `programs`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `allowed_origins_by_origin` ON `allowed_origins` (`origin`);--> statement-breakpoint
CREATE TABLE `program_keys` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`program_id` integer NOT NULL,
	`token_hash` text NOT NULL,
	`prefix` text NOT NULL,
	`sealed_token` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer,
	`last_used_at` integer,
	FOREIGN KEY (`program_id`) REFERENCES `programs`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `program_keys_token_hash_unique` ON `program_keys` (`token_hash`);--> statement-breakpoint
CREATE UNIQUE INDEX `program_keys_one_current` ON `program_keys` (`program_id`) WHERE "program_keys"."expires_at" IS NULL;--> statement-breakpoint
CREATE INDEX `program_keys_by_program` ON `program_keys` (`program_id`);--> statement-breakpoint
CREATE TABLE `programs` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`workspace_id` integer NOT NULL,
	`name` text NOT NULL,
	`domain` text,
	`currency` text NOT NULL,
	`cookie_window_days` integer NOT NULL,
	`time_zone` text NOT NULL,
	`active` integer NOT NULL,
	`server_leads_only` integer NOT NULL,
	`keep_emails` integer NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "programs_currency_form" CHECK("programs"."currency" GLOB '[A-Z][A-Z][A-Z]'),
	CONSTRAINT "programs_window_range" CHECK("programs"."cookie_window_days" BETWEEN 1 AND 3650)
);
--> statement-breakpoint
CREATE INDEX `programs_by_workspace` ON `programs` (`workspace_id`,`id`);--> statement-breakpoint
-- Edited: drizzle-kit cannot say WITHOUT ROWID.
CREATE TABLE `daily_performance` (
	`program_id` integer NOT NULL,
	`day` text NOT NULL,
	`currency` text NOT NULL,
	`clicks` integer DEFAULT 0 NOT NULL,
	`leads` integer DEFAULT 0 NOT NULL,
	`open_leads` integer DEFAULT 0 NOT NULL,
	`conversions` integer DEFAULT 0 NOT NULL,
	`partners` integer DEFAULT 0 NOT NULL,
	`sales` integer DEFAULT 0 NOT NULL,
	`revenue_cents` integer DEFAULT 0 NOT NULL,
	`refunded_cents` integer DEFAULT 0 NOT NULL,
	`commission_cents` integer DEFAULT 0 NOT NULL,
	`deducted_cents` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`program_id`, `day`, `currency`),
	FOREIGN KEY (`program_id`) REFERENCES `programs`(`id`) ON UPDATE no action ON DELETE no action
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `program_metrics` (
	`program_id` integer NOT NULL,
	`currency` text NOT NULL,
	`sales` integer NOT NULL,
	`revenue_cents` integer NOT NULL,
	`refunded_cents` integer NOT NULL,
	`commission_cents` integer NOT NULL,
	`deducted_cents` integer NOT NULL,
	`updated_at` integer NOT NULL,
	PRIMARY KEY(`program_id`, `currency`),
	FOREIGN KEY (`program_id`) REFERENCES `programs`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `affiliate_click_events` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`click_id` text NOT NULL,
	`program_id` integer NOT NULL,
	`referral_link_id` integer NOT NULL,
	`is_test` integer NOT NULL,
	`is_bot` integer NOT NULL,
	`clicked_at` integer NOT NULL,
	`click_day` text NOT NULL,
	`page_url` text,
	`page_title` text,
	`referrer_url` text,
	`session_id` text,
	`user_agent` text,
	`language` text,
	`timezone` text,
	`country` text,
	FOREIGN KEY (`program_id`) REFERENCES `programs`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`referral_link_id`) REFERENCES `referral_links`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `affiliate_click_events_click_id_unique` ON `affiliate_click_events` (`click_id`);--> statement-breakpoint
CREATE INDEX `affiliate_click_events_by_program` ON `affiliate_click_events` (`program_id`,`clicked_at`);--> statement-breakpoint
CREATE INDEX `affiliate_click_events_tests` ON `affiliate_click_events` (`program_id`,`is_test`,`clicked_at`) WHERE "affiliate_click_events"."is_test" = 1;--> statement-breakpoint
CREATE TABLE `affiliate_lead_events` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`program_id` integer NOT NULL,
	`customer_id` integer,
	`click_id` text,
	`customer_key` text,
	`is_test` integer NOT NULL,
	`created_at` integer NOT NULL,
	`op_id` text NOT NULL,
	FOREIGN KEY (`program_id`) REFERENCES `programs`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`customer_id`) REFERENCES `customers`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "affiliate_lead_events_customer_real" CHECK(("affiliate_lead_events"."is_test" = 1) = ("affiliate_lead_events"."customer_id" IS NULL))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `affiliate_lead_events_op_id_unique` ON `affiliate_lead_events` (`op_id`);--> statement-breakpoint
CREATE INDEX `affiliate_lead_events_by_program` ON `affiliate_lead_events` (`program_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `affiliate_lead_events_tests` ON `affiliate_lead_events` (`program_id`,`is_test`,`created_at`) WHERE "affiliate_lead_events"."is_test" = 1;--> statement-breakpoint
CREATE INDEX `affiliate_lead_events_by_customer` ON `affiliate_lead_events` (`customer_id`);--> statement-breakpoint
CREATE TABLE `affiliate_sale_events` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`program_id` integer NOT NULL,
	`processor_event_id` text NOT NULL,
	`is_test` integer NOT NULL,
	`customer_id` integer,
	`partner_program_id` integer,
	`amount_cents` integer NOT NULL,
	`currency` text NOT NULL,
	`sale_type` text NOT NULL,
	`is_recurring` integer NOT NULL,
	`subscription_id` text,
	`subscription_interval` text,
	`product_id` text,
	`line_items` text,
	`inside_window` integer NOT NULL,
	`commission_state` text NOT NULL,
	`no_commission_reason` text,
	`owed_commission` text,
	`refunded_cents` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL,
	`sale_day` text NOT NULL,
	`op_id` text NOT NULL,
	`revision` integer DEFAULT 0 NOT NULL,
	FOREIGN KEY (`program_id`) REFERENCES `programs`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`customer_id`) REFERENCES `customers`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`partner_program_id`) REFERENCES `partner_programs`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "affiliate_sale_events_amount_range" CHECK(typeof("affiliate_sale_events"."amount_cents") = 'integer' AND "affiliate_sale_events"."amount_cents" BETWEEN ("affiliate_sale_events"."is_test" = 0) AND 99999999999),
	CONSTRAINT "affiliate_sale_events_refunded_range" CHECK(typeof("affiliate_sale_events"."refunded_cents") = 'integer' AND "affiliate_sale_events"."refunded_cents" BETWEEN 0 AND "affiliate_sale_events"."amount_cents"),
	CONSTRAINT "affiliate_sale_events_customer_real" CHECK(("affiliate_sale_events"."is_test" = 1) = ("affiliate_sale_events"."customer_id" IS NULL)),
	CONSTRAINT "affiliate_sale_events_reason_given" CHECK(("affiliate_sale_events"."commission_state" = 'none') = ("affiliate_sale_events"."no_commission_reason" IS NOT NULL)),
	CONSTRAINT "affiliate_sale_events_owed_given" CHECK(("affiliate_sale_events"."commission_state" = 'failed') = ("affiliate_sale_events"."owed_commission" IS NOT NULL)),
	CONSTRAINT "affiliate_sale_events_transaction_named" CHECK(length("affiliate_sale_events"."processor_event_id") BETWEEN 1 AND 255)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `affiliate_sale_events_op_id_unique` ON `affiliate_sale_events` (`op_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `affiliate_sale_events_one_per_transaction` ON `affiliate_sale_events` (`processor_event_id`,`is_test`);--> statement-breakpoint
CREATE INDEX `affiliate_sale_events_by_program` ON `affiliate_sale_events` (`program_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `affiliate_sale_events_tests` ON `affiliate_sale_events` (`program_id`,`is_test`,`created_at`) WHERE "affiliate_sale_events"."is_test" = 1;--> statement-breakpoint
CREATE INDEX `affiliate_sale_events_by_subscription` ON `affiliate_sale_events` (`program_id`,`subscription_id`,`customer_id`) WHERE "affiliate_sale_events"."subscription_id" IS NOT NULL;--> statement-breakpoint
CREATE INDEX `affiliate_sale_events_without_commission` ON `affiliate_sale_events` (`created_at`) WHERE "affiliate_sale_events"."commission_state" = 'failed';--> statement-breakpoint
CREATE TABLE `customers` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`program_id` integer NOT NULL,
	`customer_key` text,
	`status` text NOT NULL,
	`signup_date` text,
	`first_purchase_date` text,
	`partner_program_id` integer,
	`referral_link_id` integer,
	`click_id` text,
	`clicked_at` integer,
	`click_sequence` integer,
	`email_hash` text,
	`email` text,
	`created_at` integer NOT NULL,
	`revision` integer DEFAULT 0 NOT NULL,
	FOREIGN KEY (`program_id`) REFERENCES `programs`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`partner_program_id`) REFERENCES `partner_programs`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`referral_link_id`) REFERENCES `referral_links`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "customers_status_known" CHECK("customers"."status" IN ('click', 'lead', 'conversion')),
	CONSTRAINT "customers_attribution_whole" CHECK(("customers"."partner_program_id" IS NULL) = ("customers"."referral_link_id" IS NULL) AND ("customers"."referral_link_id" IS NULL) = ("customers"."click_id" IS NULL)
			AND ("customers"."click_id" IS NULL) = ("customers"."clicked_at" IS NULL) AND ("customers"."clicked_at" IS NULL) = ("customers"."click_sequence" IS NULL)),
	CONSTRAINT "customers_named" CHECK("customers"."customer_key" IS NOT NULL OR "customers"."click_id" IS NOT NULL),
	CONSTRAINT "customers_conversion_dated" CHECK(("customers"."status" = 'conversion') = ("customers"."first_purchase_date" IS NOT NULL))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `customers_one_per_key` ON `customers` (`program_id`,`customer_key`) WHERE "customers"."customer_key" IS NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `customers_one_per_click` ON `customers` (`click_id`,`click_sequence`) WHERE "customers"."click_id" IS NOT NULL;--> statement-breakpoint
CREATE INDEX `customers_by_signup` ON `customers` (`program_id`,`signup_date`) WHERE "customers"."signup_date" IS NOT NULL;--> statement-breakpoint
CREATE INDEX `customers_by_first_purchase` ON `customers` (`program_id`,`first_purchase_date`) WHERE "customers"."first_purchase_date" IS NOT NULL;--> statement-breakpoint
CREATE INDEX `customers_by_email` ON `customers` (`program_id`,`email_hash`) WHERE "customers"."email_hash" IS NOT NULL;--> statement-breakpoint
CREATE TABLE `refund_events` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`program_id` integer NOT NULL,
	`sale_id` integer NOT NULL,
	`refund_id` text,
	`is_test` integer NOT NULL,
	`amount_cents` integer NOT NULL,
	`deduction_cents` integer,
	`outcome` text NOT NULL,
	`reason` text,
	`created_at` integer NOT NULL,
	`refund_day` text NOT NULL,
	`op_id` text NOT NULL,
	FOREIGN KEY (`program_id`) REFERENCES `programs`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`sale_id`) REFERENCES `affiliate_sale_events`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "refund_events_amount_range" CHECK(typeof("refund_events"."amount_cents") = 'integer' AND "refund_events"."amount_cents" >= 0),
	CONSTRAINT "refund_events_refund_id_named" CHECK("refund_events"."refund_id" <> '')
);
--> statement-breakpoint
CREATE UNIQUE INDEX `refund_events_op_id_unique` ON `refund_events` (`op_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `refund_events_one_per_refund_id` ON `refund_events` (`sale_id`,`refund_id`) WHERE "refund_events"."is_test" = 0 AND "refund_events"."refund_id" IS NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `refund_events_one_without_refund_id` ON `refund_events` (`sale_id`) WHERE "refund_events"."is_test" = 0 AND "refund_events"."refund_id" IS NULL;--> statement-breakpoint
CREATE INDEX `refund_events_by_program` ON `refund_events` (`program_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `refund_events_tests` ON `refund_events` (`program_id`,`is_test`,`created_at`) WHERE "refund_events"."is_test" = 1;--> statement-breakpoint
CREATE TABLE `dead_letters` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`message_id` text NOT NULL,
	`workspace_id` integer,
	`program_id` integer,
	`body` text NOT NULL,
	`reason` text NOT NULL,
	`created_at` integer NOT NULL,
	`replayed_at` integer,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`program_id`) REFERENCES `programs`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "dead_letters_body_json" CHECK(json_valid("dead_letters"."body"))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `dead_letters_message_id_unique` ON `dead_letters` (`message_id`);--> statement-breakpoint
CREATE INDEX `dead_letters_by_workspace` ON `dead_letters` (`workspace_id`,`id`);--> statement-breakpoint
CREATE INDEX `dead_letters_waiting` ON `dead_letters` (`program_id`) WHERE "dead_letters"."replayed_at" IS NULL;--> statement-breakpoint
CREATE TABLE `notifications` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
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
	CONSTRAINT "notifications_one_reader" CHECK(("notifications"."partner_id" IS NULL) <> ("notifications"."user_id" IS NULL)),
	CONSTRAINT "notifications_detail_json" CHECK(json_valid("notifications"."detail"))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `notifications_once_per_partner` ON `notifications` (`outbox_id`,`partner_id`) WHERE "notifications"."partner_id" IS NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `notifications_once_per_user` ON `notifications` (`outbox_id`,`user_id`) WHERE "notifications"."user_id" IS NOT NULL;--> statement-breakpoint
CREATE INDEX `notifications_by_partner` ON `notifications` (`partner_id`,`id`) WHERE "notifications"."partner_id" IS NOT NULL;--> statement-breakpoint
CREATE INDEX `notifications_by_user` ON `notifications` (`user_id`,`id`) WHERE "notifications"."user_id" IS NOT NULL;--> statement-breakpoint
CREATE INDEX `notifications_unread_by_partner` ON `notifications` (`partner_id`,`id`) WHERE "notifications"."partner_id" IS NOT NULL AND "notifications"."read_at" IS NULL;--> statement-breakpoint
CREATE INDEX `notifications_unread_by_user` ON `notifications` (`user_id`,`id`) WHERE "notifications"."user_id" IS NOT NULL AND "notifications"."read_at" IS NULL;--> statement-breakpoint
CREATE TABLE `outbox` (
	`id` text PRIMARY KEY NOT NULL,
	`program_id` integer NOT NULL,
	`kind` text NOT NULL,
	`subject_id` integer NOT NULL,
	`created_at` integer NOT NULL,
	`sends` integer DEFAULT 0 NOT NULL,
	`done_at` integer,
	FOREIGN KEY (`program_id`) REFERENCES `programs`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `outbox_waiting` ON `outbox` (`created_at`) WHERE "outbox"."done_at" IS NULL;