ALTER TABLE `processor_bindings` ADD `charged_cents` integer;--> statement-breakpoint
ALTER TABLE `processor_bindings` ADD `sale_cents` integer;