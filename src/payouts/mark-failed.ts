import { sql } from 'drizzle-orm';
import type { ManagedProgram } from '../accounts/membership.ts';
import type { Context } from '../context.ts';
import type { Statement } from '../db/client.ts';
import { whyNotFailed } from '../domain/payouts/payout-state.ts';
import { markPayouts } from './mark-payouts.ts';
import type { Payout } from './payout.ts';

/**
 * Marks a payout as failed for good. Its commissions stay paid, and its amount becomes a surplus that the next payout pays (decision 19b).
 * Rejects like `markPayouts`.
 */
export async function markFailed(ctx: Context, program: ManagedProgram, payoutId: number, reason: string): Promise<Payout[]> {
	return markPayouts(ctx, program, [payoutId], {
		kind: 'payout_failed',
		action: 'payout.fail',
		whyNot: whyNotFailed,
		statements: (_, operation) => [
			ctx.db.run(sql`UPDATE payouts SET failed_at = ${ctx.now}, failure_reason = ${reason} WHERE id = ${payoutId}`),
			giveBack(ctx, payoutId, operation),
		],
	});
}

function giveBack(ctx: Context, payoutId: number, operation: string): Statement {
	return ctx.db.run(sql`
		INSERT INTO ledger_entries
			(partner_program_id, currency, kind, payout_id, nominal_cents, applied_cents, balance_after_cents, operation, created_at)
		SELECT p.partner_program_id, p.currency, 'return', p.id, p.amount_cents, p.amount_cents,
			b.balance_cents + p.amount_cents, ${operation}, ${ctx.now}
		FROM payouts p
		JOIN partner_program_balances b ON b.partner_program_id = p.partner_program_id AND b.currency = p.currency
		WHERE p.id = ${payoutId}`);
}
