-- The daily rows as the triggers of before have left them, against the raw rows, of all days at once: what differs is put right, as
-- cron does it day by day (src/reporting/repair-day.ts). Clicks are left to cron: no trigger has ever counted them.
-- D1 gives a migration half a minute: a million sales with their customers take 3 s (NOT INDEXED, as every row is read). A larger
-- database is left to cron as well, so that no deployment can end here.
INSERT INTO daily_performance (program_id, day, currency,
	leads, open_leads, conversions, partners, sales, revenue_cents, refunded_cents, commission_cents, deducted_cents)
WITH few AS (
	SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM customers WHERE id > 1000000) AND NOT EXISTS (SELECT 1 FROM affiliate_sale_events WHERE id > 1000000)
),
raw AS (
	SELECT c.program_id, c.signup_date AS day, p.currency, count(*) AS leads, sum(c.status = 'lead') AS open_leads, 0 AS conversions,
		0 AS partners, 0 AS sales, 0 AS revenue, 0 AS refunded, 0 AS commission, 0 AS deducted
	FROM few CROSS JOIN customers c NOT INDEXED CROSS JOIN programs p ON p.id = c.program_id
	WHERE c.signup_date IS NOT NULL AND c.status IN ('lead', 'conversion') GROUP BY 1, 2
	UNION ALL SELECT c.program_id, c.first_purchase_date, p.currency, 0, 0, count(*), 0, 0, 0, 0, 0, 0
	FROM few CROSS JOIN customers c NOT INDEXED CROSS JOIN programs p ON p.id = c.program_id
	WHERE c.first_purchase_date IS NOT NULL AND c.status = 'conversion' GROUP BY 1, 2
	UNION ALL SELECT m.program_id, m.created_day, p.currency, 0, 0, 0, count(*), 0, 0, 0, 0, 0
	FROM few CROSS JOIN partner_programs m CROSS JOIN programs p ON p.id = m.program_id WHERE m.created_day IS NOT NULL GROUP BY 1, 2
	UNION ALL SELECT program_id, sale_day, currency, 0, 0, 0, 0, count(*), sum(amount_cents), sum(refunded_cents), 0, 0
	FROM few CROSS JOIN affiliate_sale_events NOT INDEXED WHERE is_test = 0 AND duplicate_of_sale_id IS NULL GROUP BY 1, 2, 3
	UNION ALL SELECT program_id, created_day, currency, 0, 0, 0, 0, 0, 0, 0,
		sum(amount_cents), sum(iif(status = 'rejected', amount_cents, deducted_cents))
	FROM few CROSS JOIN commissions NOT INDEXED
	WHERE sale_id NOT IN (SELECT id FROM affiliate_sale_events WHERE duplicate_of_sale_id IS NOT NULL) GROUP BY 1, 2, 3
),
-- A daily row that nothing is left of is one of zeros.
derived AS (
	SELECT program_id, day, currency, sum(leads) AS leads, sum(open_leads) AS open_leads, sum(conversions) AS conversions,
		sum(partners) AS partners, sum(sales) AS sales, sum(revenue) AS revenue, sum(refunded) AS refunded,
		sum(commission) AS commission, sum(deducted) AS deducted
	FROM (SELECT * FROM raw UNION ALL SELECT program_id, day, currency, 0, 0, 0, 0, 0, 0, 0, 0, 0 FROM few CROSS JOIN daily_performance)
	GROUP BY 1, 2, 3
)
SELECT d.* FROM derived d LEFT JOIN daily_performance kept USING (program_id, day, currency)
WHERE (d.leads, d.open_leads, d.conversions, d.partners, d.sales, d.revenue, d.refunded, d.commission, d.deducted) <> (
	coalesce(kept.leads, 0), coalesce(kept.open_leads, 0), coalesce(kept.conversions, 0), coalesce(kept.partners, 0), coalesce(kept.sales, 0),
	coalesce(kept.revenue_cents, 0), coalesce(kept.refunded_cents, 0), coalesce(kept.commission_cents, 0), coalesce(kept.deducted_cents, 0))
ON CONFLICT (program_id, day, currency) DO UPDATE
SET leads = excluded.leads, open_leads = excluded.open_leads, conversions = excluded.conversions, partners = excluded.partners,
	sales = excluded.sales, revenue_cents = excluded.revenue_cents, refunded_cents = excluded.refunded_cents,
	commission_cents = excluded.commission_cents, deducted_cents = excluded.deducted_cents;
