-- No AUTOINCREMENT, so that none may be deleted. Those who signed up or first bought on a day are found by its leads and sales.
DROP TRIGGER affiliate_lead_events_of_customer;
--> statement-breakpoint
DROP TRIGGER affiliate_sale_events_start;
--> statement-breakpoint
CREATE TABLE `__new_customers` (
	`id` integer PRIMARY KEY NOT NULL,
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
	`country` text,
	`source` text,
	`email_hash` text,
	`email` text,
	`created_at` integer NOT NULL,
	`revision` integer DEFAULT 0 NOT NULL,
	FOREIGN KEY (`program_id`) REFERENCES `programs`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`partner_program_id`) REFERENCES `partner_programs`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`referral_link_id`) REFERENCES `referral_links`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "customers_status_known" CHECK("__new_customers"."status" IN ('click', 'lead', 'conversion')),
	CONSTRAINT "customers_attribution_whole" CHECK(("__new_customers"."partner_program_id" IS NULL) = ("__new_customers"."referral_link_id" IS NULL) AND ("__new_customers"."referral_link_id" IS NULL) = ("__new_customers"."click_id" IS NULL)
			AND ("__new_customers"."click_id" IS NULL) = ("__new_customers"."clicked_at" IS NULL) AND ("__new_customers"."clicked_at" IS NULL) = ("__new_customers"."click_sequence" IS NULL)),
	CONSTRAINT "customers_named" CHECK("__new_customers"."customer_key" IS NOT NULL OR "__new_customers"."click_id" IS NOT NULL),
	CONSTRAINT "customers_conversion_dated" CHECK(("__new_customers"."status" = 'conversion') = ("__new_customers"."first_purchase_date" IS NOT NULL))
);
--> statement-breakpoint
INSERT INTO `__new_customers`("id", "program_id", "customer_key", "status", "signup_date", "first_purchase_date", "partner_program_id", "referral_link_id", "click_id", "clicked_at", "click_sequence", "country", "source", "email_hash", "email", "created_at", "revision") SELECT "id", "program_id", "customer_key", "status", "signup_date", "first_purchase_date", "partner_program_id", "referral_link_id", "click_id", "clicked_at", "click_sequence", "country", "source", "email_hash", "email", "created_at", "revision" FROM `customers`;
--> statement-breakpoint
DROP TABLE `customers`;
--> statement-breakpoint
ALTER TABLE `__new_customers` RENAME TO `customers`;
--> statement-breakpoint
CREATE UNIQUE INDEX `customers_one_per_key` ON `customers` (`program_id`,`customer_key`) WHERE "customers"."customer_key" IS NOT NULL;
--> statement-breakpoint
CREATE UNIQUE INDEX `customers_one_per_click` ON `customers` (`click_id`,`click_sequence`) WHERE "customers"."click_id" IS NOT NULL;
--> statement-breakpoint
CREATE INDEX `customers_by_email` ON `customers` (`program_id`,`email_hash`) WHERE "customers"."email_hash" IS NOT NULL;
--> statement-breakpoint
CREATE TRIGGER customers_revised BEFORE UPDATE ON customers WHEN NEW.revision <> OLD.revision + 1 BEGIN
	SELECT RAISE(ABORT, 'stale revision: customers');
END;
--> statement-breakpoint
CREATE TRIGGER customers_forward BEFORE UPDATE ON customers
WHEN NEW.revision = OLD.revision + 1 AND ((OLD.status = 'conversion' AND NEW.status <> 'conversion')
	OR (OLD.status = 'lead' AND NEW.status = 'click')
	OR (OLD.click_id IS NOT NULL AND (NEW.click_id IS NOT OLD.click_id OR NEW.partner_program_id IS NOT OLD.partner_program_id))
	OR (OLD.first_purchase_date IS NOT NULL AND NEW.first_purchase_date IS NOT OLD.first_purchase_date)
	OR NEW.program_id <> OLD.program_id OR NEW.id <> OLD.id)
BEGIN
	SELECT RAISE(ABORT, 'customers: status and attribution never go back');
END;
--> statement-breakpoint
CREATE TRIGGER affiliate_lead_events_of_customer BEFORE INSERT ON affiliate_lead_events
WHEN NEW.customer_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM customers WHERE id = NEW.customer_id AND program_id = NEW.program_id)
BEGIN
	SELECT RAISE(ABORT, 'affiliate_lead_events: a lead is of a customer of its program');
END;
--> statement-breakpoint
CREATE TRIGGER affiliate_sale_events_start BEFORE INSERT ON affiliate_sale_events
WHEN NEW.duplicate_of_sale_id IS NOT NULL
	OR (NEW.customer_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM customers WHERE id = NEW.customer_id AND program_id = NEW.program_id))
BEGIN
	SELECT RAISE(ABORT, 'affiliate_sale_events: a sale is of a customer of its program, and a duplicate of none yet');
END;
--> statement-breakpoint
CREATE TRIGGER customers_stay BEFORE DELETE ON customers BEGIN
	SELECT RAISE(ABORT, 'customers: stay');
END;
