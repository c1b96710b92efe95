import { Hono } from 'hono';
import * as z from 'zod/mini';
import type { DayRow } from '../domain/performance.ts';
import { type AskedRange, PERIODS } from '../domain/report-range.ts';
import { once } from '../once.ts';
import { type Performance, readPerformance } from '../reporting/read-performance.ts';
import type { AppContext, AppEnv } from './app-env.ts';
import { answerBreakdown, askedBreakdown } from './breakdown.ts';
import { answerCsv, type CsvValue, wantsCsv } from './csv.ts';
import { IsoMoment, isoOf } from './management/filters.ts';
import { pathId, requireSessionHash, sentQuery } from './management/session.ts';
import { requireReportedProgram } from './program-session.ts';
import { parse } from './schema.ts';

export const PeriodQuery = once(() => z.object({ period: z._default(z.enum(PERIODS, 'must be 7d, 30d, 90d or all'), '7d') }));
/** With both dates the period is only echoed (contract, 4.7), so that a bad one does not matter. */
const EchoedPeriodQuery = once(() =>
	z.object({
		period: z.pipe(
			z.optional(z.unknown()),
			z.transform((text) => PERIODS.find((period) => period === text) ?? '7d'),
		),
	}),
);

/** Contract, 4.7. */
export const performance = new Hono<AppEnv>();

performance.get('/:programId', async (c) => {
	const tokenHash = await requireSessionHash(c);
	const { programId, asked, breakdown } = await readQuery(c);
	if (breakdown) return answerBreakdown(c, tokenHash, programId, { ...breakdown, range: asked });
	const report = await readPerformance(c.get('ctx'), tokenHash, programId, asked);
	c.header('Cache-Control', 'no-store');
	if (wantsCsv(c)) return answerCsv(c, `performance-${programId}`, columnsOf(report), { rows: report.data, nextCursor: null });
	return c.json({ data: report.data, metrics: report.metrics, meta: metaOf(report) });
});

/** Who may not read the program is told so (401, 404, 403) before what is wrong with the query (400). */
async function readQuery(c: AppContext): Promise<{ programId: number; asked: AskedRange; breakdown: ReturnType<typeof askedBreakdown> }> {
	try {
		const sent = sentQuery(c);
		const dates = readDates(sent);
		const { period } = parse(dates ? EchoedPeriodQuery : PeriodQuery, sent);
		const asked = { period, dates };
		return { programId: pathId(c, 'programId'), asked, breakdown: askedBreakdown(c) };
	} catch (error) {
		await requireReportedProgram(c);
		throw error;
	}
}

/** `from` and `to` are taken for `dateFrom` and `dateTo`, which win (decision 39). One end without the other is ignored. */
function readDates(sent: Readonly<Record<string, string>>): AskedRange['dates'] {
	const first = ['dateFrom', 'from'].find((name) => name in sent);
	const last = ['dateTo', 'to'].find((name) => name in sent);
	if (first === undefined || last === undefined) return undefined;
	const { [first]: from, [last]: to } = parse(() => z.object({ [first]: IsoMoment(), [last]: IsoMoment() }), sent);
	return from && to && { from, to };
}

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
