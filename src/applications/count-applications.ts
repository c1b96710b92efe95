import { sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import type { Application } from './application.ts';

const COUNTED = 1_000;

/** Counts up to a thousand of each. */
export async function countApplications(ctx: Context, program: { readonly id: number }): Promise<Record<Application['status'], number>> {
	const of = (status: Application['status']) =>
		sql<number>`(SELECT count(*) FROM (SELECT 1 FROM partner_applications WHERE program_id = ${program.id} AND status = ${status} LIMIT ${COUNTED}))`;
	const [counts] = await ctx.db.select({ open: of('open'), approved: of('approved'), declined: of('declined') }).from(sql`(SELECT 1)`);
	return counts ?? { open: 0, approved: 0, declined: 0 };
}
