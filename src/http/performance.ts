import { Hono } from 'hono';
import type { DayRow } from '../domain/reporting/performance.ts';
import { readDetailedPerformance } from '../reporting/read-detailed-performance.ts';
import { type Performance, readPerformance } from '../reporting/read-performance.ts';
import type { AppContext, AppEnv } from './app-env.ts';
import { answerBreakdown } from './breakdown.ts';
import { answerCsv, inCurrencies, wantsCsv } from './csv.ts';
import { answerDetailed } from './detailed-performance.ts';
import { readsBeside, reportedProgram, requireSessionToken } from './program-session.ts';
import { metaOf } from './report-meta.ts';
import { comparisonIn, filterOf, ReportQuery, reportQueryOf } from './report-query.ts';
import { query, params, sentQuery } from './validate.ts';

/** If no limit is given. */
const CSV_ROWS = 10_000;

/** Other currencies add columns. */
const COLUMNS = 'date,clicks,leads,conversions,revenue,partners,sales,commission';

/** Contract, 4.7. Access is checked (401, 404, 403) before the query (400). */
export const performance = new Hono<AppEnv>().get(
	'/:programId',
	requireSessionToken,
	params(['programId'], reportedProgram),
	query(ReportQuery, reportQueryOf, reportedProgram),
	readsBeside,
	async (c) => {
		const { ctx, sessionHash } = c.var;
		const { programId } = c.req.valid('param');
		const request = c.req.valid('query');
		const { by, cursor } = request;
		const [from, to] = [request.dateFrom ?? request.from, request.dateTo ?? request.to];
		const range = { period: request.period, dates: from && to && { from, to } };
		const filter = filterOf(request);
		const isCsv = wantsCsv(c);
		if (by) {
			const limit = isCsv && !('limit' in sentQuery(c)) ? CSV_ROWS : request.limit;
			return answerBreakdown(c, sessionHash, programId, { by, range, filter, cursor, limit, isCsv });
		}
		c.header('Cache-Control', 'no-store');
		if (filter || request.compare) {
			const report = await readDetailedPerformance(ctx, sessionHash, programId, { range, filter, comparison: comparisonIn(request) });
			return answerDetailed(c, programId, report, { isCompared: request.compare !== undefined, isCsv });
		}
		const report = await readPerformance(ctx, sessionHash, programId, range);
		if (isCsv) return answerDays(c, programId, report);
		return c.json({ data: report.data, metrics: report.metrics, meta: metaOf(report) });
	},
);

function answerDays(c: AppContext, programId: number, { data, metrics }: Performance) {
	const codes = Object.keys(metrics.currencies);
	const amountsOf = (currencies?: DayRow['currencies']) => inCurrencies(codes, ['revenue', 'commission'], currencies);
	const header = [COLUMNS, ...Object.keys(amountsOf())].join();
	const rows = data.map(({ currencies, ...row }) => ({ ...row, ...amountsOf(currencies) }));
	return answerCsv(c, `performance-${programId}`, header, { rows, nextCursor: null });
}
