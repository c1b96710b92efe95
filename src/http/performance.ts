import { Hono } from 'hono';
import type { DayRow } from '../domain/performance.ts';
import { type Performance, readPerformance } from '../reporting/read-performance.ts';
import type { AppEnv } from './app-env.ts';
import { answerBreakdown } from './breakdown.ts';
import { answerCsv, type CsvValue, wantsCsv } from './csv.ts';
import { isoOf } from './instant.ts';
import { reportedProgram, requireReader } from './program-session.ts';
import { ReportQuery, reportQueryOf } from './report-query.ts';
import { query, params, sentQuery } from './validate.ts';

/** Of a CSV file of a breakdown, without a limit. */
const CSV_ROWS = 10_000;

/** Contract, 4.7. Who may not read the program is told so (401, 404, 403) before what is wrong with the query (400). */
export const performance = new Hono<AppEnv>().get(
	'/:programId',
	requireReader,
	params(['programId'], reportedProgram),
	query(ReportQuery, reportQueryOf, reportedProgram),
	async (c) => {
		const { ctx, sessionHash } = c.var;
		const { programId } = c.req.valid('param');
		const asked = c.req.valid('query');
		const { by, cursor } = asked;
		const [from, to] = [asked.dateFrom ?? asked.from, asked.dateTo ?? asked.to];
		const range = { period: asked.period, dates: from && to && { from, to } };
		const isCsv = wantsCsv(c);
		if (by) {
			const limit = isCsv && !('limit' in sentQuery(c)) ? CSV_ROWS : asked.limit;
			return answerBreakdown(c, sessionHash, programId, { by, range, cursor, limit }, isCsv);
		}
		const report = await readPerformance(ctx, sessionHash, programId, range);
		c.header('Cache-Control', 'no-store');
		if (isCsv) return answerCsv(c, `performance-${programId}`, columnsOf(report), { rows: report.data, nextCursor: null });
		return c.json({ data: report.data, metrics: report.metrics, meta: metaOf(report) });
	},
);

function metaOf({ meta }: Performance) {
	const { period, from, to, previousPeriod } = meta;
	return {
		period,
		dateFrom: isoOf(from),
		dateTo: isoOf(to),
		previousPeriod: { dateFrom: isoOf(previousPeriod.from), dateTo: isoOf(previousPeriod.to) },
	};
}

/** The fields of a day row; each other currency of the range has columns of its own. */
function columnsOf({ metrics }: Performance): Record<string, (row: DayRow) => CsvValue> {
	return {
		date: (row) => row.date,
		clicks: (row) => row.clicks,
		leads: (row) => row.leads,
		conversions: (row) => row.conversions,
		revenue: (row) => row.revenue,
		partners: (row) => row.partners,
		sales: (row) => row.sales,
		commission: (row) => row.commission,
		...Object.fromEntries(
			Object.keys(metrics.currencies).flatMap((code): [string, (row: DayRow) => CsvValue][] => [
				[`revenue_${code}`, (row) => row.currencies?.[code]?.revenue ?? 0],
				[`commission_${code}`, (row) => row.currencies?.[code]?.commission ?? 0],
			]),
		),
	};
}
