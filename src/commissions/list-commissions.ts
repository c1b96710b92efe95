import { and, eq, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { type ListOrder, newestFirst, readPage } from '../db/list.ts';
import { commissions } from '../db/schema/money.ts';
import { unindexed } from '../db/unindexed.ts';
import { mapPage, type Page, type PageRequest } from '../domain/page.ts';
import type { CommissionStatus } from '../domain/refunds/reversal.ts';
import { type CommissionFilter, conditionsOf } from './commission-filter.ts';
import { type Commission, explained, selectCommissions } from './commission.ts';
import { searchCommissions } from './search-commissions.ts';

export interface CommissionsRequest extends CommissionFilter, PageRequest {
	readonly status?: CommissionStatus | undefined;
}

/** Sorted by day and id, like the index. Both increase together. */
const NEWEST_FIRST: ListOrder = {
	...newestFirst(commissions.id),
	keys: [sql`${commissions.createdDay}`, sql`${commissions.id}`],
	compare: (sign, id) =>
		sql`(${commissions.createdDay}, ${commissions.id}) ${sql.raw(sign)} (SELECT o.created_day, o.id FROM commissions o WHERE o.id = ${id})`,
};

/** Newest first. One round trip, or two with a search. */
export async function listCommissions(
	ctx: Context,
	program: { readonly id: number },
	{ status, ...request }: CommissionsRequest,
): Promise<Page<Commission>> {
	const { partnerId, payoutId, currency, from, to } = request;
	const search = request.search === undefined ? undefined : await searchCommissions(ctx, program.id, request.search);
	const isByKey = partnerId !== undefined || payoutId !== undefined || (search !== undefined && search.kind !== 'any');
	const key = isByKey ? 'other' : 'program';
	const list = {
		order: key === 'program' ? NEWEST_FIRST : newestFirst(commissions.id),
		where: and(
			key === 'program' ? eq(commissions.programId, program.id) : unindexed(commissions.programId, program.id),
			...conditionsOf(program.id, { partnerId, payoutId, from, to }),
			search?.kind === 'any' ? undefined : search?.isFound,
		),
		filter: and(
			...conditionsOf(program.id, { currency }),
			search?.kind === 'any' ? search.isFound : undefined,
			status === undefined ? undefined : eq(commissions.status, status),
		),
	};
	const page = await readPage(ctx.db, list, request, (isOnPage, limit) => selectCommissions(ctx, program.id, [isOnPage], key).limit(limit));
	return mapPage(page, (row) => explained(row, ctx.now));
}
