import { sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import type { Application } from './application.ts';

/** So many of a state are counted: whoever was approved is a partner, and was counted as one. */
const COUNTED = 1_000;

/** How many applications wait, of which a program has a thousand at most, and how many were approved and declined, up to a thousand. */
export async function countApplications(ctx: Context, program: { readonly id: number }): Promise<Record<Application['status'], number>> {
	const of = (status: Application['status']) =>
		sql<number>`(SELECT count(*) FROM (SELECT 1 FROM partner_applications WHERE program_id = ${program.id} AND status = ${status} LIMIT ${COUNTED}))`;
	const [counts] = await ctx.db.select({ open: of('open'), approved: of('approved'), declined: of('declined') }).from(sql`(SELECT 1)`);
	return counts ?? { open: 0, approved: 0, declined: 0 };
}
