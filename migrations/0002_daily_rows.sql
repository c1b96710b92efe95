-- The daily rows follow their raw rows: what was true is subtracted, what is true is added, also for past days.
-- Clicks are not counted here at their insert, where a trigger per row would cost too much: see src/tracking/store-clicks.ts.

CREATE TRIGGER customers_counted AFTER INSERT ON customers
WHEN NEW.signup_date IS NOT NULL OR NEW.first_purchase_date IS NOT NULL
BEGIN
	INSERT INTO daily_performance (program_id, day, currency, leads, open_leads, conversions)
	SELECT NEW.program_id, day, (SELECT currency FROM programs WHERE id = NEW.program_id), sum(leads), sum(open_leads), sum(conversions)
	FROM (
		SELECT NEW.signup_date AS day, NEW.status IN ('lead', 'conversion') AS leads, NEW.status = 'lead' AS open_leads, 0 AS conversions
		UNION ALL SELECT NEW.first_purchase_date, 0, 0, NEW.status = 'conversion'
	)
	WHERE day IS NOT NULL GROUP BY day
	ON CONFLICT (program_id, day, currency) DO UPDATE
	SET leads = leads + excluded.leads, open_leads = open_leads + excluded.open_leads, conversions = conversions + excluded.conversions;
END;
--> statement-breakpoint
CREATE TRIGGER customers_recounted AFTER UPDATE OF status, signup_date, first_purchase_date ON customers
WHEN NEW.status <> OLD.status OR NEW.signup_date IS NOT OLD.signup_date OR NEW.first_purchase_date IS NOT OLD.first_purchase_date
BEGIN
	INSERT INTO daily_performance (program_id, day, currency, leads, open_leads, conversions)
	SELECT NEW.program_id, day, (SELECT currency FROM programs WHERE id = NEW.program_id), sum(leads), sum(open_leads), sum(conversions)
	FROM (
		SELECT OLD.signup_date AS day, -(OLD.status IN ('lead', 'conversion')) AS leads, -(OLD.status = 'lead') AS open_leads, 0 AS conversions
		UNION ALL SELECT OLD.first_purchase_date, 0, 0, -(OLD.status = 'conversion')
		UNION ALL SELECT NEW.signup_date, NEW.status IN ('lead', 'conversion'), NEW.status = 'lead', 0
		UNION ALL SELECT NEW.first_purchase_date, 0, 0, NEW.status = 'conversion'
	)
	WHERE day IS NOT NULL GROUP BY day
	HAVING sum(leads) <> 0 OR sum(open_leads) <> 0 OR sum(conversions) <> 0
	ON CONFLICT (program_id, day, currency) DO UPDATE
	SET leads = leads + excluded.leads, open_leads = open_leads + excluded.open_leads, conversions = conversions + excluded.conversions;
END;
--> statement-breakpoint
CREATE TRIGGER customers_discounted AFTER DELETE ON customers
BEGIN
	UPDATE daily_performance
	SET leads = leads - (OLD.status IN ('lead', 'conversion')), open_leads = open_leads - (OLD.status = 'lead')
	WHERE program_id = OLD.program_id AND day = OLD.signup_date AND currency = (SELECT currency FROM programs WHERE id = OLD.program_id);
	UPDATE daily_performance
	SET conversions = conversions - (OLD.status = 'conversion')
	WHERE program_id = OLD.program_id AND day = OLD.first_purchase_date AND currency = (SELECT currency FROM programs WHERE id = OLD.program_id);
END;
--> statement-breakpoint
CREATE TRIGGER affiliate_click_events_recounted AFTER UPDATE OF program_id, click_day, is_test, is_bot ON affiliate_click_events
BEGIN
	UPDATE daily_performance SET clicks = clicks - 1
	WHERE program_id = OLD.program_id AND day = OLD.click_day AND OLD.is_test = 0 AND OLD.is_bot = 0
		AND currency = (SELECT currency FROM programs WHERE id = OLD.program_id);
	INSERT INTO daily_performance (program_id, day, currency, clicks)
	SELECT id, NEW.click_day, currency, 1 FROM programs WHERE id = NEW.program_id AND NEW.is_test = 0 AND NEW.is_bot = 0
	ON CONFLICT (program_id, day, currency) DO UPDATE SET clicks = clicks + 1;
END;
--> statement-breakpoint
CREATE TRIGGER affiliate_click_events_discounted AFTER DELETE ON affiliate_click_events WHEN OLD.is_test = 0 AND OLD.is_bot = 0
BEGIN
	UPDATE daily_performance SET clicks = clicks - 1
	WHERE program_id = OLD.program_id AND day = OLD.click_day AND currency = (SELECT currency FROM programs WHERE id = OLD.program_id);
END;
--> statement-breakpoint
-- Of a real sale only what was refunded ever changes, and it stays (0001).
CREATE TRIGGER affiliate_sale_events_counted AFTER INSERT ON affiliate_sale_events WHEN NEW.is_test = 0
BEGIN
	INSERT INTO daily_performance (program_id, day, currency, sales, revenue_cents, refunded_cents)
	VALUES (NEW.program_id, NEW.sale_day, NEW.currency, 1, NEW.amount_cents, NEW.refunded_cents)
	ON CONFLICT (program_id, day, currency) DO UPDATE
	SET sales = sales + 1, revenue_cents = revenue_cents + excluded.revenue_cents, refunded_cents = refunded_cents + excluded.refunded_cents;
END;
--> statement-breakpoint
CREATE TRIGGER affiliate_sale_events_recounted AFTER UPDATE OF refunded_cents ON affiliate_sale_events
WHEN NEW.is_test = 0 AND NEW.refunded_cents <> OLD.refunded_cents
BEGIN
	UPDATE daily_performance SET refunded_cents = refunded_cents + NEW.refunded_cents - OLD.refunded_cents
	WHERE program_id = NEW.program_id AND day = NEW.sale_day AND currency = NEW.currency;
END;
--> statement-breakpoint
-- A commission stays too; a rejected one is taken back whole.
CREATE TRIGGER commissions_counted AFTER INSERT ON commissions
BEGIN
	INSERT INTO daily_performance (program_id, day, currency, commission_cents, deducted_cents)
	VALUES (NEW.program_id, NEW.created_day, NEW.currency, NEW.amount_cents, NEW.deducted_cents)
	ON CONFLICT (program_id, day, currency) DO UPDATE
	SET commission_cents = commission_cents + excluded.commission_cents, deducted_cents = deducted_cents + excluded.deducted_cents;
END;
--> statement-breakpoint
CREATE TRIGGER commissions_recounted AFTER UPDATE OF status, deducted_cents ON commissions
WHEN NEW.deducted_cents <> OLD.deducted_cents OR (NEW.status = 'rejected') <> (OLD.status = 'rejected')
BEGIN
	UPDATE daily_performance
	SET deducted_cents = deducted_cents + iif(NEW.status = 'rejected', NEW.amount_cents, NEW.deducted_cents)
		- iif(OLD.status = 'rejected', OLD.amount_cents, OLD.deducted_cents)
	WHERE program_id = NEW.program_id AND day = NEW.created_day AND currency = NEW.currency;
END;
--> statement-breakpoint
CREATE TRIGGER partner_programs_counted AFTER INSERT ON partner_programs WHEN NEW.created_day IS NOT NULL
BEGIN
	INSERT INTO daily_performance (program_id, day, currency, partners)
	SELECT id, NEW.created_day, currency, 1 FROM programs WHERE id = NEW.program_id
	ON CONFLICT (program_id, day, currency) DO UPDATE SET partners = partners + 1;
END;
--> statement-breakpoint
CREATE TRIGGER partner_programs_recounted AFTER UPDATE OF created_day ON partner_programs WHEN NEW.created_day IS NOT OLD.created_day
BEGIN
	UPDATE daily_performance SET partners = partners - 1
	WHERE program_id = OLD.program_id AND day = OLD.created_day AND currency = (SELECT currency FROM programs WHERE id = OLD.program_id);
	INSERT INTO daily_performance (program_id, day, currency, partners)
	SELECT id, NEW.created_day, currency, 1 FROM programs WHERE id = NEW.program_id AND NEW.created_day IS NOT NULL
	ON CONFLICT (program_id, day, currency) DO UPDATE SET partners = partners + 1;
END;
--> statement-breakpoint
CREATE TRIGGER partner_programs_discounted AFTER DELETE ON partner_programs WHEN OLD.created_day IS NOT NULL
BEGIN
	UPDATE daily_performance SET partners = partners - 1
	WHERE program_id = OLD.program_id AND day = OLD.created_day AND currency = (SELECT currency FROM programs WHERE id = OLD.program_id);
END;
--> statement-breakpoint
-- Possible before the first sale only (0001): the days have no amounts yet, only counts, and those move along.
CREATE TRIGGER programs_currency_followed AFTER UPDATE OF currency ON programs WHEN NEW.currency <> OLD.currency
BEGIN
	UPDATE OR REPLACE daily_performance SET currency = NEW.currency WHERE program_id = NEW.id AND currency = OLD.currency;
END;
--> statement-breakpoint
-- The rows that are there already. The days of partner_programs are left to the cron job, which knows time zones.
INSERT INTO daily_performance (program_id, day, currency, clicks, leads, open_leads, conversions, sales, revenue_cents, refunded_cents, commission_cents, deducted_cents)
SELECT program_id, day, currency, sum(clicks), sum(leads), sum(open_leads), sum(conversions), sum(sales), sum(revenue), sum(refunded), sum(commission), sum(deducted)
FROM (
	SELECT c.program_id, c.click_day AS day, p.currency, count(*) AS clicks, 0 AS leads, 0 AS open_leads, 0 AS conversions,
		0 AS sales, 0 AS revenue, 0 AS refunded, 0 AS commission, 0 AS deducted
	FROM affiliate_click_events c JOIN programs p ON p.id = c.program_id WHERE c.is_test = 0 AND c.is_bot = 0 GROUP BY 1, 2
	UNION ALL SELECT c.program_id, c.signup_date, p.currency, 0, count(*), sum(c.status = 'lead'), 0, 0, 0, 0, 0, 0
	FROM customers c JOIN programs p ON p.id = c.program_id WHERE c.signup_date IS NOT NULL AND c.status IN ('lead', 'conversion') GROUP BY 1, 2
	UNION ALL SELECT c.program_id, c.first_purchase_date, p.currency, 0, 0, 0, count(*), 0, 0, 0, 0, 0
	FROM customers c JOIN programs p ON p.id = c.program_id WHERE c.first_purchase_date IS NOT NULL AND c.status = 'conversion' GROUP BY 1, 2
	UNION ALL SELECT program_id, sale_day, currency, 0, 0, 0, 0, count(*), sum(amount_cents), sum(refunded_cents), 0, 0
	FROM affiliate_sale_events WHERE is_test = 0 GROUP BY 1, 2, 3
	UNION ALL SELECT program_id, created_day, currency, 0, 0, 0, 0, 0, 0, 0, sum(amount_cents), sum(iif(status = 'rejected', amount_cents, deducted_cents))
	FROM commissions GROUP BY 1, 2, 3
)
GROUP BY program_id, day, currency;
