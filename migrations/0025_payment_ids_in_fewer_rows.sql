-- One row each: WITHOUT ROWID, which Drizzle cannot say. The foreign keys to the sale go (see ledger_in_fewer_rows): triggers ask more.
DROP TRIGGER affiliate_sale_events_apart;
--> statement-breakpoint
CREATE TABLE `__new_payment_reversals` (
	`sale_id` integer NOT NULL,
	`kind` text NOT NULL,
	`reversal_id` text NOT NULL,
	`amount_cents` integer NOT NULL,
	`currency` text NOT NULL,
	`happened_at` integer NOT NULL,
	`undone_at` integer,
	`charge_id` text,
	`charge_cents` integer,
	PRIMARY KEY(`sale_id`, `kind`, `reversal_id`),
	CONSTRAINT "payment_reversals_kind_known" CHECK("__new_payment_reversals"."kind" IN ('refund', 'dispute', 'total')),
	CONSTRAINT "payment_reversals_amount_range" CHECK(typeof("__new_payment_reversals"."amount_cents") = 'integer' AND "__new_payment_reversals"."amount_cents" >= 0)
) WITHOUT ROWID;
--> statement-breakpoint
INSERT INTO `__new_payment_reversals`("sale_id", "kind", "reversal_id", "amount_cents", "currency", "happened_at", "undone_at", "charge_id", "charge_cents") SELECT "sale_id", "kind", "reversal_id", "amount_cents", "currency", "happened_at", "undone_at", "charge_id", "charge_cents" FROM `payment_reversals` ORDER BY +"sale_id", "kind", "reversal_id";
--> statement-breakpoint
DROP TABLE `payment_reversals`;
--> statement-breakpoint
ALTER TABLE `__new_payment_reversals` RENAME TO `payment_reversals`;
--> statement-breakpoint
CREATE TABLE `__new_sale_aliases` (
	`alias` text NOT NULL,
	`is_test` integer NOT NULL,
	`sale_id` integer NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`alias`, `is_test`),
	CONSTRAINT "sale_aliases_alias_named" CHECK(length("__new_sale_aliases"."alias") BETWEEN 1 AND 255)
) WITHOUT ROWID;
--> statement-breakpoint
INSERT INTO `__new_sale_aliases`("alias", "is_test", "sale_id", "created_at") SELECT "alias", "is_test", "sale_id", "created_at" FROM `sale_aliases` ORDER BY +"alias", "is_test";
--> statement-breakpoint
DROP TABLE `sale_aliases`;
--> statement-breakpoint
ALTER TABLE `__new_sale_aliases` RENAME TO `sale_aliases`;
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
CREATE TRIGGER sale_aliases_keep BEFORE UPDATE ON sale_aliases BEGIN
	SELECT RAISE(ABORT, 'sale_aliases: append-only');
END;
--> statement-breakpoint
CREATE TRIGGER sale_aliases_stay BEFORE DELETE ON sale_aliases WHEN OLD.is_test = 0 BEGIN
	SELECT RAISE(ABORT, 'sale_aliases: append-only');
END;
--> statement-breakpoint
CREATE TRIGGER payment_reversals_keep BEFORE UPDATE ON payment_reversals
WHEN NEW.sale_id <> OLD.sale_id OR NEW.kind <> OLD.kind OR NEW.reversal_id <> OLD.reversal_id
	OR NEW.amount_cents < OLD.amount_cents OR NEW.currency <> OLD.currency OR (OLD.undone_at IS NOT NULL AND NEW.undone_at IS NULL)
BEGIN
	SELECT RAISE(ABORT, 'payment_reversals: what the processor told is never untold');
END;
--> statement-breakpoint
CREATE TRIGGER payment_reversals_stay BEFORE DELETE ON payment_reversals BEGIN
	SELECT RAISE(ABORT, 'payment_reversals: what the processor told is never untold');
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
