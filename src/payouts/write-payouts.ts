import { sql, type SQL } from 'drizzle-orm';
import { deltasOfSums } from '../commission-sums/raise-sums.ts';
import type { Context } from '../context.ts';
import type { Statement } from '../db/client.ts';
import type { Account, Minimum } from '../domain/payouts/payout.ts';
import type { OutboxKey } from '../outbox/outbox.ts';
import { IS_UNPAID } from '../ledger/balances.ts';
import { type SelectedCommission, revisionsOf } from '../commissions/selected-commissions.ts';

export interface PayoutPlan {
	/** The op_id of the request's payouts. */
	readonly operation: string;
	readonly programId: number;
	readonly userId: number;
	readonly runId?: number | undefined;
	readonly selected: readonly SelectedCommission[];
	/** Accounts that are paid only their surplus. */
	readonly surplusAccounts: readonly Account[];
	readonly minimum: Minimum;
}

export function payoutOutboxKey({ programId, operation }: Pick<PayoutPlan, 'programId' | 'operation'>, payoutId: number): OutboxKey {
	return [programId, `${operation}:${payoutId}`];
}

/**
 * The ledger's triggers require this order. Statements compute amounts from rows as the batch finds them; the surplus is computed before
 * commissions are marked as paid.
 */
export function payoutStatements(ctx: Context, plan: PayoutPlan): Statement[] {
	const revisions = revisionsOf(plan.selected);
	return [
		insertPayouts(ctx, plan, revisions),
		deltasOfSums(ctx, sql`(SELECT value ->> 0 FROM json_each(${revisions}))`, "iif(c.status = 'approved', 'paid', c.status)"),
		markPaid(ctx, plan, revisions),
		debitCommissions(ctx, plan),
		settleBeside(ctx, plan),
		insertOutbox(ctx, plan),
	];
}

/**
 * One row per account: the rest of its commissions, plus a surplus or less a debt. The amount is NULL, which fails the batch, if the
 * account changed so that it is below the minimum or zero.
 */
function insertPayouts(ctx: Context, plan: PayoutPlan, revisions: string): Statement {
	return ctx.db.run(sql`
		INSERT INTO payouts
			(program_id, partner_program_id, currency, due_cents, surplus_cents, recovered_cents, amount_cents, created_by, created_at, op_id,
				commission_count, run_id)
		SELECT ${plan.programId}, partner_program_id, currency, rest + max(surplus, 0), max(surplus, 0), min(rest, max(-surplus, 0)),
			CASE WHEN max(rest + surplus, 0) >= ${minimumOfRow(plan)} AND (commissions > 0 OR surplus > 0) THEN max(rest + surplus, 0) END,
			${plan.userId}, ${ctx.now}, ${plan.operation}, commissions, ${plan.runId ?? null}
		FROM (
			SELECT due.*, coalesce(b.balance_cents, 0) - coalesce((
				SELECT sum(c.amount_cents - c.deducted_cents) FROM commissions c
				WHERE c.program_id = ${plan.programId} AND c.partner_program_id = due.partner_program_id AND c.currency = due.currency AND ${IS_UNPAID}
			), 0) AS surplus
			FROM (${selectDue(plan, revisions)}) AS due
			LEFT JOIN partner_program_balances b ON b.partner_program_id = due.partner_program_id AND b.currency = due.currency
		)`);
}

function minimumOfRow({ minimum }: PayoutPlan): SQL {
	return typeof minimum === 'number' ? sql`${minimum}` : sql`iif(currency = ${minimum.currency}, ${minimum.cents}, 0)`;
}

function selectDue({ surplusAccounts }: PayoutPlan, revisions: string): SQL {
	const accounts = JSON.stringify(surplusAccounts.map(({ partnerProgramId, currency }) => [partnerProgramId, currency]));
	return sql`
		SELECT c.partner_program_id, c.currency, sum(c.amount_cents - c.deducted_cents) AS rest, count(*) AS commissions
		FROM json_each(${revisions}) AS selected JOIN commissions c ON c.id = selected.value ->> 0
		GROUP BY c.partner_program_id, c.currency
		UNION ALL SELECT value ->> 0, value ->> 1, 0, 0 FROM json_each(${accounts})`;
}

/** A refunded commission keeps its status when its rest is paid. */
function markPaid(ctx: Context, plan: PayoutPlan, revisions: string): Statement {
	return ctx.db.run(sql`
		UPDATE commissions SET
			status = CASE status WHEN 'approved' THEN 'paid' ELSE status END,
			paid_at = ${ctx.now},
			payout_id = (
				SELECT p.id FROM payouts p
				WHERE p.op_id = ${plan.operation} AND p.partner_program_id = commissions.partner_program_id AND p.currency = commissions.currency
			),
			revision = selected.value ->> 1 + 1
		FROM json_each(${revisions}) AS selected WHERE commissions.id = selected.value ->> 0`);
}

function debitCommissions(ctx: Context, plan: PayoutPlan): Statement {
	return ctx.db.run(sql`
		INSERT INTO ledger_entries
			(partner_program_id, currency, kind, commission_id, payout_id, nominal_cents, applied_cents, balance_after_cents, operation, created_at)
		SELECT partner_program_id, currency, 'payout', id, payout_id, -rest, -rest, balance - due, ${plan.operation}, ${ctx.now}
		FROM (
			SELECT c.id, c.partner_program_id, c.currency, c.payout_id, c.amount_cents - c.deducted_cents AS rest,
				sum(c.amount_cents - c.deducted_cents) OVER (PARTITION BY c.partner_program_id, c.currency ORDER BY c.id) AS due,
				coalesce(b.balance_cents, 0) AS balance
			FROM payouts p
			JOIN commissions c ON c.payout_id = p.id
			LEFT JOIN partner_program_balances b ON b.partner_program_id = p.partner_program_id AND b.currency = p.currency
			WHERE p.op_id = ${plan.operation}
		) ORDER BY id`);
}

/** Recovers a debt or pays a surplus with a separate ledger entry (decision 19a). */
function settleBeside(ctx: Context, plan: PayoutPlan): Statement {
	return ctx.db.run(sql`
		INSERT INTO ledger_entries
			(partner_program_id, currency, kind, payout_id, nominal_cents, applied_cents, balance_after_cents, operation, created_at)
		SELECT p.partner_program_id, p.currency, iif(moved > 0, 'recovery', 'surplus'), p.id, moved, moved,
			b.balance_cents + moved, ${plan.operation}, ${ctx.now}
		FROM (SELECT *, recovered_cents - surplus_cents AS moved FROM payouts WHERE op_id = ${plan.operation}) p
		JOIN partner_program_balances b ON b.partner_program_id = p.partner_program_id AND b.currency = p.currency
		WHERE moved <> 0`);
}

function insertOutbox(ctx: Context, plan: PayoutPlan): Statement {
	return ctx.db.run(sql`
		INSERT INTO outbox (program_id, id, kind, subject_id, created_at)
		SELECT program_id, ${`${plan.operation}:`} || id, 'payout_made', id, ${ctx.now} FROM payouts WHERE op_id = ${plan.operation}`);
}
