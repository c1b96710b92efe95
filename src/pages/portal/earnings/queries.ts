import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { answerOf } from '../../api.ts';
import { listDays, listRange, type Preset } from '../../ui/range.ts';
import type { CommissionState } from '../../labels/commission.tsx';
import { own } from '../queries.ts';

interface Days {
	readonly period?: Preset | undefined;
	readonly from?: string | undefined;
	readonly to?: string | undefined;
}

/** The URL's filters except the state. */
export function filterOf({ currency, ...days }: Days & { readonly currency?: string | undefined }, zone: string): Filter {
	return { currency, ...listDays(listRange(days), zone) };
}

export interface Filter extends ReturnType<typeof listDays> {
	readonly currency?: string | undefined;
}

interface Page {
	readonly cursor?: string | undefined;
}

async function listCommissions(id: string, query: Filter & Page & { status?: CommissionState | undefined }, signal: AbortSignal) {
	return answerOf(own.commissions.$get({ param: { id }, query: { ...query, total: 'true' } }, { init: { signal } }));
}

async function summarize(id: string, query: Filter, signal: AbortSignal) {
	return (await answerOf(own.commissions.summary.$get({ param: { id }, query }, { init: { signal } }))).data;
}

async function listUncredited(id: string, query: ReturnType<typeof listDays> & Page, signal: AbortSignal) {
	return answerOf(own['unearned-sales'].$get({ param: { id }, query: { ...query, total: 'true' } }, { init: { signal } }));
}

async function listPayouts(id: string, query: Page, signal: AbortSignal) {
	return answerOf(own.payouts.$get({ param: { id }, query: { ...query, total: 'true' } }, { init: { signal } }));
}

export type Commission = Awaited<ReturnType<typeof listCommissions>>['data'][number];
export type CommissionSum = Awaited<ReturnType<typeof summarize>>[number];
export type UncreditedSale = Awaited<ReturnType<typeof listUncredited>>['data'][number];
export type Payout = Awaited<ReturnType<typeof listPayouts>>['data'][number];

export function useCommissions(id: string, query: Filter & Page & { status?: CommissionState | undefined }) {
	return useQuery({
		queryKey: ['own-commissions', id, query],
		queryFn: ({ signal }) => listCommissions(id, query, signal),
		placeholderData: keepPreviousData,
	});
}

export function useSums(id: string, filter: Filter) {
	return useQuery({
		queryKey: ['own-commissions', id, 'summary', filter],
		queryFn: ({ signal }) => summarize(id, filter, signal),
		placeholderData: keepPreviousData,
	});
}

export function useUncredited(id: string, query: ReturnType<typeof listDays> & Page) {
	return useQuery({
		queryKey: ['own-unearned', id, query],
		queryFn: ({ signal }) => listUncredited(id, query, signal),
		placeholderData: keepPreviousData,
	});
}

export function usePayouts(id: string, query: Page) {
	return useQuery({
		queryKey: ['own-payouts', id, query],
		queryFn: ({ signal }) => listPayouts(id, query, signal),
		placeholderData: keepPreviousData,
	});
}
