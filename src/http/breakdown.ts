import { type BreakdownRow, formatBreakdownPosition } from '../domain/breakdown.ts';
import { type AskedBreakdown, type Breakdown, readBreakdown } from '../reporting/read-breakdown.ts';
import type { AppContext } from './app-env.ts';
import { answerCsv, type CsvValue } from './csv.ts';
import { isoOf } from './instant.ts';

/** The report by partner, link, product, country or source: a page of JSON, or CSV, all of it unless a limit is given. */
export async function answerBreakdown(c: AppContext, tokenHash: string, programId: number, asked: AskedBreakdown, isCsv: boolean) {
	const breakdown = await readBreakdown(c.get('ctx'), tokenHash, programId, asked);
	const nextCursor = breakdown.nextCursor && formatBreakdownPosition(breakdown.nextCursor);
	c.header('Cache-Control', 'no-store');
	if (isCsv)
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
