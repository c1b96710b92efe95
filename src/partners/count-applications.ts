import { desc, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { partnerApplications } from '../db/schema/applications.ts';
import type { Application } from './application.ts';

/** Of the newest so many those that were decided are counted: whoever was approved is a partner, and was counted as one. */
const LOOKED_THROUGH = 10_000;

/** How many applications wait, of which a program has a thousand at most, and how many of the newest were approved and declined. */
export async function countApplications(ctx: Context, program: { readonly id: number }): Promise<Record<Application['status'], number>> {
	const ofProgram = sql`${partnerApplications.programId} = ${program.id}`;
	const newest = ctx.db
		.select({ status: partnerApplications.status })
		.from(partnerApplications)
		.where(ofProgram)
		.orderBy(desc(partnerApplications.id))
		.limit(LOOKED_THROUGH)
		.as('newest');
	const of = (status: Application['status']) => sql<number>`coalesce(sum(${newest.status} = ${status}), 0)`;
	const open = sql<number>`(SELECT count(*) FROM ${partnerApplications} WHERE ${ofProgram} AND ${partnerApplications.status} = 'open')`;
	const [counts] = await ctx.db.select({ open, approved: of('approved'), declined: of('declined') }).from(newest);
	return counts ?? { open: 0, approved: 0, declined: 0 };
}
