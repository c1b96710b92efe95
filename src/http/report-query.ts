import * as z from 'zod/mini';
import { DIMENSIONS, parseBreakdownPosition } from '../domain/breakdown.ts';
import { PERIODS } from '../domain/report-range.ts';
import { once } from '../once.ts';
import type { AppContext } from './app-env.ts';
import { IsoMoment } from './fields.ts';
import { Cursor, PageQuery } from './page.ts';
import { sentQuery } from './validate.ts';

// What the performance report is asked for (contract, 4.7).

export const ReportQuery = once(() =>
	z.object({
		period: z._default(z.enum(PERIODS, 'must be 7d, 30d, 90d or all'), '7d'),
		dateFrom: z.optional(IsoMoment()),
		dateTo: z.optional(IsoMoment()),
		from: z.optional(IsoMoment()),
		to: z.optional(IsoMoment()),
		by: z.optional(z.enum(DIMENSIONS, `must be one of ${DIMENSIONS.join(', ')}`)),
		cursor: z.optional(Cursor(parseBreakdownPosition)),
		limit: PageQuery().shape.limit,
	}),
);

/**
 * Of what was sent, what counts. `from` and `to` are taken for `dateFrom` and `dateTo`, which win (decision 39); one end
 * without the other is ignored. With both the period is only echoed, so that a bad one does not matter.
 */
export async function reportQueryOf(c: AppContext): Promise<Readonly<Record<string, string | undefined>>> {
	const { period, dateFrom, dateTo, from, to, by, cursor, limit } = sentQuery(c);
	const page = by === undefined ? {} : { by, cursor, limit };
	if ((dateFrom ?? from) === undefined || (dateTo ?? to) === undefined) return { period, ...page };
	const first = dateFrom === undefined ? { from } : { dateFrom };
	const last = dateTo === undefined ? { to } : { dateTo };
	return { period: PERIODS.find((known) => known === period), ...first, ...last, ...page };
}
