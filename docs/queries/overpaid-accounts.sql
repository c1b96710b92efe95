-- Accounts that a reinstatement may have paid too much, before reinstatements withheld what clamps had forgiven (decision 51).
-- `at_most_cents` is the most that may have been overpaid; later reinstatements withhold it. No row: nothing happened.
WITH entries AS (
	SELECT partner_program_id, currency, kind, commission_id, nominal_cents, applied_cents,
		coalesce(sum(applied_cents - nominal_cents) OVER (
			PARTITION BY partner_program_id, currency ORDER BY id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
		), 0) AS forgiven_before,
		sum(applied_cents - nominal_cents) OVER (PARTITION BY partner_program_id, currency) AS forgiven_now
	FROM ledger_entries
	WHERE kind IN ('reversal', 'reinstatement')
), overpaid AS (
	SELECT *, applied_cents - (nominal_cents - min(nominal_cents, forgiven_before)) AS excess_cents
	FROM entries
	WHERE kind = 'reinstatement' AND applied_cents > nominal_cents - min(nominal_cents, forgiven_before)
)
SELECT m.program_id, p.id AS partner_id, p.name AS partner, o.currency, min(sum(o.excess_cents), o.forgiven_now) AS at_most_cents,
	group_concat(o.commission_id, ' ') AS commission_ids
FROM overpaid o
JOIN partner_programs m ON m.id = o.partner_program_id
JOIN partners p ON p.id = m.partner_id
GROUP BY o.partner_program_id, o.currency
HAVING at_most_cents > 0
ORDER BY m.program_id, p.id, o.currency
