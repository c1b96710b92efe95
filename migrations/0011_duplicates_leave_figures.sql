-- A sale that turned out to be a duplicate of another, and what it earned, counts in no figure: it leaves its rows as what it was
-- before, and what becomes of its commission later moves nothing. See 0002 and 0006, whose triggers stand here anew.
DROP TRIGGER affiliate_sale_events_recounted;
--> statement-breakpoint
CREATE TRIGGER affiliate_sale_events_recounted AFTER UPDATE OF refunded_cents ON affiliate_sale_events
WHEN NEW.is_test = 0 AND NEW.refunded_cents <> OLD.refunded_cents AND NEW.duplicate_of_sale_id IS NULL
BEGIN
	UPDATE daily_performance SET refunded_cents = refunded_cents + NEW.refunded_cents - OLD.refunded_cents
	WHERE program_id = NEW.program_id AND day = NEW.sale_day AND currency = NEW.currency;
END;
--> statement-breakpoint
DROP TRIGGER affiliate_sale_events_broken_down_anew;
--> statement-breakpoint
CREATE TRIGGER affiliate_sale_events_broken_down_anew AFTER UPDATE OF refunded_cents ON affiliate_sale_events
WHEN NEW.is_test = 0 AND NEW.refunded_cents <> OLD.refunded_cents AND NEW.duplicate_of_sale_id IS NULL
BEGIN
	INSERT INTO daily_breakdown_moves (program_id, day, currency, partner_program_id, referral_link_id, country, source, product_id, refunded_cents)
	SELECT NEW.program_id, NEW.sale_day, NEW.currency, c.partner_program_id, c.referral_link_id, c.country, c.source, coalesce(NEW.product_id, ''),
		NEW.refunded_cents - OLD.refunded_cents
	FROM customers c WHERE c.id = NEW.customer_id;
END;
--> statement-breakpoint
CREATE TRIGGER affiliate_sale_events_discounted AFTER UPDATE OF duplicate_of_sale_id ON affiliate_sale_events
WHEN NEW.is_test = 0 AND OLD.duplicate_of_sale_id IS NULL AND NEW.duplicate_of_sale_id IS NOT NULL
BEGIN
	UPDATE daily_performance
	SET sales = sales - 1, revenue_cents = revenue_cents - OLD.amount_cents, refunded_cents = refunded_cents - OLD.refunded_cents
	WHERE program_id = NEW.program_id AND day = NEW.sale_day AND currency = NEW.currency;
	UPDATE daily_performance
	SET commission_cents = commission_cents - earned.amount, deducted_cents = deducted_cents - earned.deducted
	FROM (
		SELECT program_id, created_day, currency, amount_cents AS amount, iif(status = 'rejected', amount_cents, deducted_cents) AS deducted
		FROM commissions WHERE sale_id = NEW.id
	) AS earned
	WHERE daily_performance.program_id = earned.program_id AND day = earned.created_day AND daily_performance.currency = earned.currency;
	INSERT INTO daily_breakdown_moves (program_id, day, currency, partner_program_id, referral_link_id, country, source, product_id,
		sales, revenue_cents, refunded_cents)
	SELECT NEW.program_id, NEW.sale_day, NEW.currency, c.partner_program_id, c.referral_link_id, c.country, c.source, coalesce(NEW.product_id, ''),
		-1, -OLD.amount_cents, -OLD.refunded_cents
	FROM customers c WHERE c.id = NEW.customer_id;
	INSERT INTO daily_breakdown_moves (program_id, day, currency, partner_program_id, referral_link_id, country, source, product_id,
		commission_cents, deducted_cents)
	SELECT m.program_id, m.created_day, m.currency, c.partner_program_id, c.referral_link_id, c.country, c.source, coalesce(NEW.product_id, ''),
		-m.amount_cents, -iif(m.status = 'rejected', m.amount_cents, m.deducted_cents)
	FROM commissions m JOIN customers c ON c.id = NEW.customer_id WHERE m.sale_id = NEW.id;
END;
--> statement-breakpoint
DROP TRIGGER commissions_counted;
--> statement-breakpoint
CREATE TRIGGER commissions_counted AFTER INSERT ON commissions
WHEN (SELECT duplicate_of_sale_id FROM affiliate_sale_events WHERE id = NEW.sale_id) IS NULL
BEGIN
	INSERT INTO daily_performance (program_id, day, currency, commission_cents, deducted_cents)
	VALUES (NEW.program_id, NEW.created_day, NEW.currency, NEW.amount_cents, NEW.deducted_cents)
	ON CONFLICT (program_id, day, currency) DO UPDATE
	SET commission_cents = commission_cents + excluded.commission_cents, deducted_cents = deducted_cents + excluded.deducted_cents;
END;
--> statement-breakpoint
DROP TRIGGER commissions_recounted;
--> statement-breakpoint
CREATE TRIGGER commissions_recounted AFTER UPDATE OF status, deducted_cents ON commissions
WHEN (NEW.deducted_cents <> OLD.deducted_cents OR (NEW.status = 'rejected') <> (OLD.status = 'rejected'))
	AND (SELECT duplicate_of_sale_id FROM affiliate_sale_events WHERE id = NEW.sale_id) IS NULL
BEGIN
	UPDATE daily_performance
	SET deducted_cents = deducted_cents + iif(NEW.status = 'rejected', NEW.amount_cents, NEW.deducted_cents)
		- iif(OLD.status = 'rejected', OLD.amount_cents, OLD.deducted_cents)
	WHERE program_id = NEW.program_id AND day = NEW.created_day AND currency = NEW.currency;
END;
--> statement-breakpoint
DROP TRIGGER commissions_broken_down;
--> statement-breakpoint
CREATE TRIGGER commissions_broken_down AFTER INSERT ON commissions
BEGIN
	INSERT INTO daily_breakdown_moves (program_id, day, currency, partner_program_id, referral_link_id, country, source, product_id,
		commission_cents, deducted_cents)
	SELECT NEW.program_id, NEW.created_day, NEW.currency, c.partner_program_id, c.referral_link_id, c.country, c.source, coalesce(s.product_id, ''),
		NEW.amount_cents, NEW.deducted_cents
	FROM affiliate_sale_events s JOIN customers c ON c.id = s.customer_id WHERE s.id = NEW.sale_id AND s.duplicate_of_sale_id IS NULL;
END;
--> statement-breakpoint
DROP TRIGGER commissions_broken_down_anew;
--> statement-breakpoint
CREATE TRIGGER commissions_broken_down_anew AFTER UPDATE OF status, deducted_cents ON commissions
WHEN NEW.deducted_cents <> OLD.deducted_cents OR (NEW.status = 'rejected') <> (OLD.status = 'rejected')
BEGIN
	INSERT INTO daily_breakdown_moves (program_id, day, currency, partner_program_id, referral_link_id, country, source, product_id, deducted_cents)
	SELECT NEW.program_id, NEW.created_day, NEW.currency, c.partner_program_id, c.referral_link_id, c.country, c.source, coalesce(s.product_id, ''),
		iif(NEW.status = 'rejected', NEW.amount_cents, NEW.deducted_cents) - iif(OLD.status = 'rejected', OLD.amount_cents, OLD.deducted_cents)
	FROM affiliate_sale_events s JOIN customers c ON c.id = s.customer_id WHERE s.id = NEW.sale_id AND s.duplicate_of_sale_id IS NULL;
END;
--> statement-breakpoint
DROP TRIGGER customers_sales_broken_down_anew;
--> statement-breakpoint
CREATE TRIGGER customers_sales_broken_down_anew AFTER UPDATE OF partner_program_id, referral_link_id, country, source ON customers
WHEN NEW.status = 'conversion' AND (NEW.partner_program_id IS NOT OLD.partner_program_id OR NEW.referral_link_id IS NOT OLD.referral_link_id
	OR NEW.country IS NOT OLD.country OR NEW.source IS NOT OLD.source)
BEGIN
	INSERT INTO daily_breakdown_moves (program_id, day, currency, partner_program_id, referral_link_id, country, source,
		sales, revenue_cents, refunded_cents, commission_cents, deducted_cents)
	SELECT NEW.program_id, day, currency, partner_program_id, referral_link_id, country, source,
		sum(sign * sales), sum(sign * revenue), sum(sign * refunded), sum(sign * commission), sum(sign * deducted)
	FROM (
		SELECT sale_day AS day, currency, 1 AS sales, amount_cents AS revenue, refunded_cents AS refunded, 0 AS commission, 0 AS deducted
		FROM affiliate_sale_events WHERE customer_id = NEW.id AND is_test = 0 AND duplicate_of_sale_id IS NULL
		UNION ALL SELECT c.created_day, c.currency, 0, 0, 0, c.amount_cents, iif(c.status = 'rejected', c.amount_cents, c.deducted_cents)
		FROM affiliate_sale_events s JOIN commissions c ON c.sale_id = s.id WHERE s.customer_id = NEW.id AND s.duplicate_of_sale_id IS NULL
	)
	JOIN (
		SELECT -1 AS sign, OLD.partner_program_id AS partner_program_id, OLD.referral_link_id AS referral_link_id, OLD.country AS country, OLD.source AS source
		UNION ALL SELECT 1, NEW.partner_program_id, NEW.referral_link_id, NEW.country, NEW.source
	)
	GROUP BY sign, day, currency;
END;
--> statement-breakpoint
-- The duplicates that are there already.
UPDATE daily_performance
SET sales = sales - gone.number, revenue_cents = revenue_cents - gone.revenue, refunded_cents = refunded_cents - gone.refunded
FROM (
	SELECT program_id, sale_day, currency, count(*) AS number, sum(amount_cents) AS revenue, sum(refunded_cents) AS refunded
	FROM affiliate_sale_events WHERE duplicate_of_sale_id IS NOT NULL AND is_test = 0 GROUP BY program_id, sale_day, currency
) AS gone
WHERE daily_performance.program_id = gone.program_id AND day = gone.sale_day AND daily_performance.currency = gone.currency;
--> statement-breakpoint
UPDATE daily_performance
SET commission_cents = commission_cents - gone.commission, deducted_cents = deducted_cents - gone.deducted
FROM (
	SELECT m.program_id, m.created_day, m.currency, sum(m.amount_cents) AS commission,
		sum(iif(m.status = 'rejected', m.amount_cents, m.deducted_cents)) AS deducted
	FROM affiliate_sale_events s JOIN commissions m ON m.sale_id = s.id
	WHERE s.duplicate_of_sale_id IS NOT NULL GROUP BY m.program_id, m.created_day, m.currency
) AS gone
WHERE daily_performance.program_id = gone.program_id AND day = gone.created_day AND daily_performance.currency = gone.currency;
--> statement-breakpoint
INSERT INTO daily_breakdown_moves (program_id, day, currency, partner_program_id, referral_link_id, country, source, product_id,
	sales, revenue_cents, refunded_cents)
SELECT s.program_id, s.sale_day, s.currency, c.partner_program_id, c.referral_link_id, c.country, c.source, coalesce(s.product_id, ''),
	-1, -s.amount_cents, -s.refunded_cents
FROM affiliate_sale_events s JOIN customers c ON c.id = s.customer_id
WHERE s.duplicate_of_sale_id IS NOT NULL AND s.is_test = 0;
--> statement-breakpoint
INSERT INTO daily_breakdown_moves (program_id, day, currency, partner_program_id, referral_link_id, country, source, product_id,
	commission_cents, deducted_cents)
SELECT m.program_id, m.created_day, m.currency, c.partner_program_id, c.referral_link_id, c.country, c.source, coalesce(s.product_id, ''),
	-m.amount_cents, -iif(m.status = 'rejected', m.amount_cents, m.deducted_cents)
FROM affiliate_sale_events s JOIN commissions m ON m.sale_id = s.id JOIN customers c ON c.id = s.customer_id
WHERE s.duplicate_of_sale_id IS NOT NULL;
