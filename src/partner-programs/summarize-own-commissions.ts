import { and, asc, eq, sql } from 'drizzle-orm';
import type { PartnerMembership } from '../accounts/partner-membership.ts';
import type { Context } from '../context.ts';
import { commissions } from '../db/schema/money.ts';
import type { CommissionSum } from '../partners/summarize-commissions.ts';
import { conditionsOf, type OwnCommissionFilter } from './own-commission.ts';

/** How many commissions the partner has and what they come to, per state and currency. One trip, which reads each of them. */
export async function summarizeOwnCommissions(
	ctx: Context,
	{ id }: PartnerMembership,
	filter: OwnCommissionFilter,
): Promise<CommissionSum[]> {
	return ctx.db
		.select({
			status: commissions.status,
			currency: commissions.currency,
			count: sql<number>`count(*)`,
			amountCents: sql<number>`sum(${commissions.amountCents})`,
			deductedCents: sql<number>`sum(${commissions.deductedCents})`,
		})
		.from(commissions)
		.where(and(eq(commissions.partnerProgramId, id), ...conditionsOf(filter)))
		.groupBy(commissions.status, commissions.currency)
		.orderBy(asc(commissions.status), asc(commissions.currency));
}
