import { and, eq, type SQL, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { commissions } from '../db/schema/money.ts';
import { momentText } from '../domain/moment.ts';
import { requireEach, requireExpected } from '../domain/payouts/payout.ts';
import type { CommissionStatus } from '../domain/refunds/reversal.ts';
import { type SelectedCommission, selectedColumns, isSelected } from './selected-commissions.ts';
import { type CommissionFilter, conditionsOf } from './commission-filter.ts';
import { searchCommissions } from './search-commissions.ts';

/** A list of ids, or everything that matches a filter and can be decided. */
export type Choice = readonly number[] | FilteredCommissions;

export interface FilteredCommissions {
	readonly filter: CommissionFilter & { readonly status?: CommissionStatus | undefined };
	/** The number that the caller saw. If it is wrong, nothing is decided. */
	readonly expectedCount: number;
}

export interface Decision {
	readonly made: 'approved' | 'rejected';
	readonly whyNot: (commission: SelectedCommission) => string | undefined;
	/** `whyNot` as an SQL condition, for a selection by filter. */
	readonly isPossible: SQL;
}

/** The figures of `createdDay` include the commission. */
export interface DatedCommission extends SelectedCommission {
	readonly createdDay: string;
}

export const datedColumns = { ...selectedColumns, createdDay: commissions.createdDay } as const;

const DECISION_LIMIT = 500;

/**
 * Reads the commissions in one round trip, or two with a search. Rejects with 404 for an unknown id, with 409 for one that cannot be
 * decided or an unexpected number, and with 400 for too many.
 */
export async function readToDecide(ctx: Context, programId: number, choice: Choice, decision: Decision) {
	const found = await ctx.db
		.select(datedColumns)
		.from(commissions)
		.where('expectedCount' in choice ? await isLeft(ctx, programId, choice, decision) : isSelected(programId, choice))
		.limit(DECISION_LIMIT + 1);
	if ('expectedCount' in choice) requireExpected(found.length, { count: choice.expectedCount, limit: DECISION_LIMIT, made: decision.made });
	const ids = 'expectedCount' in choice ? found.map(({ id }) => id) : [...new Set(choice)];
	requireEach('Commission', ids, found, decision.whyNot);
	return { ids, selected: found };
}

async function isLeft(
	ctx: Context,
	programId: number,
	{ filter: { status, search, ...filter } }: FilteredCommissions,
	{ isPossible }: Decision,
): Promise<SQL | undefined> {
	const found = search === undefined ? undefined : await searchCommissions(ctx, programId, search);
	return and(
		eq(commissions.programId, programId),
		// Written like the index commissions_unpaid.
		sql`${commissions.paidAt} IS NULL AND ${commissions.status} IN ('pending', 'approved', 'refunded')`,
		isPossible,
		status === undefined ? undefined : eq(commissions.status, status),
		...conditionsOf(programId, filter),
		found?.isFound,
	);
}

/** Omits the search text, which may name a person, because audit entries are never erased. */
export function choiceInAudit(choice: Choice): Record<string, unknown> {
	if (!('expectedCount' in choice)) return {};
	const { status, partnerId, currency, from, to, search } = choice.filter;
	return {
		filter: {
			status,
			partner_id: partnerId,
			currency,
			from: from && momentText(from),
			to: to && momentText(to),
			by_search: search === undefined ? undefined : true,
		},
		count: choice.expectedCount,
	};
}
