import { sql } from 'drizzle-orm';
import { type Placeholders, prepare } from '../db/prepare.ts';
import { type SaleName, saleIdOf } from './sale-id.ts';

// Entries are computed from the rows at that point in the batch, so the chain of balances holds whatever was committed after the read.

interface Moved {
	readonly saleId: number;
	readonly deductionCents: number;
	readonly opId: string;
}

/**
 * The amount that clamps on the account of commission `c` have forgiven, less what reinstatements have withheld. Must match the index
 * ledger_entries_clamped.
 */
const FORGIVEN = sql`coalesce((
	SELECT sum(applied_cents - nominal_cents) FROM ledger_entries
	WHERE partner_program_id = c.partner_program_id AND currency = c.currency
		AND kind IN ('reversal', 'reinstatement') AND applied_cents <> nominal_cents
), 0)`;

/** Credits the commission that the same batch inserted. */
export const creditCommission = prepare(({ db, now }, { opId, ...sale }: Placeholders<SaleName & { opId: string }>) =>
	db.run(sql`
		INSERT INTO ledger_entries (partner_program_id, currency, kind, commission_id, nominal_cents, applied_cents, balance_after_cents, operation, created_at)
		SELECT c.partner_program_id, c.currency, 'credit', c.id, c.amount_cents, c.amount_cents,
			coalesce(b.balance_cents, 0) + c.amount_cents, ${opId}, ${now}
		FROM commissions c
		LEFT JOIN partner_program_balances b ON b.partner_program_id = c.partner_program_id AND b.currency = c.currency
		WHERE c.sale_id = ${saleIdOf(sale, false)}`),
);

/**
 * Deducts a refund of `deductionCents`. An unpaid commission loses at most the balance, so the balance never goes below zero and no debt is
 * forgiven. A paid one loses everything (contract, section 3, side effect 1; decision 15).
 */
export const deductFromCommission = prepare(({ db, now }, { saleId, deductionCents, opId }: Placeholders<Moved>) =>
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
 * Reinstates `reinstatedCents`, less what clamps on the account have forgiven and reinstatements have not yet withheld, so that nobody is
 * paid more than they earned (decision 51).
 */
export const reinstateCommission = prepare(({ db, now }, { saleId, reinstatedCents, opId }: Placeholders<Reinstated>) =>
	db.run(sql`
		INSERT INTO ledger_entries (partner_program_id, currency, kind, commission_id, nominal_cents, applied_cents, balance_after_cents, operation, created_at)
		SELECT partner_program_id, currency, 'reinstatement', id, ${reinstatedCents}, applied, balance + applied, ${opId}, ${now}
		FROM (
			SELECT c.id, c.partner_program_id, c.currency, coalesce(b.balance_cents, 0) AS balance,
				${reinstatedCents} - min(${reinstatedCents}, ${FORGIVEN}) AS applied
			FROM commissions c
			LEFT JOIN partner_program_balances b ON b.partner_program_id = c.partner_program_id AND b.currency = c.currency
			WHERE c.sale_id = ${saleId}
		)`),
);

interface Reinstated {
	readonly saleId: number;
	readonly reinstatedCents: number;
	readonly opId: string;
}
