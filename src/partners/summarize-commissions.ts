import { and, asc, eq, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { read } from '../db/client.ts';
import { commissions } from '../db/schema/money.ts';
import { invalid } from '../domain/rejection.ts';
import type { CommissionStatus } from '../domain/reversal.ts';
import { type CommissionFilter, conditionsOf, rangeConditionsOf } from './commission-filter.ts';

/** The most commissions of a range that are added up. */
const SUMMARY_LIMIT = 500_000;

/** The commissions of one state in one currency, minor units. */
export interface CommissionSum {
	readonly status: CommissionStatus;
	readonly currency: string;
	readonly count: number;
	readonly amountCents: number;
	readonly deductedCents: number;
}

/** How many commissions there are and what they come to, per state and currency. One trip, which reads each of the range. */
export async function summarizeCommissions(
	ctx: Context,
	program: { readonly id: number },
	filter: CommissionFilter,
	limit = SUMMARY_LIMIT,
): Promise<CommissionSum[]> {
	const ofRange = and(eq(commissions.programId, program.id), ...rangeConditionsOf(filter));
	// Named as their table, for the conditions.
	const added = ctx.db.select().from(commissions).where(ofRange).limit(limit).as('commissions');
	const { first, sums } = await read(ctx.db, {
		first: ctx.db.select({ count: sql<number>`count(*)` }).from(
			ctx.db
				.select({ id: commissions.id })
				.from(commissions)
				.where(ofRange)
				.limit(limit + 1)
				.as('first'),
		),
		sums: ctx.db
			.select({
				status: added.status,
				currency: added.currency,
				count: sql<number>`count(*)`,
				amountCents: sql<number>`sum(${added.amountCents})`,
				deductedCents: sql<number>`sum(${added.deductedCents})`,
			})
			.from(added)
			.where(and(...conditionsOf(program.id, filter)))
			.groupBy(added.status, added.currency)
			.orderBy(asc(added.status), asc(added.currency)),
	});
	if ((first[0]?.count ?? 0) > limit) throw invalid(`More than ${limit} commissions are of that range: narrow it down with from and to`);
	return sums;
}
