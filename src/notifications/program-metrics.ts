import { sql, type SQL } from 'drizzle-orm';
import type { Context } from '../context.ts';
import type { Statement } from '../db/client.ts';
import type { OutboxRow } from '../tracking/outbox.ts';

// Totals per program and currency. Moved after the fact: their failure never touches an answer (contract, 4.3).

export function addSale(ctx: Context, row: OutboxRow): Statement {
	return addToMetrics(
		ctx,
		sql`SELECT program_id, currency, 1 AS sales, amount_cents AS revenue_cents, 0 AS refunded_cents, 0 AS commission_cents, 0 AS deducted_cents
		FROM affiliate_sale_events WHERE id = ${row.subjectId}`,
	);
}

/** A commission made late, for a sale that was refunded meanwhile, comes with a deduction of the same operation. */
export function addCommission(ctx: Context, row: OutboxRow): Statement {
	const opId = row.id.slice(0, row.id.lastIndexOf(':'));
	return addToMetrics(
		ctx,
		sql`SELECT program_id, currency, 0 AS sales, 0 AS revenue_cents, 0 AS refunded_cents, amount_cents AS commission_cents,
			coalesce((SELECT -nominal_cents FROM ledger_entries WHERE commission_id = c.id AND kind = 'reversal' AND operation = ${opId}), 0) AS deducted_cents
		FROM commissions c WHERE id = ${row.subjectId}`,
	);
}

/** What is reinstated was counted before, and is taken off again. */
export function addRefund(ctx: Context, row: OutboxRow): Statement {
	return addToMetrics(
		ctx,
		sql`SELECT r.program_id, s.currency, 0 AS sales, 0 AS revenue_cents, sign * r.amount_cents AS refunded_cents,
			0 AS commission_cents, sign * coalesce(r.deduction_cents, 0) AS deducted_cents
		FROM (SELECT *, iif(outcome = 'reinstated', -1, 1) AS sign FROM refund_events WHERE id = ${row.subjectId}) r
		JOIN affiliate_sale_events s ON s.id = r.sale_id`,
	);
}

function addToMetrics(ctx: Context, change: SQL): Statement {
	return ctx.db.run(sql`
		INSERT INTO program_metrics (program_id, currency, sales, revenue_cents, refunded_cents, commission_cents, deducted_cents, updated_at)
		SELECT program_id, currency, sales, revenue_cents, refunded_cents, commission_cents, deducted_cents, ${ctx.now} FROM (${change}) WHERE true
		ON CONFLICT (program_id, currency) DO UPDATE SET
			sales = sales + excluded.sales,
			revenue_cents = revenue_cents + excluded.revenue_cents,
			refunded_cents = refunded_cents + excluded.refunded_cents,
			commission_cents = commission_cents + excluded.commission_cents,
			deducted_cents = deducted_cents + excluded.deducted_cents,
			updated_at = excluded.updated_at`);
}
