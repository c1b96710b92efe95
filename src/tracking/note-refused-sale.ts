import { sql } from 'drizzle-orm';
import { type Context, describeFault } from '../context.ts';

/**
 * Notes the last sale of a program that was refused, for its status. Best-effort and beside the answer, which neither waits
 * for it nor depends on it.
 */
export function noteRefusedSale(
	ctx: Context,
	keyHash: string,
	refusal: { readonly transactionId: unknown; readonly reason: string },
): void {
	const { transactionId, reason } = refusal;
	const named = typeof transactionId === 'string' && transactionId.length <= 255 ? transactionId.toWellFormed() || null : null;
	ctx.defer(
		upsertRefusal(ctx, keyHash, named, reason).catch((error: unknown) =>
			ctx.log({ level: 'warn', event: 'refusal_not_noted', ...describeFault(error) }),
		),
	);
}

async function upsertRefusal(ctx: Context, keyHash: string, transactionId: string | null, reason: string): Promise<void> {
	await ctx.db.run(sql`
		INSERT INTO refused_sales (program_id, refused_at, transaction_id, reason)
		SELECT program_id, ${ctx.now}, ${transactionId}, ${reason} FROM program_keys WHERE token_hash = ${keyHash}
		ON CONFLICT (program_id) DO UPDATE
		SET refused_at = excluded.refused_at, transaction_id = excluded.transaction_id, reason = excluded.reason
		WHERE excluded.refused_at >= refused_at`);
}
