import { sql } from 'drizzle-orm';
import { type Given, prepare } from '../db/prepare.ts';
import { waitingOf, withWaiting } from './waiting-rows.ts';

// In-app messages, written from the rows that caused them. One per outbox row and reader.

const OF_COMMISSIONS = sql`
	SELECT pp.partner_id, NULL AS user_id, c.program_id, w.kind,
		iif(w.kind = 'commission_created',
			json_object('commission_id', c.id, 'sale_id', c.sale_id, 'amount_cents', c.amount_cents, 'currency', c.currency, 'status', c.status),
			json_object('commission_id', c.id, 'sale_id', c.sale_id, 'amount_cents', c.amount_cents - c.deducted_cents, 'currency', c.currency, 'reason', c.rejection_reason)
		) AS detail,
		w.id AS outbox_id
	FROM ${waitingOf('commission_created', 'commission_rejected')}
	CROSS JOIN commissions c ON c.id = w.subject_id
	JOIN partner_programs pp ON pp.id = c.partner_program_id`;

/** To the partner, where the refund reversed a commission (contract, section 3, side effect 2), or no longer does. */
const OF_REFUNDS = sql`
	SELECT pp.partner_id, NULL, c.program_id, iif(r.outcome = 'reinstated', 'commission_reinstated', 'commission_reversed'),
		json_object('commission_id', c.id, 'sale_id', c.sale_id, 'deduction_cents', r.deduction_cents, 'currency', c.currency, 'status', r.outcome, 'reason', r.reason),
		w.id
	FROM ${waitingOf('sale_refunded')}
	CROSS JOIN refund_events r ON r.id = w.subject_id AND r.deduction_cents IS NOT NULL
	JOIN commissions c ON c.sale_id = r.sale_id
	JOIN partner_programs pp ON pp.id = c.partner_program_id`;

/**
 * To every owner and admin, where the commission had been paid out before the refund (contract, section 3, side effect 3):
 * as the ledger tells it, for the clocks of two requests say little about which was first.
 */
const WARNINGS = sql`
	SELECT NULL, m.user_id, c.program_id, 'manual_review',
		json_object('commission_id', c.id, 'sale_id', c.sale_id, 'payout_id', c.payout_id, 'deduction_cents', r.deduction_cents, 'currency', c.currency, 'reason', r.reason),
		w.id
	FROM ${waitingOf('sale_refunded')}
	CROSS JOIN refund_events r ON r.id = w.subject_id
	CROSS JOIN commissions c ON c.sale_id = r.sale_id
	CROSS JOIN ledger_entries payout ON payout.commission_id = c.id AND payout.kind = 'payout'
	CROSS JOIN ledger_entries reversal ON reversal.commission_id = c.id AND reversal.kind = 'reversal' AND reversal.operation = r.op_id
		AND payout.id < reversal.id
	CROSS JOIN programs p ON p.id = c.program_id
	CROSS JOIN members m ON m.workspace_id = p.workspace_id AND m.deactivated_at IS NULL AND m.role IN ('owner', 'admin')`;

const OF_PAYOUTS = sql`
	SELECT pp.partner_id, NULL, p.program_id, 'payout_made',
		json_object('payout_id', p.id, 'amount_cents', p.amount_cents, 'recovered_cents', p.recovered_cents, 'surplus_cents', p.surplus_cents, 'currency', p.currency),
		w.id
	FROM ${waitingOf('payout_made')}
	CROSS JOIN payouts p ON p.id = w.subject_id
	JOIN partner_programs pp ON pp.id = p.partner_program_id`;

/** Writes what the waiting rows of a list of keys (JSON) have to tell: row by row, of one row to the partner before the members. */
export const notify = prepare(({ db, now }, { keys }: Given<{ keys: string }>) =>
	db.run(sql`
		INSERT INTO notifications (partner_id, user_id, program_id, kind, detail, outbox_id, created_at)
		${withWaiting(keys)}
		SELECT partner_id, user_id, program_id, kind, detail, outbox_id, ${now}
		FROM (${OF_COMMISSIONS} UNION ALL ${OF_REFUNDS} UNION ALL ${WARNINGS} UNION ALL ${OF_PAYOUTS})
		ORDER BY outbox_id, user_id`),
);
