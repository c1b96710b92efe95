import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { answerOf, api } from '../../../api.ts';
import { daysOf, type Preset } from '../../../ui/range.ts';
import type { CommissionState } from '../../../labels/commission.tsx';

interface Search {
	readonly period?: Preset | undefined;
	readonly from?: string | undefined;
	readonly to?: string | undefined;
	readonly partner?: string | undefined;
	readonly currency?: string | undefined;
	readonly search?: string | undefined;
}

/** The commissions that match the URL's filters, in any state. */
export function filterOf({ period = 'all', from, to, partner, currency, search }: Search, zone: string) {
	const days = daysOf({ period, from, to }, zone);
	return { partner_id: partner, currency, search, from: days?.from.toString(), to: days?.to.toString() };
}

export type Filter = ReturnType<typeof filterOf>;

async function listCommissions(
	id: string,
	query: Filter & { status?: CommissionState; cursor?: string; limit?: string },
	signal?: AbortSignal,
) {
	return answerOf(api.v1.programs[':id'].commissions.$get({ param: { id }, query: { ...query, total: 'true' } }, { init: { signal } }));
}

async function summarize(id: string, query: Filter, signal?: AbortSignal) {
	return (await answerOf(api.v1.programs[':id'].commissions.summary.$get({ param: { id }, query }, { init: { signal } }))).data;
}

export type Commission = Awaited<ReturnType<typeof listCommissions>>['data'][number];
export type CommissionSum = Awaited<ReturnType<typeof summarize>>[number];

export function useCommissions(programId: string, query: Filter & { status?: CommissionState; cursor?: string; limit?: string }) {
	return useQuery({
		queryKey: ['commissions', programId, query],
		queryFn: ({ signal }) => listCommissions(programId, query, signal),
		placeholderData: keepPreviousData,
	});
}

export function useSums(programId: string, filter: Filter) {
	return useQuery({
		queryKey: ['commissions', programId, 'summary', filter],
		queryFn: ({ signal }) => summarize(programId, filter, signal),
		placeholderData: keepPreviousData,
	});
}

/** All commissions in one state that match a filter, as of one point in time. */
export interface Matching {
	readonly filter: Filter;
	readonly status: CommissionState;
	readonly count: number;
	readonly sums: readonly CommissionSum[];
}

/**
 * Ends at the newest commission now, so that nobody decides commissions they have not seen. If one changes its state before the decision,
 * the service's count differs and it decides nothing.
 */
export async function findMatching(programId: string, filter: Filter, status: CommissionState): Promise<Matching> {
	const newest = (await listCommissions(programId, { ...filter, status, limit: '1' })).data[0];
	const upToNow = { ...filter, to: newest?.created_at ?? filter.to };
	const sums = (await summarize(programId, upToNow)).filter((sum) => sum.status === status);
	return { filter: upToNow, status, count: sums.reduce((all, { count }) => all + count, 0), sums };
}

/** The total amount in a state. For refunded commissions, what remains after deductions. */
export function centsOf({
	status,
	amount_cents,
	remaining_cents,
}: Pick<CommissionSum, 'status' | 'amount_cents' | 'remaining_cents'>): number {
	return status === 'refunded' ? remaining_cents : amount_cents;
}
