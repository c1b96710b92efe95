ALTER TABLE `affiliate_sale_events` ADD `charged_currency` text;--> statement-breakpoint
ALTER TABLE `payment_reversals` ADD `charge_id` text;--> statement-breakpoint
ALTER TABLE `payment_reversals` ADD `charge_cents` integer;