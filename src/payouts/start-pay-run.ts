import { sql } from 'drizzle-orm';
import type { ManagedProgram } from '../accounts/membership.ts';
import type { Context } from '../context.ts';
import { read } from '../db/client.ts';
import { momentText } from '../domain/moment.ts';
import { minimumOf } from '../domain/payouts/payout.ts';
import { notFound } from '../domain/rejection.ts';
import type { Run } from '../runs/run.ts';
import { startRun } from '../runs/start-run.ts';
import type { DueFilter } from './due-accounts.ts';
import { payoutsIn, selectDueSums } from './due-sums.ts';
import type { PaySelection } from './pay-run.ts';

export interface DueRequest extends Omit<DueFilter, 'untilId'> {
	/** Per partner and currency. Default: the program's minimum. */
	readonly minimumCents?: number | undefined;
}

/**
 * Starts a run that pays everything due to the matching accounts (decisions 19a and 64). Pays only active members unless the request names
 * partners or another status. Rejects with 404 for an unknown partner, and like `startRun`.
 */
export async function startPayRun(ctx: Context, program: ManagedProgram, { minimumCents, ...filter }: DueRequest): Promise<Run> {
	const selection: PaySelection = { ...paidBy(filter), minimum: minimumOf(minimumCents, program) };
	const { sums, unknown } = await read(ctx.db, {
		sums: selectDueSums(ctx, program.id, selection, selection.minimum),
		unknown: selectUnknown(ctx, program.id, filter.partnerIds ?? []),
	});
	if (unknown[0]) throw notFound(`Partner ${unknown[0].id}`);
	return startRun(ctx, program, {
		kind: 'pay',
		selection,
		expectedCount: payoutsIn(sums),
		audited: { action: 'payout.run', detail: { filter: filterInAudit(selection), minimum: selection.minimum, count: payoutsIn(sums) } },
	});
}

/** Suspended and former partners are paid only on request. */
export function paidBy(filter: DueFilter): DueFilter {
	return filter.partnerIds === undefined ? { ...filter, status: filter.status ?? 'active' } : filter;
}

function selectUnknown(ctx: Context, programId: number, partnerIds: readonly number[]) {
	return ctx.db.all<{ id: number }>(sql`
		SELECT value AS id FROM json_each(${JSON.stringify(partnerIds)})
		WHERE NOT EXISTS (SELECT 1 FROM partner_programs WHERE program_id = ${programId} AND partner_id = value) LIMIT 1`);
}

/** Omits the search text: it may name a person, and the audit log is never erased. */
function filterInAudit({ partnerIds, status, groupId, method, search, before }: DueFilter): Record<string, unknown> {
	return {
		partner_ids: partnerIds,
		status,
		group_id: groupId,
		method,
		before: before && momentText(before),
		by_search: search === undefined ? undefined : true,
	};
}
