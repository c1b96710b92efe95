import { sql } from 'drizzle-orm';
import type { ManagedProgram } from '../accounts/membership.ts';
import type { Context } from '../context.ts';
import type { DayOrInstantInQuery } from '../domain/moment.ts';
import { sentAtOf, whyNotSent } from '../domain/payouts/payout-state.ts';
import { markPayouts } from './mark-payouts.ts';
import type { Payout } from './payout.ts';

export interface Sending {
	readonly payoutIds: readonly number[];
	/** Given by the bank or payment service. */
	readonly reference: string | undefined;
	/** Default: now. */
	readonly sentAt: DayOrInstantInQuery | undefined;
}

/** Rejects like `markPayouts`, and with 400 for an impossible time. */
export async function markSent(ctx: Context, program: ManagedProgram, { payoutIds, reference, sentAt }: Sending): Promise<Payout[]> {
	return markPayouts(ctx, program, payoutIds, {
		kind: 'payout_sent',
		action: 'payout.send',
		whyNot: whyNotSent,
		statements: (payouts) => {
			const at = sentAt === undefined ? ctx.now : sentAtOf(sentAt, program.timeZone, payouts, ctx.now);
			// A day without a time begins before payouts that were made on it.
			return [
				ctx.db.run(sql`
					UPDATE payouts SET sent_at = max(${at}, created_at), sent_reference = ${reference ?? null}
					WHERE id IN (SELECT value FROM json_each(${JSON.stringify(payouts.map(({ id }) => id))}))`),
			];
		},
	});
}
