ALTER TABLE `payment_reversals` ADD `stood_at` integer;--> statement-breakpoint
CREATE INDEX `ledger_entries_clamped` ON `ledger_entries` (`partner_program_id`,`currency`) WHERE "ledger_entries"."kind" IN ('reversal', 'reinstatement') AND "ledger_entries"."applied_cents" <> "ledger_entries"."nominal_cents";
