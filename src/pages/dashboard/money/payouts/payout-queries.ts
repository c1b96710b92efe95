import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { PayoutMethod } from '../../../../domain/payouts/payout-details.ts';
import type { PayoutStatus } from '../../../../domain/payouts/payout-state.ts';
import { answerOf, api } from '../../../api.ts';

export interface PayoutFilter {
	readonly status?: PayoutStatus | undefined;
	readonly partner_id?: string | undefined;
	readonly currency?: string | undefined;
	readonly method?: PayoutMethod | 'none' | undefined;
}

async function listPayouts(id: string, query: PayoutFilter & { cursor?: string; limit?: string }, signal: AbortSignal) {
	return answerOf(api.v1.programs[':id'].payouts.$get({ param: { id }, query: { ...query, total: 'true' } }, { init: { signal } }));
}

interface BatchQuery {
	readonly method: PayoutMethod;
	readonly currency: string;
	/** Where the file begins; undefined for the first file. */
	readonly cursor?: string | undefined;
}

async function planBatch(id: string, query: BatchQuery, signal: AbortSignal) {
	return (await answerOf(api.v1.programs[':id'].payouts.batch.$get({ param: { id }, query }, { init: { signal } }))).data;
}

async function sumMoney(id: string, signal: AbortSignal) {
	return (await answerOf(api.v1.programs[':id'].payouts.sums.$get({ param: { id } }, { init: { signal } }))).data;
}

export type MoneySums = Awaited<ReturnType<typeof sumMoney>>;
export type Payout = Awaited<ReturnType<typeof listPayouts>>['data'][number];
export type Batch = Awaited<ReturnType<typeof planBatch>>;

export function usePayouts(programId: string, query: PayoutFilter & { cursor?: string; limit?: string }) {
	return useQuery({
		queryKey: ['payouts', programId, query],
		queryFn: ({ signal }) => listPayouts(programId, query, signal),
		placeholderData: keepPreviousData,
	});
}

/** The largest page size of a list. */
export const PAGE = '200';

/** The newest payouts to send. */
export function useMade(programId: string) {
	return usePayouts(programId, { status: 'made', limit: PAGE });
}

/** What is due, on hold, on its way and paid this month. */
export function useMoneySums(programId: string) {
	return useQuery({
		queryKey: ['payouts', programId, 'sums'],
		queryFn: ({ signal }) => sumMoney(programId, signal),
	});
}

/** What a file would contain, and what it omits and why. For admins. */
export function useBatch(programId: string, query: BatchQuery) {
	return useQuery({
		queryKey: ['payouts', programId, 'batch', query],
		queryFn: ({ signal }) => planBatch(programId, query, signal),
		placeholderData: keepPreviousData,
	});
}
