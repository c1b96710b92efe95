import type { Sandbox } from './sandbox.ts';

export interface Books {
	/** Sales that count, such as `10000 USD, 2500 refunded, refunded 500 of 2000`. */
	readonly sales: readonly string[];
	readonly balance: number;
	/** Cents. */
	readonly netRevenue: number;
	readonly netCommission: number;
	readonly events: readonly string[];
	readonly letters: number;
}

export function booksOf(sandbox: Sandbox): Books {
	const sales = sandbox.rows(
		`SELECT s.amount_cents || ' ' || s.currency || ', ' || s.refunded_cents || ' refunded, '
			|| coalesce(c.status || ' ' || c.deducted_cents || ' of ' || c.amount_cents, s.no_commission_reason) AS sale
		FROM affiliate_sale_events s LEFT JOIN commissions c ON c.sale_id = s.id
		WHERE s.duplicate_of_sale_id IS NULL AND s.is_test = 0 ORDER BY sale`,
	);
	const balances = sandbox.rows('SELECT balance_cents AS balance FROM partner_program_balances');
	const events = sandbox.rows('SELECT DISTINCT state FROM processor_events ORDER BY state');
	return {
		sales: sales.map(({ sale }) => String(sale)),
		balance: balances.reduce((sum, { balance }) => sum + Number(balance), 0),
		...netOf(sandbox),
		events: events.map(({ state }) => String(state)),
		letters: sandbox.rows('SELECT id FROM dead_letters').length,
	};
}

/** The net figures of reports, from the daily rows and the waiting metric deltas. */
function netOf(sandbox: Sandbox): Pick<Books, 'netRevenue' | 'netCommission'> {
	const [net] = sandbox.rows(
		`SELECT sum(revenue) AS revenue, sum(commission) AS commission FROM (
			SELECT revenue_cents - refunded_cents AS revenue, commission_cents - deducted_cents AS commission FROM daily_performance
			UNION ALL SELECT ${moved('revenueCents')} - ${moved('refundedCents')}, ${moved('commissionCents')} - ${moved('deductedCents')}
			FROM outbox, json_each(outbox.moves) WHERE value ->> 'onlyValues' IS NULL
		)`,
	);
	return { netRevenue: Number(net?.['revenue']), netCommission: Number(net?.['commission']) };
}

function moved(figure: string): string {
	return `coalesce(value ->> '${figure}', 0)`;
}

/** '' if no ledger invariant is violated. */
export function unsoundnessOf(sandbox: Sandbox): string {
	const unsound = sandbox.rows(
		`SELECT 'commission ' || c.id || ' deducted ' || c.deducted_cents AS what FROM commissions c
		WHERE c.deducted_cents <> coalesce((
			SELECT -sum(nominal_cents) FROM ledger_entries WHERE commission_id = c.id AND kind IN ('reversal', 'reinstatement')), 0)
			OR 1 <> (SELECT count(*) FROM ledger_entries WHERE commission_id = c.id AND kind = 'credit')
		UNION ALL
		SELECT 'balance ' || b.balance_cents FROM partner_program_balances b WHERE b.balance_cents <> (
			SELECT sum(applied_cents) FROM ledger_entries e WHERE e.partner_program_id = b.partner_program_id AND e.currency = b.currency)
		UNION ALL
		SELECT 'sale ' || s.id || ' refunded ' || s.refunded_cents FROM affiliate_sale_events s WHERE s.is_test = 0 AND s.refunded_cents <> coalesce((
			SELECT sum(iif(outcome = 'reinstated', -1, 1) * amount_cents) FROM refund_events WHERE sale_id = s.id), 0)`,
	);
	return unsound.map(({ what }) => String(what)).join();
}
