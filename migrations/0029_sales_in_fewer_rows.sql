-- No AUTOINCREMENT, so that none may be deleted, tests too. The foreign keys to the customer and to the sale that a duplicate is of go (see
-- ledger_in_fewer_rows): triggers ask more.
PRAGMA defer_foreign_keys=ON;
--> statement-breakpoint
DROP TRIGGER programs_currency_fixed;
--> statement-breakpoint
DROP TRIGGER refund_events_of_sale;
--> statement-breakpoint
DROP TRIGGER programs_time_zone_fixed;
--> statement-breakpoint
DROP TRIGGER sale_aliases_apart;
--> statement-breakpoint
DROP TRIGGER sale_aliases_of_sale;
--> statement-breakpoint
DROP TRIGGER payment_reversals_of_sale;
--> statement-breakpoint
DROP TRIGGER commissions_start;
--> statement-breakpoint
CREATE TABLE `__new_affiliate_sale_events` (
	`id` integer PRIMARY KEY NOT NULL,
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
	`reported_refund_cents` integer DEFAULT 0 NOT NULL,
	`charged_cents` integer,
	`charged_currency` text,
	`invoice_id` text,
	`duplicate_of_sale_id` integer,
	`created_at` integer NOT NULL,
	`sale_day` text NOT NULL,
	`op_id` text NOT NULL,
	`revision` integer DEFAULT 0 NOT NULL,
	FOREIGN KEY (`program_id`) REFERENCES `programs`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`partner_program_id`) REFERENCES `partner_programs`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "affiliate_sale_events_amount_range" CHECK(typeof("__new_affiliate_sale_events"."amount_cents") = 'integer' AND "__new_affiliate_sale_events"."amount_cents" BETWEEN ("__new_affiliate_sale_events"."is_test" = 0) AND 99999999999),
	CONSTRAINT "affiliate_sale_events_refunded_range" CHECK(typeof("__new_affiliate_sale_events"."refunded_cents") = 'integer' AND "__new_affiliate_sale_events"."refunded_cents" BETWEEN 0 AND "__new_affiliate_sale_events"."amount_cents"),
	CONSTRAINT "affiliate_sale_events_customer_real" CHECK(("__new_affiliate_sale_events"."is_test" = 1) = ("__new_affiliate_sale_events"."customer_id" IS NULL)),
	CONSTRAINT "affiliate_sale_events_reason_given" CHECK(("__new_affiliate_sale_events"."commission_state" = 'none') = ("__new_affiliate_sale_events"."no_commission_reason" IS NOT NULL)),
	CONSTRAINT "affiliate_sale_events_owed_given" CHECK(("__new_affiliate_sale_events"."commission_state" = 'failed') = ("__new_affiliate_sale_events"."owed_commission" IS NOT NULL)),
	CONSTRAINT "affiliate_sale_events_transaction_named" CHECK(length("__new_affiliate_sale_events"."processor_event_id") BETWEEN 1 AND 255)
);
--> statement-breakpoint
INSERT INTO `__new_affiliate_sale_events`("id", "program_id", "processor_event_id", "is_test", "customer_id", "partner_program_id", "amount_cents", "currency", "sale_type", "is_recurring", "subscription_id", "subscription_interval", "product_id", "line_items", "inside_window", "commission_state", "no_commission_reason", "owed_commission", "refunded_cents", "reported_refund_cents", "charged_cents", "charged_currency", "invoice_id", "duplicate_of_sale_id", "created_at", "sale_day", "op_id", "revision") SELECT "id", "program_id", "processor_event_id", "is_test", "customer_id", "partner_program_id", "amount_cents", "currency", "sale_type", "is_recurring", "subscription_id", "subscription_interval", "product_id", "line_items", "inside_window", "commission_state", "no_commission_reason", "owed_commission", "refunded_cents", "reported_refund_cents", "charged_cents", "charged_currency", "invoice_id", "duplicate_of_sale_id", "created_at", "sale_day", "op_id", "revision" FROM `affiliate_sale_events`;
--> statement-breakpoint
DROP INDEX affiliate_sale_events_op_id_unique;
--> statement-breakpoint
DROP INDEX affiliate_sale_events_one_per_transaction;
--> statement-breakpoint
DROP INDEX affiliate_sale_events_by_program;
--> statement-breakpoint
DROP INDEX affiliate_sale_events_tests;
--> statement-breakpoint
DROP INDEX affiliate_sale_events_by_subscription;
--> statement-breakpoint
DROP INDEX affiliate_sale_events_by_customer;
--> statement-breakpoint
DROP INDEX affiliate_sale_events_without_commission;
--> statement-breakpoint
DROP TABLE `affiliate_sale_events`;
--> statement-breakpoint
ALTER TABLE `__new_affiliate_sale_events` RENAME TO `affiliate_sale_events`;
--> statement-breakpoint
CREATE UNIQUE INDEX `affiliate_sale_events_one_per_transaction` ON `affiliate_sale_events` (`processor_event_id`,`is_test`);
--> statement-breakpoint
CREATE UNIQUE INDEX `affiliate_sale_events_op_id_unique` ON `affiliate_sale_events` (`op_id`) WHERE "affiliate_sale_events"."is_test" = 1;
--> statement-breakpoint
CREATE INDEX `affiliate_sale_events_by_program` ON `affiliate_sale_events` (`program_id`,`created_at`);
--> statement-breakpoint
CREATE INDEX `affiliate_sale_events_tests` ON `affiliate_sale_events` (`program_id`,`is_test`,`created_at`) WHERE "affiliate_sale_events"."is_test" = 1;
--> statement-breakpoint
CREATE INDEX `affiliate_sale_events_by_subscription` ON `affiliate_sale_events` (`program_id`,`subscription_id`,`customer_id`) WHERE "affiliate_sale_events"."subscription_id" IS NOT NULL;
--> statement-breakpoint
CREATE INDEX `affiliate_sale_events_by_customer` ON `affiliate_sale_events` (`customer_id`);
--> statement-breakpoint
CREATE INDEX `affiliate_sale_events_duplicates` ON `affiliate_sale_events` (`duplicate_of_sale_id`) WHERE "affiliate_sale_events"."duplicate_of_sale_id" IS NOT NULL;
--> statement-breakpoint
CREATE INDEX `affiliate_sale_events_without_commission` ON `affiliate_sale_events` (`created_at`) WHERE "affiliate_sale_events"."commission_state" = 'failed';
--> statement-breakpoint
CREATE TRIGGER programs_currency_fixed BEFORE UPDATE OF currency ON programs
WHEN NEW.currency <> OLD.currency AND EXISTS (SELECT 1 FROM affiliate_sale_events WHERE program_id = OLD.id)
BEGIN
	SELECT RAISE(ABORT, 'programs: currency is fixed after the first sale');
END;
--> statement-breakpoint
CREATE TRIGGER affiliate_sale_events_revised BEFORE UPDATE ON affiliate_sale_events WHEN NEW.revision <> OLD.revision + 1 BEGIN
	SELECT RAISE(ABORT, 'stale revision: affiliate_sale_events');
END;
--> statement-breakpoint
CREATE TRIGGER affiliate_sale_events_keep BEFORE UPDATE ON affiliate_sale_events
WHEN NEW.revision = OLD.revision + 1 AND (NEW.id <> OLD.id OR NEW.program_id <> OLD.program_id OR NEW.processor_event_id <> OLD.processor_event_id OR NEW.is_test <> OLD.is_test
	OR NEW.customer_id IS NOT OLD.customer_id OR NEW.partner_program_id IS NOT OLD.partner_program_id
	OR NEW.amount_cents <> OLD.amount_cents OR NEW.currency <> OLD.currency
	OR NEW.created_at <> OLD.created_at OR NEW.sale_day <> OLD.sale_day OR NEW.op_id <> OLD.op_id
	OR (OLD.commission_state <> 'failed' AND NEW.commission_state <> OLD.commission_state))
BEGIN
	SELECT RAISE(ABORT, 'affiliate_sale_events: what was sold never changes');
END;
--> statement-breakpoint
CREATE TRIGGER affiliate_sale_events_keep_payment BEFORE UPDATE ON affiliate_sale_events
WHEN NEW.revision = OLD.revision + 1 AND (NEW.reported_refund_cents NOT BETWEEN OLD.reported_refund_cents AND OLD.amount_cents
	OR (OLD.charged_cents IS NOT NULL AND NEW.charged_cents IS NOT OLD.charged_cents)
	OR (OLD.duplicate_of_sale_id IS NOT NULL AND (NEW.duplicate_of_sale_id IS NULL OR NEW.duplicate_of_sale_id > OLD.duplicate_of_sale_id))
	OR (NEW.duplicate_of_sale_id IS NOT NULL AND (NEW.duplicate_of_sale_id >= NEW.id OR NEW.refunded_cents <> NEW.amount_cents)))
BEGIN
	SELECT RAISE(ABORT, 'affiliate_sale_events: what was reported and charged never changes, a duplicate counts nothing');
END;
--> statement-breakpoint
CREATE TRIGGER affiliate_sale_events_one_step BEFORE UPDATE OF duplicate_of_sale_id ON affiliate_sale_events
WHEN NEW.revision = OLD.revision + 1 AND NEW.duplicate_of_sale_id IS NOT NULL AND NEW.duplicate_of_sale_id IS NOT OLD.duplicate_of_sale_id AND (
	NOT EXISTS (
		SELECT 1 FROM affiliate_sale_events
		WHERE id = NEW.duplicate_of_sale_id AND duplicate_of_sale_id IS NULL AND program_id = NEW.program_id AND is_test = NEW.is_test
	)
	OR EXISTS (SELECT 1 FROM affiliate_sale_events WHERE duplicate_of_sale_id = NEW.id)
)
BEGIN
	SELECT RAISE(ABORT, 'affiliate_sale_events: a duplicate is of a sale that is none itself');
END;
--> statement-breakpoint
CREATE TRIGGER affiliate_sale_events_keep_invoice BEFORE UPDATE OF invoice_id ON affiliate_sale_events
WHEN NEW.revision = OLD.revision + 1 AND OLD.invoice_id IS NOT NULL AND NEW.invoice_id IS NOT OLD.invoice_id
BEGIN
	SELECT RAISE(ABORT, 'affiliate_sale_events: a sale stands for one invoice');
END;
--> statement-breakpoint
CREATE TRIGGER affiliate_sale_events_keep_charged_currency BEFORE UPDATE OF charged_currency ON affiliate_sale_events
WHEN NEW.revision = OLD.revision + 1 AND OLD.charged_cents IS NOT NULL AND NEW.charged_currency IS NOT OLD.charged_currency
BEGIN
	SELECT RAISE(ABORT, 'affiliate_sale_events: a payment is charged in one currency');
END;
--> statement-breakpoint
CREATE TRIGGER refund_events_of_sale BEFORE INSERT ON refund_events
WHEN NOT EXISTS (SELECT 1 FROM affiliate_sale_events WHERE id = NEW.sale_id AND program_id = NEW.program_id AND is_test = NEW.is_test)
BEGIN
	SELECT RAISE(ABORT, 'refund_events: a refund is of a sale of its program');
END;
--> statement-breakpoint
CREATE TRIGGER programs_time_zone_fixed BEFORE UPDATE OF time_zone ON programs
WHEN NEW.time_zone <> OLD.time_zone AND (
	EXISTS (SELECT 1 FROM affiliate_click_events WHERE program_id = OLD.id)
	OR EXISTS (SELECT 1 FROM affiliate_lead_events WHERE program_id = OLD.id)
	OR EXISTS (SELECT 1 FROM affiliate_sale_events WHERE program_id = OLD.id)
)
BEGIN
	SELECT RAISE(ABORT, 'programs: time_zone is fixed after the first event');
END;
--> statement-breakpoint
CREATE TRIGGER sale_aliases_apart BEFORE INSERT ON sale_aliases
WHEN EXISTS (SELECT 1 FROM affiliate_sale_events WHERE processor_event_id = NEW.alias AND is_test = NEW.is_test)
BEGIN
	SELECT RAISE(ABORT, 'UNIQUE constraint failed: sale_aliases.alias is a transaction_id');
END;
--> statement-breakpoint
CREATE TRIGGER affiliate_sale_events_apart BEFORE INSERT ON affiliate_sale_events
WHEN EXISTS (SELECT 1 FROM sale_aliases WHERE alias = NEW.processor_event_id AND is_test = NEW.is_test)
BEGIN
	SELECT RAISE(ABORT, 'UNIQUE constraint failed: affiliate_sale_events.processor_event_id is an alias');
END;
--> statement-breakpoint
CREATE TRIGGER sale_aliases_of_sale BEFORE INSERT ON sale_aliases
WHEN NOT EXISTS (SELECT 1 FROM affiliate_sale_events WHERE id = NEW.sale_id AND is_test = NEW.is_test)
BEGIN
	SELECT RAISE(ABORT, 'sale_aliases: an alias is of a sale');
END;
--> statement-breakpoint
CREATE TRIGGER payment_reversals_of_sale BEFORE INSERT ON payment_reversals
WHEN NOT EXISTS (SELECT 1 FROM affiliate_sale_events WHERE id = NEW.sale_id AND is_test = 0)
BEGIN
	SELECT RAISE(ABORT, 'payment_reversals: a reversal is of a real sale');
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
--> statement-breakpoint
CREATE TRIGGER affiliate_sale_events_stay BEFORE DELETE ON affiliate_sale_events BEGIN
	SELECT RAISE(ABORT, 'affiliate_sale_events: sales stay');
END;
--> statement-breakpoint
CREATE TRIGGER affiliate_sale_events_start BEFORE INSERT ON affiliate_sale_events
WHEN NEW.duplicate_of_sale_id IS NOT NULL
	OR (NEW.customer_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM customers WHERE id = NEW.customer_id AND program_id = NEW.program_id))
BEGIN
	SELECT RAISE(ABORT, 'affiliate_sale_events: a sale is of a customer of its program, and a duplicate of none yet');
END;
