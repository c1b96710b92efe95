-- The same for the breakdown (0019; src/reporting/repair-breakdown.ts). Half a million sales take 3 s, or 13 s where hardly two have
-- the same link, product, country and source.
INSERT INTO daily_breakdown (program_id, dimension, day, value, currency,
	leads, conversions, sales, revenue_cents, refunded_cents, commission_cents, deducted_cents)
WITH few AS (
	SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM customers WHERE id > 500000) AND NOT EXISTS (SELECT 1 FROM affiliate_sale_events WHERE id > 500000)
),
raw AS (
	SELECT c.program_id, c.signup_date AS day, p.currency, c.referral_link_id AS link, NULL AS product, c.country, c.source,
		count(*) AS leads, 0 AS conversions, 0 AS sales, 0 AS revenue, 0 AS refunded, 0 AS commission, 0 AS deducted
	FROM few CROSS JOIN customers c NOT INDEXED CROSS JOIN programs p ON p.id = c.program_id
	WHERE c.signup_date IS NOT NULL AND c.status IN ('lead', 'conversion') GROUP BY 1, 2, 4, 6, 7
	UNION ALL SELECT c.program_id, c.first_purchase_date, p.currency, c.referral_link_id, NULL, c.country, c.source,
		0, count(*), 0, 0, 0, 0, 0
	FROM few CROSS JOIN customers c NOT INDEXED CROSS JOIN programs p ON p.id = c.program_id
	WHERE c.first_purchase_date IS NOT NULL AND c.status = 'conversion' GROUP BY 1, 2, 4, 6, 7
	UNION ALL SELECT s.program_id, s.sale_day, s.currency, c.referral_link_id, s.product_id, c.country, c.source,
		0, 0, count(*), sum(s.amount_cents), sum(s.refunded_cents), 0, 0
	FROM few CROSS JOIN affiliate_sale_events s NOT INDEXED CROSS JOIN customers c ON c.id = s.customer_id
	WHERE s.is_test = 0 AND s.duplicate_of_sale_id IS NULL GROUP BY 1, 2, 3, 4, 5, 6, 7
	UNION ALL SELECT m.program_id, m.created_day, m.currency, c.referral_link_id, s.product_id, c.country, c.source,
		0, 0, 0, 0, 0, sum(m.amount_cents), sum(iif(m.status = 'rejected', m.amount_cents, m.deducted_cents))
	FROM few CROSS JOIN commissions m NOT INDEXED CROSS JOIN affiliate_sale_events s ON s.id = m.sale_id CROSS JOIN customers c ON c.id = s.customer_id
	WHERE s.duplicate_of_sale_id IS NULL GROUP BY 1, 2, 3, 4, 5, 6, 7
),
derived AS (
	SELECT program_id, dimension, day, value, currency, sum(leads) AS leads, sum(conversions) AS conversions, sum(sales) AS sales,
		sum(revenue) AS revenue, sum(refunded) AS refunded, sum(commission) AS commission, sum(deducted) AS deducted
	FROM (
		SELECT program_id, dimension.value AS dimension, day,
			cast(CASE dimension.value WHEN 'link' THEN link WHEN 'product' THEN product WHEN 'country' THEN country ELSE source END AS TEXT) AS value,
			currency, leads, conversions, sales, revenue, refunded, commission, deducted
		FROM raw CROSS JOIN json_each('["link", "product", "country", "source"]') AS dimension
		UNION ALL SELECT program_id, dimension, day, value, currency, 0, 0, 0, 0, 0, 0, 0 FROM few CROSS JOIN daily_breakdown
	)
	WHERE value IS NOT NULL GROUP BY 1, 2, 3, 4, 5
)
SELECT d.* FROM derived d LEFT JOIN daily_breakdown kept USING (program_id, dimension, day, value, currency)
WHERE (d.leads, d.conversions, d.sales, d.revenue, d.refunded, d.commission, d.deducted) <> (
	coalesce(kept.leads, 0), coalesce(kept.conversions, 0), coalesce(kept.sales, 0), coalesce(kept.revenue_cents, 0),
	coalesce(kept.refunded_cents, 0), coalesce(kept.commission_cents, 0), coalesce(kept.deducted_cents, 0))
ON CONFLICT (program_id, dimension, day, value, currency) DO UPDATE
SET leads = excluded.leads, conversions = excluded.conversions, sales = excluded.sales, revenue_cents = excluded.revenue_cents,
	refunded_cents = excluded.refunded_cents, commission_cents = excluded.commission_cents, deducted_cents = excluded.deducted_cents;
