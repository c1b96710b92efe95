import { sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import type { Statement } from '../db/client.ts';
import { type Given, prepare } from '../db/prepare.ts';
import { type SaleName, saleIdOf } from './sale-id.ts';

// Ledger entries are written from the rows as they are at that moment of the batch, so that the chain of balances holds
// whatever else was committed since the request read.

interface Moved {
	readonly saleId: number;
	readonly deductionCents: number;
	readonly opId: string;
}

/** The credit of the commission that the same batch inserted for the sale that has this transaction_id. */
export const creditCommission = prepare(({ db, now }, { opId, ...sale }: Given<SaleName & { opId: string }>) =>
	db.run(sql`
		INSERT INTO ledger_entries (partner_program_id, currency, kind, commission_id, nominal_cents, applied_cents, balance_after_cents, operation, created_at)
		SELECT c.partner_program_id, c.currency, 'credit', c.id, c.amount_cents, c.amount_cents,
			coalesce(b.balance_cents, 0) + c.amount_cents, ${opId}, ${now}
		FROM commissions c
		LEFT JOIN partner_program_balances b ON b.partner_program_id = c.partner_program_id AND b.currency = c.currency
		WHERE c.sale_id = ${saleIdOf(sale, false)}`),
);

/**
 * The deduction of a refund, nominally `deductionCents`. Of an unpaid commission it takes at most what the balance holds,
 * so that it never leads below zero and never forgives a debt; of a paid one it takes all (contract, section 3, side effect 1;
 * decision 15).
 */
export const deductFromCommission = prepare(({ db, now }, { saleId, deductionCents, opId }: Given<Moved>) =>
	db.run(sql`
		INSERT INTO ledger_entries (partner_program_id, currency, kind, commission_id, nominal_cents, applied_cents, balance_after_cents, operation, created_at)
		SELECT partner_program_id, currency, 'reversal', id, -${deductionCents}, applied, balance + applied, ${opId}, ${now}
		FROM (
			SELECT c.id, c.partner_program_id, c.currency, coalesce(b.balance_cents, 0) AS balance,
				CASE WHEN c.paid_at IS NULL THEN -min(${deductionCents}, max(coalesce(b.balance_cents, 0), 0)) ELSE -${deductionCents} END AS applied
			FROM commissions c
			LEFT JOIN partner_program_balances b ON b.partner_program_id = c.partner_program_id AND b.currency = c.currency
			WHERE c.sale_id = ${saleId}
		)`),
);

/**
 * Gives back a deduction that no longer stands, nominally `reinstatedCents`: of what refunds really took of the commission, all
 * that goes beyond what the commission now says is deducted. So it never gives more than was taken, whatever was clamped.
 */
export function reinstateCommission(ctx: Context, saleId: number, reinstatedCents: number, opId: string): Statement {
	return ctx.db.run(sql`
		INSERT INTO ledger_entries (partner_program_id, currency, kind, commission_id, nominal_cents, applied_cents, balance_after_cents, operation, created_at)
		SELECT partner_program_id, currency, 'reinstatement', id, ${reinstatedCents}, applied, balance + applied, ${opId}, ${ctx.now}
		FROM (
			SELECT c.id, c.partner_program_id, c.currency, coalesce(b.balance_cents, 0) AS balance,
				max(0, coalesce((
					SELECT -sum(applied_cents) FROM ledger_entries WHERE commission_id = c.id AND kind IN ('reversal', 'reinstatement')
				), 0) - c.deducted_cents) AS applied
			FROM commissions c
			LEFT JOIN partner_program_balances b ON b.partner_program_id = c.partner_program_id AND b.currency = c.currency
			WHERE c.sale_id = ${saleId}
		)`);
}
