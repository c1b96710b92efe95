import { sql } from 'drizzle-orm';
import { auditProgram } from '../accounts/audit.ts';
import type { ManagedProgram } from '../accounts/membership.ts';
import type { Context } from '../context.ts';
import { decideUntilSettled, type Statement, write } from '../db/client.ts';
import { requireEach, whyNotApprovable } from '../domain/payout.ts';
import { isCommitted, revisionsOf, selectChosen } from './chosen-commissions.ts';

export interface DecidedCommission {
	readonly id: number;
	readonly status: 'approved' | 'rejected';
}

/**
 * Approves pending commissions, also before their hold ends; all or nothing. Rejects with 404 an unknown id, with 409 a
 * commission that is not pending.
 */
export async function approveCommissions(
	ctx: Context,
	program: ManagedProgram,
	commissionIds: readonly number[],
): Promise<DecidedCommission[]> {
	const ids = [...new Set(commissionIds)];
	const operation = crypto.randomUUID();
	await decideUntilSettled(async (attempt) => {
		if (attempt > 1 && (await isCommitted(ctx, program.workspaceId, operation))) return;
		const chosen = await selectChosen(ctx, program.id, ids);
		requireEach('Commission', ids, chosen, whyNotApprovable);
		await write(ctx.db, [
			approve(ctx, revisionsOf(chosen)),
			auditProgram(ctx, program, { action: 'commission.approve', detail: { operation, commission_ids: ids } }),
		]);
	});
	return ids.map((id) => ({ id, status: 'approved' }));
}

function approve(ctx: Context, revisions: string): Statement {
	return ctx.db.run(sql`
		UPDATE commissions SET status = 'approved', revision = chosen.value ->> 1 + 1
		FROM json_each(${revisions}) AS chosen WHERE commissions.id = chosen.value ->> 0`);
}
