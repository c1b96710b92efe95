-- daily_breakdown follows the raw rows as daily_performance does (0002). Its clicks too are counted by whoever inserts them.

-- What is inserted here is added to the rows of all five dimensions. A null product_id: the figures are of no sale, and have no
-- such dimension; '': of a sale without a product.
CREATE VIEW daily_breakdown_moves AS
SELECT program_id, day, currency, NULL AS partner_program_id, NULL AS referral_link_id, NULL AS country, NULL AS source, NULL AS product_id,
	clicks, leads, conversions, sales, revenue_cents, refunded_cents, commission_cents, deducted_cents
FROM daily_breakdown WHERE false;
--> statement-breakpoint
CREATE TRIGGER daily_breakdown_moved INSTEAD OF INSERT ON daily_breakdown_moves BEGIN
	INSERT INTO daily_breakdown (program_id, dimension, day, value, currency,
		clicks, leads, conversions, sales, revenue_cents, refunded_cents, commission_cents, deducted_cents)
	SELECT NEW.program_id, dimension, NEW.day, value, NEW.currency,
		coalesce(NEW.clicks, 0), coalesce(NEW.leads, 0), coalesce(NEW.conversions, 0), coalesce(NEW.sales, 0), coalesce(NEW.revenue_cents, 0),
		coalesce(NEW.refunded_cents, 0), coalesce(NEW.commission_cents, 0), coalesce(NEW.deducted_cents, 0)
	FROM (
		SELECT 'partner' AS dimension, coalesce((SELECT partner_id FROM partner_programs WHERE id = NEW.partner_program_id), '') AS value
		UNION ALL SELECT 'link', coalesce(NEW.referral_link_id, '')
		UNION ALL SELECT 'product', NEW.product_id
		UNION ALL SELECT 'country', coalesce(NEW.country, '')
		UNION ALL SELECT 'source', coalesce(NEW.source, '')
	)
	WHERE value IS NOT NULL
	ON CONFLICT (program_id, dimension, day, value, currency) DO UPDATE
	SET clicks = clicks + excluded.clicks, leads = leads + excluded.leads, conversions = conversions + excluded.conversions,
		sales = sales + excluded.sales, revenue_cents = revenue_cents + excluded.revenue_cents, refunded_cents = refunded_cents + excluded.refunded_cents,
		commission_cents = commission_cents + excluded.commission_cents, deducted_cents = deducted_cents + excluded.deducted_cents;
END;
--> statement-breakpoint
-- The end of a membership takes its links away, not what they brought.
CREATE TRIGGER referral_links_partner_kept AFTER UPDATE OF partner_program_id ON referral_links
WHEN NEW.partner_program_id IS NULL AND OLD.partner_program_id IS NOT NULL
BEGIN
	UPDATE referral_links SET former_partner_program_id = OLD.partner_program_id WHERE id = NEW.id;
END;
--> statement-breakpoint
CREATE TRIGGER customers_broken_down AFTER INSERT ON customers
WHEN NEW.signup_date IS NOT NULL OR NEW.first_purchase_date IS NOT NULL
BEGIN
	INSERT INTO daily_breakdown_moves (program_id, day, currency, partner_program_id, referral_link_id, country, source, leads, conversions)
	SELECT p.id, day, p.currency, NEW.partner_program_id, NEW.referral_link_id, NEW.country, NEW.source, leads, conversions
	FROM (
		SELECT NEW.signup_date AS day, NEW.status IN ('lead', 'conversion') AS leads, 0 AS conversions
		UNION ALL SELECT NEW.first_purchase_date, 0, NEW.status = 'conversion'
	) JOIN programs p ON p.id = NEW.program_id
	WHERE day IS NOT NULL AND leads + conversions > 0;
END;
--> statement-breakpoint
CREATE TRIGGER customers_broken_down_anew
AFTER UPDATE OF status, signup_date, first_purchase_date, partner_program_id, referral_link_id, country, source ON customers
WHEN NEW.status <> OLD.status OR NEW.signup_date IS NOT OLD.signup_date OR NEW.first_purchase_date IS NOT OLD.first_purchase_date
	OR NEW.partner_program_id IS NOT OLD.partner_program_id OR NEW.referral_link_id IS NOT OLD.referral_link_id
	OR NEW.country IS NOT OLD.country OR NEW.source IS NOT OLD.source
BEGIN
	INSERT INTO daily_breakdown_moves (program_id, day, currency, partner_program_id, referral_link_id, country, source, leads, conversions)
	SELECT p.id, day, p.currency, partner_program_id, referral_link_id, country, source, sum(leads), sum(conversions)
	FROM (
		SELECT OLD.signup_date AS day, OLD.partner_program_id AS partner_program_id, OLD.referral_link_id AS referral_link_id,
			OLD.country AS country, OLD.source AS source, -(OLD.status IN ('lead', 'conversion')) AS leads, 0 AS conversions
		UNION ALL SELECT OLD.first_purchase_date, OLD.partner_program_id, OLD.referral_link_id, OLD.country, OLD.source, 0, -(OLD.status = 'conversion')
		UNION ALL SELECT NEW.signup_date, NEW.partner_program_id, NEW.referral_link_id, NEW.country, NEW.source, NEW.status IN ('lead', 'conversion'), 0
		UNION ALL SELECT NEW.first_purchase_date, NEW.partner_program_id, NEW.referral_link_id, NEW.country, NEW.source, 0, NEW.status = 'conversion'
	) JOIN programs p ON p.id = NEW.program_id
	WHERE day IS NOT NULL
	GROUP BY day, partner_program_id, referral_link_id, country, source
	HAVING sum(leads) <> 0 OR sum(conversions) <> 0;
END;
--> statement-breakpoint
-- What a customer bought moves with the attribution: a click's country and source may become known after the sale.
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
		FROM affiliate_sale_events WHERE customer_id = NEW.id AND is_test = 0
		UNION ALL SELECT c.created_day, c.currency, 0, 0, 0, c.amount_cents, iif(c.status = 'rejected', c.amount_cents, c.deducted_cents)
		FROM affiliate_sale_events s JOIN commissions c ON c.sale_id = s.id WHERE s.customer_id = NEW.id
	)
	JOIN (
		SELECT -1 AS sign, OLD.partner_program_id AS partner_program_id, OLD.referral_link_id AS referral_link_id, OLD.country AS country, OLD.source AS source
		UNION ALL SELECT 1, NEW.partner_program_id, NEW.referral_link_id, NEW.country, NEW.source
	)
	GROUP BY sign, day, currency;
END;
--> statement-breakpoint
CREATE TRIGGER customers_broken_down_no_more AFTER DELETE ON customers
WHEN OLD.signup_date IS NOT NULL OR OLD.first_purchase_date IS NOT NULL
BEGIN
	INSERT INTO daily_breakdown_moves (program_id, day, currency, partner_program_id, referral_link_id, country, source, leads, conversions)
	SELECT p.id, day, p.currency, OLD.partner_program_id, OLD.referral_link_id, OLD.country, OLD.source, -leads, -conversions
	FROM (
		SELECT OLD.signup_date AS day, OLD.status IN ('lead', 'conversion') AS leads, 0 AS conversions
		UNION ALL SELECT OLD.first_purchase_date, 0, OLD.status = 'conversion'
	) JOIN programs p ON p.id = OLD.program_id
	WHERE day IS NOT NULL AND leads + conversions > 0;
END;
--> statement-breakpoint
CREATE TRIGGER affiliate_click_events_broken_down_anew
AFTER UPDATE OF program_id, referral_link_id, click_day, is_test, is_bot, country, source ON affiliate_click_events
BEGIN
	INSERT INTO daily_breakdown_moves (program_id, day, currency, partner_program_id, referral_link_id, country, source, clicks)
	SELECT p.id, click.day, p.currency, coalesce(l.partner_program_id, l.former_partner_program_id), l.id, click.country, click.source, click.clicks
	FROM (
		SELECT OLD.program_id AS program_id, OLD.referral_link_id AS link_id, OLD.click_day AS day, OLD.country AS country, OLD.source AS source,
			-(OLD.is_test = 0 AND OLD.is_bot = 0) AS clicks
		UNION ALL SELECT NEW.program_id, NEW.referral_link_id, NEW.click_day, NEW.country, NEW.source, NEW.is_test = 0 AND NEW.is_bot = 0
	) click
	JOIN programs p ON p.id = click.program_id JOIN referral_links l ON l.id = click.link_id
	WHERE click.clicks <> 0;
END;
--> statement-breakpoint
CREATE TRIGGER affiliate_click_events_broken_down_no_more AFTER DELETE ON affiliate_click_events WHEN OLD.is_test = 0 AND OLD.is_bot = 0
BEGIN
	INSERT INTO daily_breakdown_moves (program_id, day, currency, partner_program_id, referral_link_id, country, source, clicks)
	SELECT p.id, OLD.click_day, p.currency, coalesce(l.partner_program_id, l.former_partner_program_id), l.id, OLD.country, OLD.source, -1
	FROM programs p JOIN referral_links l ON l.id = OLD.referral_link_id WHERE p.id = OLD.program_id;
END;
--> statement-breakpoint
CREATE TRIGGER affiliate_sale_events_broken_down AFTER INSERT ON affiliate_sale_events WHEN NEW.is_test = 0
BEGIN
	INSERT INTO daily_breakdown_moves (program_id, day, currency, partner_program_id, referral_link_id, country, source, product_id,
		sales, revenue_cents, refunded_cents)
	SELECT NEW.program_id, NEW.sale_day, NEW.currency, c.partner_program_id, c.referral_link_id, c.country, c.source, coalesce(NEW.product_id, ''),
		1, NEW.amount_cents, NEW.refunded_cents
	FROM customers c WHERE c.id = NEW.customer_id;
END;
--> statement-breakpoint
CREATE TRIGGER affiliate_sale_events_broken_down_anew AFTER UPDATE OF refunded_cents ON affiliate_sale_events
WHEN NEW.is_test = 0 AND NEW.refunded_cents <> OLD.refunded_cents
BEGIN
	INSERT INTO daily_breakdown_moves (program_id, day, currency, partner_program_id, referral_link_id, country, source, product_id, refunded_cents)
	SELECT NEW.program_id, NEW.sale_day, NEW.currency, c.partner_program_id, c.referral_link_id, c.country, c.source, coalesce(NEW.product_id, ''),
		NEW.refunded_cents - OLD.refunded_cents
	FROM customers c WHERE c.id = NEW.customer_id;
END;
--> statement-breakpoint
CREATE TRIGGER commissions_broken_down AFTER INSERT ON commissions
BEGIN
	INSERT INTO daily_breakdown_moves (program_id, day, currency, partner_program_id, referral_link_id, country, source, product_id,
		commission_cents, deducted_cents)
	SELECT NEW.program_id, NEW.created_day, NEW.currency, c.partner_program_id, c.referral_link_id, c.country, c.source, coalesce(s.product_id, ''),
		NEW.amount_cents, NEW.deducted_cents
	FROM affiliate_sale_events s JOIN customers c ON c.id = s.customer_id WHERE s.id = NEW.sale_id;
END;
--> statement-breakpoint
CREATE TRIGGER commissions_broken_down_anew AFTER UPDATE OF status, deducted_cents ON commissions
WHEN NEW.deducted_cents <> OLD.deducted_cents OR (NEW.status = 'rejected') <> (OLD.status = 'rejected')
BEGIN
	INSERT INTO daily_breakdown_moves (program_id, day, currency, partner_program_id, referral_link_id, country, source, product_id, deducted_cents)
	SELECT NEW.program_id, NEW.created_day, NEW.currency, c.partner_program_id, c.referral_link_id, c.country, c.source, coalesce(s.product_id, ''),
		iif(NEW.status = 'rejected', NEW.amount_cents, NEW.deducted_cents) - iif(OLD.status = 'rejected', OLD.amount_cents, OLD.deducted_cents)
	FROM affiliate_sale_events s JOIN customers c ON c.id = s.customer_id WHERE s.id = NEW.sale_id;
END;
--> statement-breakpoint
-- As in 0002: counts only.
CREATE TRIGGER programs_currency_followed_by_breakdown AFTER UPDATE OF currency ON programs WHEN NEW.currency <> OLD.currency
BEGIN
	UPDATE OR REPLACE daily_breakdown SET currency = NEW.currency WHERE program_id = NEW.id AND currency = OLD.currency;
END;
--> statement-breakpoint
-- The rows that are there already. Which partner a link had is in the audit log, and with the customers that it brought.
UPDATE referral_links SET former_partner_program_id = coalesce(
	(
		SELECT m.id FROM audit_entries a JOIN partner_programs m ON m.program_id = a.program_id AND m.partner_id = a.subject_id
		WHERE a.action = 'partner.end' AND a.program_id = referral_links.program_id
			AND EXISTS (SELECT 1 FROM json_each(a.detail, '$.links') WHERE value = referral_links.short_link)
		LIMIT 1
	),
	(SELECT partner_program_id FROM customers WHERE referral_link_id = referral_links.id LIMIT 1)
)
WHERE partner_program_id IS NULL;
--> statement-breakpoint
-- The host of the referrer, as domain/source.ts has it: from :// to the path, less user, port and www.
UPDATE affiliate_click_events SET source = host
FROM (
	SELECT id, iif(name GLOB 'www.*', substr(name, 5), name) AS host
	FROM (
		SELECT id, lower(substr(authority, instr(authority, '@') + 1, instr(substr(authority, instr(authority, '@') + 1) || ':', ':') - 1)) AS name
		FROM (
			SELECT id, substr(url, 1, instr(replace(replace(url, '?', '/'), '#', '/') || '/', '/') - 1) AS authority
			FROM (
				SELECT id, substr(referrer_url, instr(referrer_url, '://') + 3) AS url FROM affiliate_click_events
				WHERE referrer_url LIKE '%://%'
			)
		)
	)
) AS referrer
WHERE affiliate_click_events.id = referrer.id AND host <> '' AND host NOT GLOB '*[^a-z0-9._-]*';
--> statement-breakpoint
UPDATE customers SET country = c.country, source = c.source, revision = revision + 1
FROM affiliate_click_events c
WHERE c.click_id = customers.click_id AND (c.country IS NOT NULL OR c.source IS NOT NULL);
--> statement-breakpoint
-- What the triggers have counted of that is counted below.
DELETE FROM daily_breakdown;
--> statement-breakpoint
INSERT INTO daily_breakdown_moves (program_id, day, currency, partner_program_id, referral_link_id, country, source, clicks)
SELECT c.program_id, c.click_day, p.currency, coalesce(l.partner_program_id, l.former_partner_program_id), l.id, c.country, c.source, count(*)
FROM affiliate_click_events c JOIN programs p ON p.id = c.program_id JOIN referral_links l ON l.id = c.referral_link_id
WHERE c.is_test = 0 AND c.is_bot = 0 GROUP BY c.program_id, c.click_day, l.id, c.country, c.source;
--> statement-breakpoint
INSERT INTO daily_breakdown_moves (program_id, day, currency, partner_program_id, referral_link_id, country, source, leads)
SELECT c.program_id, c.signup_date, p.currency, c.partner_program_id, c.referral_link_id, c.country, c.source, count(*)
FROM customers c JOIN programs p ON p.id = c.program_id
WHERE c.signup_date IS NOT NULL AND c.status IN ('lead', 'conversion')
GROUP BY c.program_id, c.signup_date, c.referral_link_id, c.country, c.source;
--> statement-breakpoint
INSERT INTO daily_breakdown_moves (program_id, day, currency, partner_program_id, referral_link_id, country, source, conversions)
SELECT c.program_id, c.first_purchase_date, p.currency, c.partner_program_id, c.referral_link_id, c.country, c.source, count(*)
FROM customers c JOIN programs p ON p.id = c.program_id
WHERE c.first_purchase_date IS NOT NULL AND c.status = 'conversion'
GROUP BY c.program_id, c.first_purchase_date, c.referral_link_id, c.country, c.source;
--> statement-breakpoint
INSERT INTO daily_breakdown_moves (program_id, day, currency, partner_program_id, referral_link_id, country, source, product_id,
	sales, revenue_cents, refunded_cents)
SELECT s.program_id, s.sale_day, s.currency, c.partner_program_id, c.referral_link_id, c.country, c.source, coalesce(s.product_id, ''),
	count(*), sum(s.amount_cents), sum(s.refunded_cents)
FROM affiliate_sale_events s JOIN customers c ON c.id = s.customer_id
WHERE s.is_test = 0 GROUP BY s.program_id, s.sale_day, s.currency, c.referral_link_id, c.country, c.source, s.product_id;
--> statement-breakpoint
INSERT INTO daily_breakdown_moves (program_id, day, currency, partner_program_id, referral_link_id, country, source, product_id,
	commission_cents, deducted_cents)
SELECT m.program_id, m.created_day, m.currency, c.partner_program_id, c.referral_link_id, c.country, c.source, coalesce(s.product_id, ''),
	sum(m.amount_cents), sum(iif(m.status = 'rejected', m.amount_cents, m.deducted_cents))
FROM commissions m JOIN affiliate_sale_events s ON s.id = m.sale_id JOIN customers c ON c.id = s.customer_id
GROUP BY m.program_id, m.created_day, m.currency, c.referral_link_id, c.country, c.source, s.product_id;
