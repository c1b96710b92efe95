import { sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import type { Statement } from '../db/client.ts';
import type { OutboxRow } from '../tracking/outbox.ts';

// In-app messages, written from the rows that caused them. One per outbox row and reader.

export function notifyOfCommission(ctx: Context, row: OutboxRow): Statement {
	return ctx.db.run(sql`
		INSERT INTO notifications (partner_id, program_id, kind, detail, outbox_id, created_at)
		SELECT pp.partner_id, c.program_id, 'commission_created',
			json_object('commission_id', c.id, 'sale_id', c.sale_id, 'amount_cents', c.amount_cents, 'currency', c.currency, 'status', c.status),
			${row.id}, ${ctx.now}
		FROM commissions c JOIN partner_programs pp ON pp.id = c.partner_program_id
		WHERE c.id = ${row.subjectId}`);
}

/** To the partner, where the refund reversed a commission (contract, section 3, side effect 2), or no longer does. */
export function notifyOfRefund(ctx: Context, row: OutboxRow): Statement {
	return ctx.db.run(sql`
		INSERT INTO notifications (partner_id, program_id, kind, detail, outbox_id, created_at)
		SELECT pp.partner_id, c.program_id, iif(r.outcome = 'reinstated', 'commission_reinstated', 'commission_reversed'),
			json_object('commission_id', c.id, 'sale_id', c.sale_id, 'deduction_cents', r.deduction_cents, 'currency', c.currency, 'status', r.outcome, 'reason', r.reason),
			${row.id}, ${ctx.now}
		FROM refund_events r JOIN commissions c ON c.sale_id = r.sale_id JOIN partner_programs pp ON pp.id = c.partner_program_id
		WHERE r.id = ${row.subjectId} AND r.deduction_cents IS NOT NULL`);
}

/**
 * To every owner and admin, where the commission had been paid out before the refund (contract, section 3, side effect 3):
 * as the ledger tells it, for the clocks of two requests say little about which was first.
 */
export function warnAdvertiser(ctx: Context, row: OutboxRow): Statement {
	return ctx.db.run(sql`
		INSERT INTO notifications (user_id, program_id, kind, detail, outbox_id, created_at)
		SELECT m.user_id, c.program_id, 'manual_review',
			json_object('commission_id', c.id, 'sale_id', c.sale_id, 'payout_id', c.payout_id, 'deduction_cents', r.deduction_cents, 'currency', c.currency, 'reason', r.reason),
			${row.id}, ${ctx.now}
		FROM refund_events r
		JOIN commissions c ON c.sale_id = r.sale_id
		JOIN programs p ON p.id = c.program_id
		JOIN members m ON m.workspace_id = p.workspace_id AND m.deactivated_at IS NULL AND m.role IN ('owner', 'admin')
		JOIN ledger_entries reversal ON reversal.commission_id = c.id AND reversal.kind = 'reversal' AND reversal.operation = r.op_id
		JOIN ledger_entries payout ON payout.commission_id = c.id AND payout.kind = 'payout' AND payout.id < reversal.id
		WHERE r.id = ${row.subjectId}`);
}

export function notifyOfRejection(ctx: Context, row: OutboxRow): Statement {
	return ctx.db.run(sql`
		INSERT INTO notifications (partner_id, program_id, kind, detail, outbox_id, created_at)
		SELECT pp.partner_id, c.program_id, 'commission_rejected',
			json_object('commission_id', c.id, 'sale_id', c.sale_id, 'amount_cents', c.amount_cents, 'currency', c.currency, 'reason', c.rejection_reason),
			${row.id}, ${ctx.now}
		FROM commissions c JOIN partner_programs pp ON pp.id = c.partner_program_id
		WHERE c.id = ${row.subjectId}`);
}

export function notifyOfPayout(ctx: Context, row: OutboxRow): Statement {
	return ctx.db.run(sql`
		INSERT INTO notifications (partner_id, program_id, kind, detail, outbox_id, created_at)
		SELECT pp.partner_id, p.program_id, 'payout_made',
			json_object('payout_id', p.id, 'amount_cents', p.amount_cents, 'recovered_cents', p.recovered_cents, 'currency', p.currency),
			${row.id}, ${ctx.now}
		FROM payouts p JOIN partner_programs pp ON pp.id = p.partner_program_id
		WHERE p.id = ${row.subjectId}`);
}
