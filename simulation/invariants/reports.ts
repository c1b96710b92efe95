import { breakdownOf, rawFacts, Sums, totalsOf, waitingFacts } from '../world/figures.ts';
import type { Request, Seen } from '../world/journal.ts';
import { dayIn } from '../world/oracle.ts';
import { daysOf, expectedBreakdown, expectedReport, type ReportedFigures } from '../world/oracle-of-reports.ts';
import type { Rows } from '../world/rows.ts';
import type { Simulation } from '../world/simulation.ts';
import { type RowInvariant, type WithRows, type Invariant, violated } from './invariant.ts';

/** Duplicates do not count (decisions 25 and 36). */
export const reports: RowInvariant = {
	name: 'daily rows and waiting deltas are the sum of the raw rows',
	reads: ['daily', 'outbox', 'programs', 'clicks', 'customers', 'memberships', 'sales', 'commissions'],
	check: checkReports,
};

export const breakdowns: RowInvariant = {
	name: 'the breakdown and waiting deltas are the sum of the raw rows',
	reads: ['breakdown', 'outbox', 'programs', 'clicks', 'customers', 'sales', 'commissions'],
	check: checkBreakdowns,
};

/** A closed month equals the sum of its days (decision 63). */
export const closedMonths: RowInvariant = {
	name: 'a closed month is the sum of its days',
	reads: ['monthly', 'closedMonths', 'breakdown'],
	check: checkMonths,
};

/** Compared with the raw rows at the time of reading. */
export const seen: Invariant = { name: 'reports show what the raw rows say', onAnswers: true, check: checkSeen };

function checkReports({ rows }: WithRows): void {
	const difference = totalsOf(waitingFacts(rows), rows.daily).differenceFrom(totalsOf(rawFacts(rows), []));
	if (difference !== undefined) throw violated(reports.name, difference);
}

function checkBreakdowns({ rows }: WithRows): void {
	const difference = breakdownOf(waitingFacts(rows), rows.breakdown).differenceFrom(breakdownOf(rawFacts(rows), []));
	if (difference !== undefined) throw violated(breakdowns.name, difference);
}

function checkMonths({ rows }: WithRows): void {
	const isClosed = new Set(rows.closedMonths.map(({ program_id, dimension, month }) => `${program_id} ${dimension} ${month}`));
	const due = new Sums();
	const kept = new Sums();
	const lastDays = new Map<string, string>();
	for (const { program_id, dimension, day, value, currency, ...figures } of rows.breakdown) {
		const month = day.slice(0, 7);
		if (!isClosed.has(`${program_id} ${dimension} ${month}`)) continue;
		const name = `program ${program_id}, ${month}, ${dimension} "${value}"`;
		due.add(name, currency, figures);
		const { clicks, leads, conversions, sales } = figures;
		const of = `${name} in ${currency}`;
		if (clicks + leads + conversions + sales > 0 && day > (lastDays.get(of) ?? '')) lastDays.set(of, day);
	}
	for (const { program_id, dimension, month, value, currency, last_day, ...figures } of rows.monthly) {
		if (!isClosed.has(`${program_id} ${dimension} ${month}`)) continue;
		const name = `program ${program_id}, ${month}, ${dimension} "${value}"`;
		kept.add(name, currency, figures);
		const lastDay = lastDays.get(`${name} in ${currency}`) ?? null;
		if (last_day !== lastDay) throw violated(closedMonths.name, `${name}: the last day is ${last_day}, should be ${lastDay}`);
	}
	const difference = kept.differenceFrom(due);
	if (difference !== undefined) throw violated(closedMonths.name, difference);
}

function checkSeen(sim: Simulation): void {
	for (const request of sim.journal.requests.slice(sim.firstOfStep)) if (isReport(request)) checkOne(sim, request);
}

function isReport(request: Request): request is Request<'report'> {
	return request.kind === 'report';
}

function checkOne(sim: Simulation, { id, answer, saw, now, params: { program, by, period } }: Request<'report'>): void {
	const row = saw?.programs.find((candidate) => candidate.id === program.id);
	if (answer?.state !== 'answered' || !saw || !row) return;
	const days = daysOf(period, dayIn(row.time_zone, now), dayIn(row.time_zone, row.created_at));
	const due = expectedOf(saw, row, days, by);
	const difference = differenceOf(answer.receipt.figures, due.figures);
	const which = `report ${id} of program ${program.id}${by === undefined ? '' : ` by ${by}`} over ${period}`;
	if (difference !== undefined) throw violated(seen.name, `${which}: ${difference}`);
	const [shown, values] = [answer.receipt.values.join(), due.values.join()];
	if (shown !== values) throw violated(seen.name, `${which}: rows are ${shown}, should be ${values}`);
	if (saw.outbox.some(({ program_id, moves }) => program_id === program.id && moves !== null)) sim.count('report while deltas wait');
}

function expectedOf(rows: Rows, program: Rows['programs'][number], days: Parameters<typeof expectedReport>[2], by: Seen['params']['by']) {
	return by === undefined ? { figures: expectedReport(rows, program, days), values: [] } : expectedBreakdown(rows, program, days, by);
}

function differenceOf(reported: ReportedFigures, due: ReportedFigures): string | undefined {
	for (const figure of new Set([...reported.keys(), ...due.keys()])) {
		const [is, should] = [reported.get(figure) ?? 0, due.get(figure) ?? 0];
		if (is !== should) return `${figure} is ${is}, should be ${should}`;
	}
	return undefined;
}
