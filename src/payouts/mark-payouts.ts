import { sql } from 'drizzle-orm';
import { auditProgram } from '../accounts/audit.ts';
import type { ManagedProgram } from '../accounts/membership.ts';
import type { Context } from '../context.ts';
import { retryOnConflict, isRaced, refusedWith, type Statement, write } from '../db/client.ts';
import { requireEach } from '../domain/payouts/payout.ts';
import { sendEffects } from '../outbox/outbox.ts';
import { isCommitted } from '../commissions/selected-commissions.ts';
import { type Payout, selectPayouts } from './payout.ts';

/** Decision 19b. */
export interface Marking {
	readonly kind: 'payout_sent' | 'payout_failed';
	readonly action: 'payout.send' | 'payout.fail';
	readonly whyNot: (payout: Payout) => string | undefined;
	readonly statements: (payouts: readonly Payout[], operation: string) => readonly Statement[];
}

/**
 * Marks all payouts or none; the first of two competing requests succeeds. Rejects with 404, and with 409 for a payout in another state.
 */
export async function markPayouts(
	ctx: Context,
	program: ManagedProgram,
	payoutIds: readonly number[],
	marking: Marking,
): Promise<Payout[]> {
	const ids = [...new Set(payoutIds)];
	const operation = crypto.randomUUID();
	const marked = selectPayouts(ctx, program.id, { ids });
	const payouts = await retryOnConflict(async (attempt) => {
		if (attempt > 1 && (await isCommitted(ctx, program.workspaceId, operation))) return marked;
		const found = await marked;
		requireEach('Payout', ids, found, marking.whyNot);
		const answer = await write(
			ctx.db,
			[
				...marking.statements(found, operation),
				insertOutbox(ctx, { ids, operation, kind: marking.kind }),
				auditProgram(ctx, program, { action: marking.action, detail: { operation, payout_ids: ids } }),
			],
			{ payouts: marked },
		);
		return answer.payouts;
	}, isOvertaken);
	sendEffects(
		ctx,
		ids.map((id) => [program.id, `${operation}:${id}`]),
	);
	return payouts;
}

/** Another request marked one of them, or an earlier attempt of this one was committed. */
function isOvertaken(error: unknown): boolean {
	return isRaced(error) || refusedWith(error, 'payouts: this transition is not allowed');
}

function insertOutbox(ctx: Context, marked: { ids: readonly number[]; operation: string; kind: Marking['kind'] }): Statement {
	return ctx.db.run(sql`
		INSERT INTO outbox (program_id, id, kind, subject_id, created_at)
		SELECT program_id, ${`${marked.operation}:`} || id, ${marked.kind}, id, ${ctx.now}
		FROM payouts WHERE id IN (SELECT value FROM json_each(${JSON.stringify(marked.ids)}))`);
}
