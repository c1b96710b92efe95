import { and, eq, type SQL, sql } from 'drizzle-orm';
import { readSums } from '../commission-sums/read-sums.ts';
import type { Context } from '../context.ts';
import { read } from '../db/client.ts';
import { commissions } from '../db/schema/money.ts';
import { type CommissionSum, sumsByState } from '../domain/commissions/commission-sums.ts';
import { invalid } from '../domain/rejection.ts';
import { type CommissionFilter, conditionsOf, rangeConditionsOf } from './commission-filter.ts';
import { searchCommissions } from './search-commissions.ts';

const SEARCH_LIMIT = 500_000;

interface SummedProgram {
	readonly id: number;
	readonly timeZone: string;
}

/** Count and sum per state and currency. One round trip, or two with a search. Rejects with 400 if a search would read too many. */
export async function summarizeCommissions(
	ctx: Context,
	program: SummedProgram,
	{ search: text, ...filter }: CommissionFilter,
	limit = SEARCH_LIMIT,
): Promise<CommissionSum[]> {
	const search = text === undefined ? undefined : await searchCommissions(ctx, program.id, text);
	if (search?.kind === 'any') return searchSums(ctx, program, { ...filter, isFound: search.isFound, limit });
	const { partnerId, payoutId, ...range } = filter;
	const isByKey = payoutId !== undefined || search?.kind === 'commissions' || (search && partnerId !== undefined);
	if (isByKey) return sumsByState(await selectSums(ctx, program, filter, search?.isFound));
	const onlyPartnerId = partnerId ?? search?.partnerId;
	const partnerProgramId = onlyPartnerId === undefined ? undefined : membershipOf(program, onlyPartnerId);
	return readSums(ctx, { program, partnerProgramId }, range);
}

function membershipOf({ id }: SummedProgram, partnerId: number) {
	return sql`(SELECT id FROM partner_programs WHERE program_id = ${id} AND partner_id = ${partnerId})`;
}

function selectSums(ctx: Context, program: SummedProgram, filter: CommissionFilter, isFound: SQL | undefined) {
	return (
		ctx.db
			.select(SUMS)
			.from(commissions)
			// The plus makes SQLite start from the payout, partner or search, which have fewer commissions than the program.
			.where(and(sql`+${commissions.programId} = ${program.id}`, ...conditionsOf(program.id, filter), isFound))
			.groupBy(commissions.status, commissions.currency)
	);
}

const SUMS = {
	status: commissions.status,
	currency: commissions.currency,
	count: sql<number>`count(*)`,
	amountCents: sql<number>`sum(${commissions.amountCents})`,
	deductedCents: sql<number>`sum(${commissions.deductedCents})`,
};

interface Searched extends CommissionFilter {
	readonly isFound: SQL;
	/** The most commissions to read. */
	readonly limit: number;
}

async function searchSums(ctx: Context, program: SummedProgram, { isFound, limit, ...filter }: Searched): Promise<CommissionSum[]> {
	const { partnerId } = filter;
	const searched = and(
		partnerId === undefined
			? eq(commissions.programId, program.id)
			: sql`+${commissions.programId} = ${program.id} AND ${commissions.partnerProgramId} = ${membershipOf(program, partnerId)}`,
		...rangeConditionsOf(filter),
	);
	const first = ctx.db
		.select({ id: commissions.id })
		.from(commissions)
		.where(searched)
		.limit(limit + 1)
		.as('first');
	// Named like the table, so that the conditions apply to it.
	const added = ctx.db.select().from(commissions).where(searched).limit(limit).as('commissions');
	const { counted, sums } = await read(ctx.db, {
		counted: ctx.db.select({ count: sql<number>`count(*)` }).from(first),
		sums: ctx.db
			.select({ ...SUMS, status: added.status, currency: added.currency })
			.from(added)
			.where(and(...conditionsOf(program.id, filter), isFound))
			.groupBy(added.status, added.currency),
	});
	if ((counted[0]?.count ?? 0) > limit) throw invalid(`A search reads at most ${limit} commissions: narrow the range with from and to`);
	return sumsByState(sums);
}
