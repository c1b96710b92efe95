ALTER TABLE `processor_bindings` ADD `began_at` integer;--> statement-breakpoint
ALTER TABLE `processor_bindings` ADD `trial_began_at` integer;--> statement-breakpoint
ALTER TABLE `programs` ADD `renewals_follow_checkout` integer DEFAULT false NOT NULL;