ALTER TABLE `processor_bindings` ADD `is_reference` integer;--> statement-breakpoint
ALTER TABLE `processor_bindings` ADD `product_id` text;