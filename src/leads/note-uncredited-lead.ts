import { sql } from 'drizzle-orm';
import { type Context, describeFault } from '../context.ts';
import { UNCREDITED_MS } from '../domain/monitoring/integration-check.ts';

/**
 * Counts a page's lead that arrived too late: the backend has recorded the customer without the click, and pages may not add one. Deferred,
 * so that it does not delay the response.
 */
export function noteUncreditedLead(ctx: Context, programId: number): void {
	ctx.defer(
		countUncredited(ctx, programId).catch((error: unknown) =>
			ctx.log({ level: 'warn', event: 'uncredited_lead_not_noted', programId, ...describeFault(error) }),
		),
	);
}

async function countUncredited(ctx: Context, programId: number): Promise<void> {
	await ctx.db.run(sql`
		INSERT INTO uncredited_leads (program_id, leads, since, last_at) VALUES (${programId}, 1, ${ctx.now}, ${ctx.now})
		ON CONFLICT (program_id) DO UPDATE SET
			leads = iif(excluded.last_at - last_at > ${UNCREDITED_MS}, 0, leads) + 1,
			since = iif(excluded.last_at - last_at > ${UNCREDITED_MS}, excluded.since, since),
			last_at = max(excluded.last_at, last_at)`);
}
