-- Nobody has proved an address yet: older rows do not say which links only an email had.
ALTER TABLE `password_resets` ADD `mailed` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `users` ADD `email_proved_at` integer;