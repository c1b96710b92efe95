import { unknownFieldsOf } from '../domain/reporting/detailed-performance.ts';
import { isIdentified, type ReportFilter } from '../domain/reporting/breakdown.ts';
import type { DetailedReport } from '../reporting/read-detailed-performance.ts';
import type { AppContext } from './app-env.ts';
import { answerCsv, comparedRows, inCurrencies } from './csv.ts';
import { metaOf } from './report-meta.ts';

type Day = DetailedReport['data'][number];

/** Each currency has a column for these. */
const AMOUNTS = ['revenue', 'netRevenue', 'commission', 'netCommission'] as const;
const COUNTS = ['clicks', 'leads', 'conversions', 'partners', 'totalSales'] as const;
const COLUMNS = ['date', ...COUNTS, ...AMOUNTS] as const;

interface Wanted {
	readonly isCompared: boolean;
	readonly isCsv: boolean;
}

/** Sends the report for one value of a dimension, or with the previous range (decision 45). */
export function answerDetailed(c: AppContext, programId: number, report: DetailedReport, { isCompared, isCsv }: Wanted) {
	const { data, metrics, filter } = report;
	const previous = isCompared ? report.previous : null;
	if (isCsv) return answerDays(c, `performance-${programId}${filter ? `-of-one-${filter.by}` : ''}`, data, previous?.data);
	const shownFilter = filter ? { ...filterOnWire(filter), unknown: unknownFieldsOf(filter.by) } : null;
	return c.json({ data, metrics, previous, meta: { ...metaOf(report), filter: shownFilter } });
}

export function filterOnWire({ by, value, label }: ReportFilter & { readonly label: string | null }) {
	return { by, value: isIdentified(by) ? Number(value) : value, label };
}

function answerDays(c: AppContext, name: string, data: readonly Day[], previous: readonly Day[] | undefined) {
	const codes = [...new Set([...data, ...(previous ?? [])].flatMap((day) => Object.keys(day.currencies ?? {})))].toSorted();
	const amountsOf = (currencies?: Day['currencies']) => inCurrencies(codes, ['totalSales', ...AMOUNTS], currencies);
	const columns = [...COLUMNS, ...Object.keys(amountsOf())];
	const rowOf = ({ currencies, ...day }: Day) => ({ ...day, ...amountsOf(currencies) });
	const { header, rows } = comparedRows(columns, data.map(rowOf), previous?.map(rowOf));
	return answerCsv(c, name, header, { rows, nextCursor: null });
}
