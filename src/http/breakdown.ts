import { type BreakdownRow, formatBreakdownPosition } from '../domain/reporting/breakdown.ts';
import { type BreakdownRequest, type Breakdown, readBreakdown } from '../reporting/read-breakdown.ts';
import type { AppContext } from './app-env.ts';
import { answerCsv, inCurrencies } from './csv.ts';
import { filterOnWire } from './detailed-performance.ts';
import { isoOf } from '../domain/instant.ts';

const FIGURES = ['revenue', 'netRevenue', 'sales', 'commission', 'netCommission'] as const;
const COLUMNS = ['value', 'label', 'clicks', 'leads', 'conversions', ...FIGURES].join();

/** A page of JSON, or a CSV, which is complete unless a limit is given. */
export async function answerBreakdown(
	c: AppContext,
	tokenHash: string,
	programId: number,
	request: BreakdownRequest & { readonly isCsv: boolean },
) {
	const breakdown = await readBreakdown(c.get('ctx'), tokenHash, programId, request);
	const nextCursor = breakdown.nextCursor && formatBreakdownPosition(breakdown.nextCursor);
	c.header('Cache-Control', 'no-store');
	if (request.isCsv) return answerRows(c, `performance-${programId}-by-${request.by}`, breakdown.rows, nextCursor);
	c.header('Vary', 'Accept', { append: true });
	return c.json({ data: breakdown.rows, meta: { ...metaOf(breakdown), next_cursor: nextCursor } });
}

function metaOf({ by, filter, meta }: Breakdown) {
	const range = { period: meta.period, dateFrom: isoOf(meta.from), dateTo: isoOf(meta.to) };
	return { by, ...range, ...(filter ? { filter: filterOnWire(filter) } : {}) };
}

function answerRows(c: AppContext, name: string, rows: readonly BreakdownRow[], nextCursor: string | null) {
	const codes = [...new Set(rows.flatMap((row) => Object.keys(row.currencies ?? {})))].toSorted();
	const amountsOf = (currencies?: BreakdownRow['currencies']) => inCurrencies(codes, FIGURES, currencies);
	const header = [COLUMNS, ...Object.keys(amountsOf())].join();
	return answerCsv(c, name, header, { rows: rows.map(({ currencies, ...row }) => ({ ...row, ...amountsOf(currencies) })), nextCursor });
}
