import { count, eq } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { partnerApplications } from '../db/schema/applications.ts';
import type { Application } from './application.ts';

/** How many applications wait, were approved and were declined. Reads each of the program. */
export async function countApplications(ctx: Context, program: { readonly id: number }): Promise<Record<Application['status'], number>> {
	const counts = await ctx.db
		.select({ status: partnerApplications.status, count: count() })
		.from(partnerApplications)
		.where(eq(partnerApplications.programId, program.id))
		.groupBy(partnerApplications.status);
	const of = (wanted: Application['status']) => counts.find(({ status }) => status === wanted)?.count ?? 0;
	return { open: of('open'), approved: of('approved'), declined: of('declined') };
}
