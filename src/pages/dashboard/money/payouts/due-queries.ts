import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { PayoutMethod } from '../../../../domain/payouts/payout-details.ts';
import { answerOf, api } from '../../../api.ts';
import { useRefetchAfterRun } from '../use-refetch-after-run.ts';

export interface DueFilter {
	readonly status?: 'active' | 'suspended' | 'ended' | undefined;
	readonly group_id?: string | undefined;
	readonly method?: PayoutMethod | 'none' | undefined;
	readonly search?: string | undefined;
	readonly before?: string | undefined;
	readonly minimum_cents?: string | undefined;
}

type DueQuery = DueFilter & { readonly show?: 'left_out'; readonly cursor?: string | undefined; readonly limit?: string };

async function listDue(id: string, query: DueQuery, signal: AbortSignal) {
	return answerOf(api.v1.programs[':id'].payouts.due.$get({ param: { id }, query }, { init: { signal } }));
}

async function sumDue(id: string, query: DueFilter, signal: AbortSignal) {
	return (await answerOf(api.v1.programs[':id'].payouts.due.sums.$get({ param: { id }, query }, { init: { signal } }))).data;
}

async function lastRun(id: string, signal: AbortSignal) {
	const query = { kind: 'pay', limit: '1' } as const;
	return (await answerOf(api.v1.programs[':id'].runs.$get({ param: { id }, query }, { init: { signal } }))).data[0] ?? null;
}

async function listResults(id: string, runId: string, cursor: string | undefined, signal: AbortSignal) {
	const query = { cursor, limit: '50' };
	return answerOf(api.v1.programs[':id'].runs[':runId'].results.$get({ param: { id, runId }, query }, { init: { signal } }));
}

export type Due = Awaited<ReturnType<typeof listDue>>['data'][number];
export type DueSums = Awaited<ReturnType<typeof sumDue>>;
export type PayRun = NonNullable<Awaited<ReturnType<typeof lastRun>>>;
export type RunResult = Awaited<ReturnType<typeof listResults>>['data'][number];

export function useDue(programId: string, query: DueQuery) {
	return useQuery({
		queryKey: ['payouts', programId, 'due', query],
		queryFn: ({ signal }) => listDue(programId, query, signal),
		placeholderData: keepPreviousData,
	});
}

/** The sums read every unpaid commission, so they stay cached while the user moves between the steps. */
const SUMS_STAY_MS = 60_000;

export function useDueSums(programId: string, query: DueFilter) {
	return useQuery({
		queryKey: ['payouts', programId, 'due sums', query],
		queryFn: ({ signal }) => sumDue(programId, query, signal),
		placeholderData: keepPreviousData,
		staleTime: SUMS_STAY_MS,
	});
}

const POLL_MS = 2_000;

/** The newest pay run, polled while it is active. When it ends, the other payout pages refetch. */
export function useLastRun(programId: string) {
	const query = useQuery({
		queryKey: ['pay run', programId],
		queryFn: ({ signal }) => lastRun(programId, signal),
		refetchInterval: ({ state }) => (state.data?.state === 'running' ? POLL_MS : false),
	});
	// A short run may end before polling sees it active.
	useRefetchAfterRun(query.data === null ? [] : query.data && [query.data], { queryKey: ['payouts', programId] });
	return query;
}

export function useResults(programId: string, runId: string, cursor: string | undefined) {
	return useQuery({
		queryKey: ['run results', programId, runId, cursor],
		queryFn: ({ signal }) => listResults(programId, runId, cursor, signal),
		placeholderData: keepPreviousData,
	});
}
