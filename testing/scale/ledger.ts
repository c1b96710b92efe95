import { DAY_MS } from '../../src/domain/calendar.ts';
import type { Plan } from './size.ts';

// The ledger follows from commissions and payouts, and balances from the ledger.

const MOVES = 'scale_moves';
const COLUMNS = 'at, partner_program_id, currency, kind, commission_id, payout_id, cents, operation';

export function fillLedger({ now }: Plan): string[] {
	const soon = (days: number) => `min(c.created_at + ${days * DAY_MS}, ${now - 1_000})`;
	const ofCommission = (at: string, kind: string, cents: string, operation: string) =>
		`INSERT INTO ${MOVES} (${COLUMNS}) SELECT ${at}, c.partner_program_id, c.currency, '${kind}', c.id, ${kind === 'payout' ? 'c.payout_id' : 'NULL'}, ${cents}, ${operation} FROM commissions c`;
	return [
		`CREATE TABLE ${MOVES} (at INTEGER, partner_program_id INTEGER, currency TEXT, kind TEXT, commission_id INTEGER, payout_id INTEGER, cents INTEGER, operation TEXT)`,
		ofCommission('c.created_at', 'credit', 'c.amount_cents', `'fill-sale-' || c.sale_id`),
		`${ofCommission(soon(2), 'reversal', '-c.deducted_cents', `'fill-refund-' || c.sale_id`)} WHERE c.deducted_cents > 0`,
		`${ofCommission(soon(5), 'rejection', '-c.amount_cents', `'fill-rejection-' || c.sale_id`)} WHERE c.status = 'rejected'`,
		`${ofCommission('p.created_at', 'payout', '-c.amount_cents', 'p.op_id')} JOIN payouts p ON p.id = c.payout_id`,
		`INSERT INTO ${MOVES} (${COLUMNS}) SELECT failed_at, partner_program_id, currency, 'return', NULL, id, amount_cents, 'fill-return-' || id FROM payouts WHERE failed_at IS NOT NULL`,
		`INSERT INTO ledger_entries (id, partner_program_id, currency, kind, commission_id, payout_id, nominal_cents, applied_cents, balance_after_cents, operation, created_at)
			SELECT row_number() OVER (ORDER BY at, rowid), partner_program_id, currency, kind, commission_id, payout_id, cents, cents,
				sum(cents) OVER (PARTITION BY partner_program_id, currency ORDER BY at, rowid ROWS UNBOUNDED PRECEDING), operation, at
			FROM ${MOVES}`,
		`INSERT INTO partner_program_balances (partner_program_id, currency, balance_cents, last_entry_id)
			SELECT partner_program_id, currency, sum(applied_cents), max(id) FROM ledger_entries GROUP BY partner_program_id, currency`,
		`DROP TABLE ${MOVES}`,
	];
}
