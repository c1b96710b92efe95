import { sql } from 'drizzle-orm';
import { type Context, describeFault } from '../context.ts';
import type { Rejection, RejectionCode } from '../domain/rejection.ts';

/**
 * Notes the last sale of a program that was refused, for its status, where the integration has to correct something.
 * Best-effort and beside the answer, which neither waits for it nor depends on it.
 */
export function noteRefusedSale(ctx: Context, keyHash: string, transactionId: unknown, refusal: Rejection): void {
	if (!isOfTheIntegration(refusal)) return;
	const named = typeof transactionId === 'string' && transactionId.length <= 255 ? transactionId.toWellFormed() || null : null;
	ctx.defer(
		upsertRefusal(ctx, keyHash, named, refusal.message).catch((error: unknown) =>
			ctx.log({ level: 'warn', event: 'refusal_not_noted', ...describeFault(error) }),
		),
	);
}

/** Who reports every sale also reports those that no partner brought. */
const BROUGHT_BY_NOBODY: ReadonlySet<RejectionCode> = new Set(['customer_unattributed', 'paid_before_click', 'subscribed_before_click']);

/** And most 409s say that the sale is recorded. */
function isOfTheIntegration({ status, code }: Rejection): boolean {
	return (status === 400 && !BROUGHT_BY_NOBODY.has(code)) || code === 'transaction_recorded_elsewhere';
}

async function upsertRefusal(ctx: Context, keyHash: string, transactionId: string | null, reason: string): Promise<void> {
	await ctx.db.run(sql`
		INSERT INTO refused_sales (program_id, refused_at, transaction_id, reason)
		SELECT program_id, ${ctx.now}, ${transactionId}, ${reason} FROM program_keys WHERE token_hash = ${keyHash}
		ON CONFLICT (program_id) DO UPDATE
		SET refused_at = excluded.refused_at, transaction_id = excluded.transaction_id, reason = excluded.reason
		WHERE excluded.refused_at >= refused_at`);
}
