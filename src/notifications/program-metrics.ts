import { sql } from 'drizzle-orm';
import { type Given, prepare } from '../db/prepare.ts';
import { waitingOf, withWaiting } from './waiting-rows.ts';

// Totals per program and currency. Moved after the fact: their failure never touches an answer (contract, 4.3).

const OF_SALES = sql`
	SELECT s.program_id, s.currency, 1 AS sales, s.amount_cents AS revenue_cents, 0 AS refunded_cents, 0 AS commission_cents, 0 AS deducted_cents
	FROM ${waitingOf('sale_recorded')} CROSS JOIN affiliate_sale_events s ON s.id = w.subject_id`;

/** A commission made late, for a sale that was refunded meanwhile, comes with a deduction of the same operation. */
const OF_COMMISSIONS = sql`
	SELECT c.program_id, c.currency, 0, 0, 0, c.amount_cents, coalesce((
		SELECT -nominal_cents FROM ledger_entries
		WHERE commission_id = c.id AND kind = 'reversal' AND operation || ':commission_created' = w.id
	), 0)
	FROM ${waitingOf('commission_created')} CROSS JOIN commissions c ON c.id = w.subject_id`;

/** What is reinstated was counted before, and is taken off again. */
const OF_REFUNDS = sql`
	SELECT r.program_id, s.currency, 0, 0, sign * r.amount_cents, 0, sign * coalesce(r.deduction_cents, 0)
	FROM (
		SELECT r.*, iif(r.outcome = 'reinstated', -1, 1) AS sign
		FROM ${waitingOf('sale_refunded')} CROSS JOIN refund_events r ON r.id = w.subject_id
	) r JOIN affiliate_sale_events s ON s.id = r.sale_id`;

/** Counts what the waiting rows of a list (JSON) tell of. */
export const addToMetrics = prepare(({ db, now }, { outboxIds }: Given<{ outboxIds: string }>) =>
	db.run(sql`
		INSERT INTO program_metrics (program_id, currency, sales, revenue_cents, refunded_cents, commission_cents, deducted_cents, updated_at)
		${withWaiting(outboxIds)}
		SELECT program_id, currency, sum(sales), sum(revenue_cents), sum(refunded_cents), sum(commission_cents), sum(deducted_cents), ${now}
		FROM (${OF_SALES} UNION ALL ${OF_COMMISSIONS} UNION ALL ${OF_REFUNDS})
		GROUP BY program_id, currency
		ON CONFLICT (program_id, currency) DO UPDATE SET
			sales = sales + excluded.sales,
			revenue_cents = revenue_cents + excluded.revenue_cents,
			refunded_cents = refunded_cents + excluded.refunded_cents,
			commission_cents = commission_cents + excluded.commission_cents,
			deducted_cents = deducted_cents + excluded.deducted_cents,
			updated_at = excluded.updated_at`),
);
