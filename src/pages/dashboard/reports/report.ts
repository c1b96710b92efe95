import { queryOptions } from '@tanstack/react-query';
import type { Dimension } from '../../../domain/reporting/breakdown.ts';
import { answerOf, api } from '../../api.ts';
import { type Compare, compareQuery } from '../../ui/compare.ts';
import { type Range, rangeQuery } from '../../ui/range.ts';

/** Used in the URL and in the request. */
export const FILTER_FIELDS = {
	partner: 'partner_id',
	link: 'link_id',
	product: 'product_id',
	country: 'country',
	source: 'source',
} as const satisfies Record<Dimension, string>;

/** At most one dimension; empty without a filter. */
export type ReportFilter = Readonly<Partial<Record<(typeof FILTER_FIELDS)[Dimension], string>>>;

export interface ReportRequest {
	readonly programId: string;
	readonly zone: string;
	readonly range: Range;
	readonly filter: ReportFilter;
	/** Breakdowns are not compared. */
	readonly compare?: Compare | undefined;
}

/** With an `Accept` header for CSV, the same call downloads a file. */
export function askReport(
	{ programId, zone, range, filter, compare = {} }: ReportRequest,
	options?: { headers: { Accept: string } } | { init: RequestInit },
) {
	const query = { ...rangeQuery(range, zone), ...filter, ...compareQuery(compare) };
	return api.tracking.performance[':programId'].$get({ param: { programId }, query }, options);
}

export type Report = Awaited<ReturnType<typeof readReport>>;

async function readReport(request: ReportRequest, signal: AbortSignal) {
	const report = await answerOf(askReport(request, { init: { signal } }));
	if (!('previous' in report)) throw new Error('The report has no previous period.');
	return report;
}

export function reportQuery(request: ReportRequest) {
	return queryOptions({ queryKey: ['report', request], queryFn: ({ signal }) => readReport(request, signal) });
}

export function askBreakdown(
	by: Dimension,
	{ programId, zone, range, filter }: ReportRequest,
	page: { readonly limit?: string },
	options?: { headers: { Accept: string } } | { init: RequestInit },
) {
	const query = { ...rangeQuery(range, zone), ...filter, by, ...page };
	return api.tracking.performance[':programId'].$get({ param: { programId }, query }, options);
}

export type BreakdownRow = Awaited<ReturnType<typeof readBreakdown>>['data'][number];

async function readBreakdown(by: Dimension, request: ReportRequest, signal: AbortSignal) {
	const breakdown = await answerOf(askBreakdown(by, request, { limit: '10' }, { init: { signal } }));
	if ('metrics' in breakdown) throw new Error('The report has no breakdown.');
	return breakdown;
}

export function breakdownQuery(by: Dimension, request: ReportRequest) {
	return queryOptions({ queryKey: ['report', by, request], queryFn: ({ signal }) => readBreakdown(by, request, signal) });
}
