import { sql } from 'drizzle-orm';
import { auditProgram } from '../accounts/audit.ts';
import type { ManagedProgram } from '../accounts/membership.ts';
import type { Context } from '../context.ts';
import { retryOnConflict, type Statement, write } from '../db/client.ts';
import { commissions } from '../db/schema/money.ts';
import { type MetricDelta, deltasOfRejection } from '../domain/reporting/metric-deltas.ts';
import { whyNotRejectable } from '../domain/payouts/payout.ts';
import { insertOutboxRow, sendEffects } from '../outbox/outbox.ts';
import type { DecidedCommission } from './approve-commissions.ts';
import { isCommitted, revisionsOf } from './selected-commissions.ts';
import { type Choice, choiceInAudit, type DatedCommission, type Decision, readToDecide } from './commissions-to-decide.ts';

export const REJECTION: Decision = {
	made: 'rejected',
	whyNot: whyNotRejectable,
	isPossible: sql`(${commissions.status} <> 'refunded' OR ${commissions.amountCents} > ${commissions.deductedCents})`,
};

/**
 * Rejects pending and approved commissions and the rest of partly refunded ones, all or none, and deducts all of it whatever the balance
 * (decision 19a). Rejects with 404 for an unknown id, and with 409 if a commission is in another state or the filter matches an unexpected
 * number.
 */
export async function rejectCommissions(
	ctx: Context,
	program: ManagedProgram,
	choice: Choice,
	reason: string | undefined,
): Promise<DecidedCommission[]> {
	const operation = crypto.randomUUID();
	let decided: readonly number[] = [];
	await retryOnConflict(async (attempt) => {
		if (attempt > 1 && (await isCommitted(ctx, program.workspaceId, operation))) return;
		const { ids, selected } = await readToDecide(ctx, program.id, choice, REJECTION);
		decided = ids;
		await write(ctx.db, [
			...rejectionOf(ctx, operation, selected, reason),
			// Omits the reason, which may name a customer, because audit entries are never erased.
			auditProgram(ctx, program, {
				action: 'commission.reject',
				detail: { operation, commission_ids: ids, ...choiceInAudit(choice) },
			}),
		]);
	});
	sendEffects(
		ctx,
		decided.map((id) => [program.id, `${operation}:${id}`]),
	);
	return decided.map((id) => ({ id, status: 'rejected' }));
}

/** Rejects commissions that have not changed since the read, and deducts the rest of them. Notifies partners and backends afterwards. */
export function rejectionOf(
	ctx: Context,
	operation: string,
	selected: readonly DatedCommission[],
	reason: string | undefined,
): Statement[] {
	return [
		reject(ctx, revisionsOf(selected), reason ?? null),
		takeBack(
			ctx,
			operation,
			selected.map(({ id }) => id),
		),
		insertRejectionOutbox(
			ctx,
			// Duplicates are never selected: no total includes them, so there is nothing left to reject.
			selected.map((commission) => ({
				id: `${operation}:${commission.id}`,
				commissionId: commission.id,
				moves: deltasOfRejection(commission.currency, commission),
			})),
		),
	];
}

function reject(ctx: Context, revisions: string, reason: string | null): Statement {
	return ctx.db.run(sql`
		UPDATE commissions SET status = 'rejected', status_before_refund = NULL, rejection_reason = ${reason}, revision = selected.value ->> 1 + 1
		FROM json_each(${revisions}) AS selected WHERE commissions.id = selected.value ->> 0`);
}

/** One entry per commission. `due` is the account's running sum of remainders, including this one. */
function takeBack(ctx: Context, operation: string, ids: readonly number[]): Statement {
	return ctx.db.run(sql`
		INSERT INTO ledger_entries
			(partner_program_id, currency, kind, commission_id, nominal_cents, applied_cents, balance_after_cents, operation, created_at)
		SELECT partner_program_id, currency, 'rejection', id, -rest, -rest, balance - due, ${operation}, ${ctx.now}
		FROM (
			SELECT c.id, c.partner_program_id, c.currency, c.amount_cents - c.deducted_cents AS rest,
				sum(c.amount_cents - c.deducted_cents) OVER (PARTITION BY c.partner_program_id, c.currency ORDER BY c.id) AS due,
				coalesce(b.balance_cents, 0) AS balance
			FROM commissions c
			LEFT JOIN partner_program_balances b ON b.partner_program_id = c.partner_program_id AND b.currency = c.currency
			WHERE c.id IN (SELECT value FROM json_each(${JSON.stringify(ids)}))
		) ORDER BY id`);
}

/** One row per commission. */
function insertRejectionOutbox(
	{ db, now }: Context,
	rows: readonly { readonly id: string; readonly commissionId: number; readonly moves: readonly MetricDelta[] }[],
): Statement {
	const selected = JSON.stringify(rows.map(({ id, commissionId, moves }) => [id, commissionId, moves]));
	const row = {
		id: sql<string>`selected.value ->> 0`,
		kind: sql`'commission_rejected'`,
		subjectId: sql`m.id`,
		moves: sql<string>`selected.value -> 2`,
		now,
	};
	return db.run(
		insertOutboxRow({
			...row,
			from: sql`json_each(${selected}) AS selected JOIN commissions m ON m.id = selected.value ->> 1 JOIN affiliate_sale_events s ON s.id = m.sale_id`,
		}),
	);
}
