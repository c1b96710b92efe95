import { eq, sql } from 'drizzle-orm';
import { auditProgram } from '../accounts/audit.ts';
import type { ManagedProgram } from '../accounts/membership.ts';
import { deltasOfSums } from '../commission-sums/raise-sums.ts';
import type { Context } from '../context.ts';
import { retryOnConflict, type Statement, write } from '../db/client.ts';
import { commissions } from '../db/schema/money.ts';
import { whyNotApprovable } from '../domain/payouts/payout.ts';
import { insertApprovals } from '../outbox/outbox.ts';
import { type SelectedCommission, isCommitted, revisionsOf } from './selected-commissions.ts';
import { type Choice, choiceInAudit, type Decision, readToDecide } from './commissions-to-decide.ts';

export interface DecidedCommission {
	readonly id: number;
	readonly status: 'approved' | 'rejected';
}

export const APPROVAL: Decision = {
	made: 'approved',
	whyNot: whyNotApprovable,
	isPossible: eq(commissions.status, 'pending'),
};

/**
 * Approves pending commissions, even on hold, all or none. Rejects with 404 for an unknown id, and with 409 if a commission is not pending
 * or the filter matches an unexpected number.
 */
export async function approveCommissions(ctx: Context, program: ManagedProgram, choice: Choice): Promise<DecidedCommission[]> {
	const operation = crypto.randomUUID();
	let decided: readonly number[] = [];
	await retryOnConflict(async (attempt) => {
		if (attempt > 1 && (await isCommitted(ctx, program.workspaceId, operation))) return;
		const { ids, selected } = await readToDecide(ctx, program.id, choice, APPROVAL);
		decided = ids;
		await write(ctx.db, [
			...approvalOf(ctx, operation, selected),
			auditProgram(ctx, program, {
				action: 'commission.approve',
				detail: { operation, commission_ids: ids, ...choiceInAudit(choice) },
			}),
		]);
	});
	return decided.map((id) => ({ id, status: 'approved' }));
}

/** Approves commissions that have not changed since the read, and notifies the backends. */
export function approvalOf(ctx: Context, operation: string, selected: readonly SelectedCommission[]): Statement[] {
	const ids = sql`(SELECT value FROM json_each(${JSON.stringify(selected.map(({ id }) => id))}))`;
	return [
		deltasOfSums(ctx, ids, "'approved'"),
		ctx.db.run(sql`
			UPDATE commissions SET status = 'approved', revision = selected.value ->> 1 + 1
			FROM json_each(${revisionsOf(selected)}) AS selected WHERE commissions.id = selected.value ->> 0`),
		insertApprovals(ctx, operation, ids),
	];
}
