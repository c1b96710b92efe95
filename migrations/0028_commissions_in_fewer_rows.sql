-- No AUTOINCREMENT where nothing is ever deleted, one index for the list and for the day. The foreign key to the sale goes (see ledger_in_fewer_rows):
-- commissions_start finds it.
DROP TRIGGER ledger_entries_agree;
--> statement-breakpoint
CREATE TABLE `__new_commissions` (
	`id` integer PRIMARY KEY NOT NULL,
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
	FOREIGN KEY (`rule_version_id`) REFERENCES `commission_rule_versions`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`payout_id`) REFERENCES `payouts`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "commissions_amount_range" CHECK(typeof("__new_commissions"."amount_cents") = 'integer' AND "__new_commissions"."amount_cents" >= 0),
	CONSTRAINT "commissions_deducted_range" CHECK(typeof("__new_commissions"."deducted_cents") = 'integer' AND "__new_commissions"."deducted_cents" BETWEEN 0 AND "__new_commissions"."amount_cents"),
	CONSTRAINT "commissions_status_known" CHECK("__new_commissions"."status" IN ('pending', 'approved', 'paid', 'rejected', 'reversed', 'refunded')),
	CONSTRAINT "commissions_reversed_whole" CHECK("__new_commissions"."status" <> 'reversed' OR "__new_commissions"."deducted_cents" = "__new_commissions"."amount_cents"),
	CONSTRAINT "commissions_paid_by_payout" CHECK(("__new_commissions"."paid_at" IS NULL) = ("__new_commissions"."payout_id" IS NULL)),
	CONSTRAINT "commissions_paid_dated" CHECK("__new_commissions"."status" <> 'paid' OR "__new_commissions"."paid_at" IS NOT NULL),
	CONSTRAINT "commissions_refund_from" CHECK(("__new_commissions"."status" IN ('reversed', 'refunded')) = ("__new_commissions"."status_before_refund" IS NOT NULL))
);
--> statement-breakpoint
INSERT INTO `__new_commissions`("id", "program_id", "partner_program_id", "sale_id", "rule_version_id", "amount_cents", "currency", "status", "deducted_cents", "status_before_refund", "refund_reason", "rejection_reason", "hold_until", "paid_at", "payout_id", "created_at", "created_day", "revision") SELECT "id", "program_id", "partner_program_id", "sale_id", "rule_version_id", "amount_cents", "currency", "status", "deducted_cents", "status_before_refund", "refund_reason", "rejection_reason", "hold_until", "paid_at", "payout_id", "created_at", "created_day", "revision" FROM `commissions`;
--> statement-breakpoint
DROP TABLE `commissions`;
--> statement-breakpoint
ALTER TABLE `__new_commissions` RENAME TO `commissions`;
--> statement-breakpoint
CREATE UNIQUE INDEX `commissions_sale_id_unique` ON `commissions` (`sale_id`);
--> statement-breakpoint
CREATE INDEX `commissions_by_program` ON `commissions` (`program_id`,`created_day`,`id`);
--> statement-breakpoint
CREATE INDEX `commissions_by_partner_program` ON `commissions` (`partner_program_id`,`id`);
--> statement-breakpoint
CREATE INDEX `commissions_on_hold` ON `commissions` (`hold_until`) WHERE "commissions"."status" = 'pending';
--> statement-breakpoint
CREATE INDEX `commissions_unpaid` ON `commissions` (`program_id`,`partner_program_id`) WHERE "commissions"."paid_at" IS NULL AND "commissions"."status" IN ('pending', 'approved', 'refunded');
--> statement-breakpoint
CREATE INDEX `commissions_by_payout` ON `commissions` (`payout_id`) WHERE "commissions"."payout_id" IS NOT NULL;
--> statement-breakpoint
CREATE TRIGGER commissions_revised BEFORE UPDATE ON commissions WHEN NEW.revision <> OLD.revision + 1 BEGIN
	SELECT RAISE(ABORT, 'stale revision: commissions');
END;
--> statement-breakpoint
CREATE TRIGGER commissions_keep BEFORE UPDATE ON commissions
WHEN NEW.revision = OLD.revision + 1 AND (NEW.id <> OLD.id OR NEW.program_id <> OLD.program_id OR NEW.partner_program_id <> OLD.partner_program_id OR NEW.sale_id <> OLD.sale_id
	OR NEW.rule_version_id <> OLD.rule_version_id OR NEW.amount_cents <> OLD.amount_cents OR NEW.currency <> OLD.currency
	OR NEW.created_at <> OLD.created_at OR NEW.created_day <> OLD.created_day
	OR (OLD.paid_at IS NOT NULL AND (NEW.paid_at IS NOT OLD.paid_at OR NEW.payout_id IS NOT OLD.payout_id)))
BEGIN
	SELECT RAISE(ABORT, 'commissions: what was earned and what was paid never change');
END;
--> statement-breakpoint
CREATE TRIGGER commissions_stay BEFORE DELETE ON commissions BEGIN
	SELECT RAISE(ABORT, 'commissions: stay');
END;
--> statement-breakpoint
CREATE TRIGGER commissions_transition BEFORE UPDATE OF status ON commissions
WHEN NEW.revision = OLD.revision + 1 AND NEW.status <> OLD.status AND NOT (
	(OLD.status = 'pending' AND NEW.status IN ('approved', 'rejected', 'reversed', 'refunded'))
	OR (OLD.status = 'approved' AND NEW.status IN ('paid', 'rejected', 'reversed', 'refunded'))
	OR (OLD.status = 'paid' AND NEW.status IN ('reversed', 'refunded'))
	OR (OLD.status = 'refunded' AND NEW.status = 'reversed')
	OR (OLD.status = 'refunded' AND NEW.status = 'rejected' AND OLD.paid_at IS NULL AND NEW.deducted_cents = OLD.deducted_cents)
	OR (OLD.status = 'reversed' AND NEW.status = 'refunded' AND NEW.deducted_cents <= OLD.deducted_cents)
	OR (OLD.status IN ('refunded', 'reversed') AND NEW.deducted_cents = 0
		AND NEW.status = CASE WHEN OLD.paid_at IS NOT NULL THEN 'paid' ELSE OLD.status_before_refund END)
)
BEGIN
	SELECT RAISE(ABORT, 'commissions: this transition is not allowed');
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
CREATE TRIGGER commissions_start BEFORE INSERT ON commissions
WHEN NEW.status NOT IN ('pending', 'approved') OR NEW.deducted_cents <> 0
	OR NOT EXISTS (
		SELECT 1 FROM affiliate_sale_events
		WHERE id = NEW.sale_id AND is_test = 0 AND program_id = NEW.program_id AND currency = NEW.currency AND partner_program_id = NEW.partner_program_id
	)
	OR EXISTS (SELECT 1 FROM partner_programs WHERE id = NEW.partner_program_id AND program_id <> NEW.program_id)
BEGIN
	SELECT RAISE(ABORT, 'commissions: a commission starts pending or approved, for a real sale of its program');
END;
