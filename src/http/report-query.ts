import * as z from 'zod/mini';
import { type Dimension, DIMENSIONS, parseBreakdownPosition, type ReportFilter, storedDimensionOf } from '../domain/reporting/breakdown.ts';
import { COMPARISONS, type Comparison, comparisonOf, WITH_PREVIOUS } from '../domain/reporting/comparison.ts';
import { invalid } from '../domain/rejection.ts';
import { PERIODS } from '../domain/reporting/report-range.ts';
import { once } from '../once.ts';
import type { AppContext } from './app-env.ts';
import { CountryCode, Identifier, IsoDay, IsoDayOrInstant, QueryFlag, QueryId } from './fields.ts';
import { NextCursor, PageQuery } from './page.ts';
import { sentQuery } from './validate.ts';

// The query of the performance report (contract, 4.7).

const FILTERS = {
	partner_id: 'partner',
	link_id: 'link',
	product_id: 'product',
	country: 'country',
	source: 'source',
} as const satisfies Record<string, Dimension>;
type FilterName = keyof typeof FILTERS;
const FILTER_NAMES = Object.keys(FILTERS).filter((name): name is FilterName => name in FILTERS);

export const ReportQuery = once(() =>
	z.object({
		period: z._default(z.enum(PERIODS, 'must be 7d, 30d, 90d or all'), '7d'),
		dateFrom: z.optional(IsoDayOrInstant()),
		dateTo: z.optional(IsoDayOrInstant()),
		from: z.optional(IsoDayOrInstant()),
		to: z.optional(IsoDayOrInstant()),
		by: z.optional(z.enum(DIMENSIONS, `must be one of ${DIMENSIONS.join(', ')}`)),
		partner_id: z.optional(QueryId()),
		link_id: z.optional(QueryId()),
		product_id: z.optional(Identifier()),
		country: z.optional(CountryCode()),
		source: z.optional(Identifier()),
		compare: z.optional(z.enum(COMPARISONS, 'must be previous, last_year or custom')),
		compare_from: z.optional(IsoDay()),
		match_weekdays: z.optional(QueryFlag()),
		cursor: z.optional(NextCursor(parseBreakdownPosition)),
		limit: PageQuery().shape.limit,
	}),
);

/**
 * The relevant parameters. `dateFrom` and `dateTo` take precedence over their aliases `from` and `to` (decision 39), and a single end is
 * ignored. With both ends, the period is only echoed, so an invalid one does not matter. Rejects with 400 if filters cannot be combined.
 */
export async function reportQueryOf(c: AppContext): Promise<Readonly<Record<string, string | undefined>>> {
	const sent = sentQuery(c);
	const { period, dateFrom, dateTo, from, to, by, cursor, limit } = sent;
	requireFollowed(sent);
	const filters = Object.fromEntries(FILTER_NAMES.map((name) => [name, sent[name]]));
	const page = by === undefined ? { ...filters, ...comparedIn(sent) } : { ...filters, by, cursor, limit };
	if ((dateFrom ?? from) === undefined || (dateTo ?? to) === undefined) return { period, ...page };
	const first = dateFrom === undefined ? { from } : { dateFrom };
	const last = dateTo === undefined ? { to } : { dateTo };
	return { period: PERIODS.find((known) => known === period), ...first, ...last, ...page };
}

/** Without `compare`, its details are ignored, as before they existed. */
function comparedIn({ compare, compare_from, match_weekdays }: Readonly<Record<string, string>>) {
	if (compare === undefined) return {};
	return { compare, match_weekdays, ...(compare === 'custom' ? { compare_from } : {}) };
}

export function comparisonIn({ compare, compare_from, match_weekdays }: z.output<ReturnType<typeof ReportQuery>>): Comparison {
	return compare ? comparisonOf(compare, compare_from, match_weekdays === 'true') : WITH_PREVIOUS;
}

export function filterOf(query: z.output<ReturnType<typeof ReportQuery>>): ReportFilter | undefined {
	const name = FILTER_NAMES.find((filter) => query[filter] !== undefined);
	return name && { by: FILTERS[name], value: String(query[name]) };
}

/** Rejects with 400 if there are two filters, or if the breakdown has no rows for the filter. */
function requireFollowed(sent: Readonly<Record<string, string>>): void {
	const [name, other] = FILTER_NAMES.filter((filter) => sent[filter] !== undefined);
	if (name === undefined) return;
	if (other !== undefined) throw invalid(`Send either ${name} or ${other}: a report has only one filter`);
	const by = DIMENSIONS.find((dimension) => dimension === sent['by']);
	if (by && storedDimensionOf(by) !== storedDimensionOf(FILTERS[name]))
		throw invalid(`by=${by} cannot be combined with ${name}: figures are kept for only one of them at a time`);
}
