import * as z from 'zod/mini';
import { type BreakdownRow, DIMENSIONS, formatBreakdownPosition, parseBreakdownPosition } from '../domain/breakdown.ts';
import { once } from '../once.ts';
import { type AskedBreakdown, type Breakdown, readBreakdown } from '../reporting/read-breakdown.ts';
import type { AppContext } from './app-env.ts';
import { answerCsv, type CsvValue, wantsCsv } from './csv.ts';
import { isoOf } from './management/filters.ts';
import { PageQuery, sentQuery } from './management/session.ts';
import { parse } from './schema.ts';

/** Of a CSV file without a limit. */
const CSV_ROWS = 10_000;

export const BreakdownQuery = once(() =>
	z.object({
		by: z.enum(DIMENSIONS, `must be one of ${DIMENSIONS.join(', ')}`),
		cursor: z.optional(
			z
				.pipe(z.string(), z.transform(parseBreakdownPosition))
				.check(z.refine((position) => position !== undefined, 'must be a next_cursor of this list')),
		),
		limit: PageQuery().shape.limit,
	}),
);

/** What the query asks beside the range; undefined where it asks for no breakdown. Rejects with 400 that names the parameter. */
export function askedBreakdown(c: AppContext): Omit<AskedBreakdown, 'range'> | undefined {
	const sent = sentQuery(c);
	if (sent['by'] === undefined) return undefined;
	const { by, cursor, limit } = parse(BreakdownQuery, sent);
	return { by, cursor, limit: wantsCsv(c) && sent['limit'] === undefined ? CSV_ROWS : limit };
}

/** The report by partner, link, product, country or source: a page of JSON, or CSV, all of it unless a limit is given. */
export async function answerBreakdown(c: AppContext, tokenHash: string, programId: number, asked: AskedBreakdown): Promise<Response> {
	const breakdown = await readBreakdown(c.get('ctx'), tokenHash, programId, asked);
	const nextCursor = breakdown.nextCursor && formatBreakdownPosition(breakdown.nextCursor);
	c.header('Cache-Control', 'no-store');
	if (wantsCsv(c))
		return answerCsv(c, `performance-${programId}-by-${asked.by}`, columnsOf(breakdown.rows), { rows: breakdown.rows, nextCursor });
	c.header('Vary', 'Accept', { append: true });
	return c.json({ data: breakdown.rows, meta: { ...metaOf(breakdown), next_cursor: nextCursor } });
}

function metaOf({ by, meta }: Breakdown) {
	return { by, period: meta.period, dateFrom: isoOf(meta.from), dateTo: isoOf(meta.to) };
}

/** The fields of a row; each other currency of the page has columns of its own. */
function columnsOf(rows: readonly BreakdownRow[]): Record<string, (row: BreakdownRow) => CsvValue> {
	const codes = [...new Set(rows.flatMap((row) => Object.keys(row.currencies ?? {})))].toSorted();
	return {
		value: (row) => row.value,
		label: (row) => row.label,
		clicks: (row) => row.clicks,
		leads: (row) => row.leads,
		conversions: (row) => row.conversions,
		revenue: (row) => row.revenue,
		netRevenue: (row) => row.netRevenue,
		sales: (row) => row.sales,
		commission: (row) => row.commission,
		netCommission: (row) => row.netCommission,
		...Object.fromEntries(
			codes.flatMap((code) =>
				(['revenue', 'netRevenue', 'sales', 'commission', 'netCommission'] as const).map(
					(figure): [string, (row: BreakdownRow) => CsvValue] => [`${figure}_${code}`, (row) => row.currencies?.[code]?.[figure] ?? 0],
				),
			),
		),
	};
}
