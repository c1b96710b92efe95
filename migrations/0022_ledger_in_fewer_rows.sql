-- No AUTOINCREMENT where nothing is ever deleted, no index that nobody asks, one that holds both what was unique. The foreign key to the
-- commission goes, as for every table that names a sale, commission or customer: those stay (triggers), and where a foreign key leads to
-- a table, D1 rebuilds that one by looking for the children of each row twice, which takes more than its 30 seconds at a million rows.
-- The trigger ledger_entries_agree finds the commission as before. Edited: drizzle-kit quotes an expression as if it were a column.
DROP TRIGGER partner_program_balances_begin;
--> statement-breakpoint
DROP TRIGGER partner_program_balances_follow;
--> statement-breakpoint
CREATE TABLE `__new_ledger_entries` (
	`id` integer PRIMARY KEY NOT NULL,
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
	FOREIGN KEY (`payout_id`) REFERENCES `payouts`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "ledger_entries_whole_cents" CHECK(typeof("__new_ledger_entries"."nominal_cents") = 'integer' AND typeof("__new_ledger_entries"."applied_cents") = 'integer' AND typeof("__new_ledger_entries"."balance_after_cents") = 'integer'),
	CONSTRAINT "ledger_entries_direction" CHECK(CASE "__new_ledger_entries"."kind"
				WHEN 'credit' THEN "__new_ledger_entries"."nominal_cents" >= 0 AND "__new_ledger_entries"."applied_cents" = "__new_ledger_entries"."nominal_cents"
				WHEN 'reversal' THEN "__new_ledger_entries"."applied_cents" BETWEEN "__new_ledger_entries"."nominal_cents" AND 0
				WHEN 'rejection' THEN "__new_ledger_entries"."applied_cents" BETWEEN "__new_ledger_entries"."nominal_cents" AND 0
				WHEN 'reinstatement' THEN "__new_ledger_entries"."applied_cents" BETWEEN 0 AND "__new_ledger_entries"."nominal_cents"
				WHEN 'payout' THEN "__new_ledger_entries"."nominal_cents" <= 0 AND "__new_ledger_entries"."applied_cents" = "__new_ledger_entries"."nominal_cents"
				WHEN 'recovery' THEN "__new_ledger_entries"."nominal_cents" >= 0 AND "__new_ledger_entries"."applied_cents" = "__new_ledger_entries"."nominal_cents"
				WHEN 'surplus' THEN "__new_ledger_entries"."applied_cents" = "__new_ledger_entries"."nominal_cents"
				ELSE 0 END),
	CONSTRAINT "ledger_entries_subject" CHECK(("__new_ledger_entries"."kind" IN ('recovery', 'surplus')) = ("__new_ledger_entries"."commission_id" IS NULL) AND ("__new_ledger_entries"."kind" IN ('payout', 'recovery', 'surplus')) = ("__new_ledger_entries"."payout_id" IS NOT NULL))
);
--> statement-breakpoint
INSERT INTO `__new_ledger_entries`("id", "partner_program_id", "currency", "kind", "commission_id", "payout_id", "nominal_cents", "applied_cents", "balance_after_cents", "operation", "created_at") SELECT "id", "partner_program_id", "currency", "kind", "commission_id", "payout_id", "nominal_cents", "applied_cents", "balance_after_cents", "operation", "created_at" FROM `ledger_entries`;
--> statement-breakpoint
DROP TABLE `ledger_entries`;
--> statement-breakpoint
ALTER TABLE `__new_ledger_entries` RENAME TO `ledger_entries`;
--> statement-breakpoint
CREATE UNIQUE INDEX `ledger_entries_once` ON `ledger_entries` (`commission_id`,`kind`,CASE `kind` WHEN 'credit' THEN '' ELSE `operation` END) WHERE "ledger_entries"."commission_id" IS NOT NULL;
--> statement-breakpoint
CREATE UNIQUE INDEX `ledger_entries_once_beside` ON `ledger_entries` (`payout_id`,`kind`) WHERE "ledger_entries"."commission_id" IS NULL;
--> statement-breakpoint
CREATE TRIGGER ledger_entries_keep BEFORE UPDATE ON ledger_entries BEGIN
	SELECT RAISE(ABORT, 'ledger_entries: append-only');
END;
--> statement-breakpoint
CREATE TRIGGER ledger_entries_stay BEFORE DELETE ON ledger_entries BEGIN
	SELECT RAISE(ABORT, 'ledger_entries: append-only');
END;
--> statement-breakpoint
CREATE TRIGGER ledger_entries_chain BEFORE INSERT ON ledger_entries
WHEN NEW.balance_after_cents <> NEW.applied_cents + coalesce((
	SELECT balance_cents FROM partner_program_balances
	WHERE partner_program_id = NEW.partner_program_id AND currency = NEW.currency
), 0)
BEGIN
	SELECT RAISE(ABORT, 'ledger_entries: the entry does not follow the balance');
END;
--> statement-breakpoint
CREATE TRIGGER ledger_entries_agree AFTER INSERT ON ledger_entries WHEN NEW.commission_id IS NOT NULL AND NOT EXISTS (
	SELECT 1 FROM commissions c
	WHERE c.id = NEW.commission_id AND c.partner_program_id = NEW.partner_program_id AND c.currency = NEW.currency
		AND CASE NEW.kind
			WHEN 'credit' THEN NEW.nominal_cents = c.amount_cents
			WHEN 'rejection' THEN c.status = 'rejected' AND NEW.nominal_cents = c.deducted_cents - c.amount_cents AND NEW.applied_cents = NEW.nominal_cents
			WHEN 'payout' THEN c.payout_id = NEW.payout_id AND NEW.nominal_cents = c.deducted_cents - c.amount_cents
			ELSE c.deducted_cents = -(
				SELECT sum(nominal_cents) FROM ledger_entries
				WHERE commission_id = NEW.commission_id AND kind IN ('reversal', 'reinstatement')
			) END
)
BEGIN
	SELECT RAISE(ABORT, 'ledger_entries: the entry does not agree with its commission');
END;
--> statement-breakpoint
CREATE TRIGGER ledger_entries_agree_beside AFTER INSERT ON ledger_entries WHEN NEW.commission_id IS NULL AND NOT EXISTS (
	SELECT 1 FROM payouts p
	WHERE p.id = NEW.payout_id AND p.partner_program_id = NEW.partner_program_id AND p.currency = NEW.currency
		AND NEW.nominal_cents = CASE NEW.kind WHEN 'recovery' THEN p.recovered_cents ELSE -p.surplus_cents END
)
BEGIN
	SELECT RAISE(ABORT, 'ledger_entries: the entry does not agree with its payout');
END;
--> statement-breakpoint
CREATE TRIGGER ledger_entries_apply AFTER INSERT ON ledger_entries BEGIN
	INSERT INTO partner_program_balances (partner_program_id, currency, balance_cents, last_entry_id)
	VALUES (NEW.partner_program_id, NEW.currency, NEW.balance_after_cents, NEW.id)
	ON CONFLICT (partner_program_id, currency) DO UPDATE
	SET balance_cents = excluded.balance_cents, last_entry_id = excluded.last_entry_id;
END;
--> statement-breakpoint
CREATE TRIGGER partner_program_balances_begin BEFORE INSERT ON partner_program_balances
WHEN NOT EXISTS (
	SELECT 1 FROM ledger_entries
	WHERE id = NEW.last_entry_id AND partner_program_id = NEW.partner_program_id AND currency = NEW.currency
		AND balance_after_cents = NEW.balance_cents
) OR EXISTS (
	SELECT 1 FROM ledger_entries
	WHERE partner_program_id = NEW.partner_program_id AND currency = NEW.currency AND id > NEW.last_entry_id
)
BEGIN
	SELECT RAISE(ABORT, 'partner_program_balances: only the ledger moves a balance');
END;
--> statement-breakpoint
CREATE TRIGGER partner_program_balances_follow BEFORE UPDATE ON partner_program_balances
WHEN NEW.last_entry_id <= OLD.last_entry_id OR NOT EXISTS (
	SELECT 1 FROM ledger_entries
	WHERE id = NEW.last_entry_id AND partner_program_id = NEW.partner_program_id AND currency = NEW.currency
		AND balance_after_cents = NEW.balance_cents
)
BEGIN
	SELECT RAISE(ABORT, 'partner_program_balances: only the ledger moves a balance');
END;
