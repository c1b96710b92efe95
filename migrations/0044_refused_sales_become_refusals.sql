-- The last one of a program is its first refusal: what it was told is kept, its code is the one that fits any message.
INSERT INTO `refusals` (`program_id`, `hour`, `fingerprint`, `operation`, `source`, `status`, `code`, `message`, `transaction_id`, `is_routine`, `count`, `first_at`, `last_at`)
SELECT `program_id`, `refused_at` / 3600000, 'refused_sales', 'sale', 'backend', 400, 'invalid_input', `reason`, `transaction_id`, 0, 1, `refused_at`, `refused_at` FROM `refused_sales`;--> statement-breakpoint
DROP TABLE `refused_sales`;