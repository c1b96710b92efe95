-- No AUTOINCREMENT, so that none may be deleted. A lead is found by its program and time. The foreign key to the customer goes (see ledger_in_fewer_rows): a
-- trigger asks more.
DROP TRIGGER programs_time_zone_fixed;
--> statement-breakpoint
CREATE TABLE `__new_affiliate_lead_events` (
	`id` integer PRIMARY KEY NOT NULL,
	`program_id` integer NOT NULL,
	`customer_id` integer,
	`click_id` text,
	`customer_key` text,
	`is_test` integer NOT NULL,
	`created_at` integer NOT NULL,
	`op_id` text NOT NULL,
	FOREIGN KEY (`program_id`) REFERENCES `programs`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "affiliate_lead_events_customer_real" CHECK(("__new_affiliate_lead_events"."is_test" = 1) = ("__new_affiliate_lead_events"."customer_id" IS NULL))
);
--> statement-breakpoint
INSERT INTO `__new_affiliate_lead_events`("id", "program_id", "customer_id", "click_id", "customer_key", "is_test", "created_at", "op_id") SELECT "id", "program_id", "customer_id", "click_id", "customer_key", "is_test", "created_at", "op_id" FROM `affiliate_lead_events`;
--> statement-breakpoint
DROP TABLE `affiliate_lead_events`;
--> statement-breakpoint
ALTER TABLE `__new_affiliate_lead_events` RENAME TO `affiliate_lead_events`;
--> statement-breakpoint
CREATE INDEX `affiliate_lead_events_by_program` ON `affiliate_lead_events` (`program_id`,`created_at`);
--> statement-breakpoint
CREATE INDEX `affiliate_lead_events_tests` ON `affiliate_lead_events` (`program_id`,`is_test`,`created_at`) WHERE "affiliate_lead_events"."is_test" = 1;
--> statement-breakpoint
CREATE UNIQUE INDEX `affiliate_lead_events_op_id_unique` ON `affiliate_lead_events` (`op_id`) WHERE "affiliate_lead_events"."is_test" = 1;
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
CREATE TRIGGER affiliate_lead_events_stay BEFORE DELETE ON affiliate_lead_events BEGIN
	SELECT RAISE(ABORT, 'affiliate_lead_events: stay');
END;
--> statement-breakpoint
CREATE TRIGGER affiliate_lead_events_of_customer BEFORE INSERT ON affiliate_lead_events
WHEN NEW.customer_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM customers WHERE id = NEW.customer_id AND program_id = NEW.program_id)
BEGIN
	SELECT RAISE(ABORT, 'affiliate_lead_events: a lead is of a customer of its program');
END;
