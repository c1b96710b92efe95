-- Edited: drizzle-kit cannot say WITHOUT ROWID. The triggers are in the same file, so that no payout is made between the sums and them.
CREATE TABLE `payout_sums` (
	`program_id` integer NOT NULL,
	`sent_from` integer NOT NULL,
	`currency` text NOT NULL,
	`payouts` integer NOT NULL,
	`amount_cents` integer NOT NULL,
	PRIMARY KEY(`program_id`, `sent_from`, `currency`),
	FOREIGN KEY (`program_id`) REFERENCES `programs`(`id`) ON UPDATE no action ON DELETE no action
) WITHOUT ROWID;
--> statement-breakpoint
ALTER TABLE `partners` ADD `details_asked_at` integer;
--> statement-breakpoint
INSERT INTO payout_sums (program_id, sent_from, currency, payouts, amount_cents)
SELECT program_id, coalesce(sent_at - sent_at % 900000, 0), currency, count(*), sum(amount_cents) FROM payouts
WHERE amount_cents > 0 AND failed_at IS NULL GROUP BY 1, 2, 3;
--> statement-breakpoint
CREATE TRIGGER payout_sums_made AFTER INSERT ON payouts WHEN NEW.amount_cents > 0
BEGIN
	INSERT INTO payout_sums (program_id, sent_from, currency, payouts, amount_cents)
	VALUES (NEW.program_id, 0, NEW.currency, 1, NEW.amount_cents)
	ON CONFLICT (program_id, sent_from, currency) DO UPDATE
	SET payouts = payouts + 1, amount_cents = amount_cents + excluded.amount_cents;
END;
--> statement-breakpoint
-- From unsent to sent, or from either to failed: payouts_transition refuses everything else.
CREATE TRIGGER payout_sums_marked AFTER UPDATE OF sent_at, failed_at ON payouts
BEGIN
	UPDATE payout_sums SET payouts = payouts - 1, amount_cents = amount_cents - OLD.amount_cents
	WHERE program_id = OLD.program_id AND sent_from = coalesce(OLD.sent_at - OLD.sent_at % 900000, 0) AND currency = OLD.currency;
	INSERT INTO payout_sums (program_id, sent_from, currency, payouts, amount_cents)
	SELECT NEW.program_id, NEW.sent_at - NEW.sent_at % 900000, NEW.currency, 1, NEW.amount_cents WHERE NEW.failed_at IS NULL
	ON CONFLICT (program_id, sent_from, currency) DO UPDATE
	SET payouts = payouts + 1, amount_cents = amount_cents + excluded.amount_cents;
END;
