import type { Context } from '../../src/context.ts';
import { readBreakdown } from '../../src/reporting/read-breakdown.ts';
import { readPerformance } from '../../src/reporting/read-performance.ts';
import type { Seen } from '../world/journal.ts';
import { rowName, figureName } from '../world/oracle-of-reports.ts';
import type { Random } from '../../testing/random.ts';
import type { Simulation } from '../world/simulation.ts';
import { type Program, sessionOf } from '../world/world.ts';
import { aProgram, insist, type Operation } from './operation.ts';

/** Reads while metric deltas are waiting. */
export const report: Operation = { kind: 'report', weight: 12, races: true, run: look };

const BY = ['partner', 'link', 'product', 'country', 'source'] as const;

async function look(sim: Simulation, random: Random): Promise<void> {
	const params = {
		program: aProgram(random),
		by: random.chance(0.4) ? undefined : random.pick(BY),
		period: random.pick(['7d', '30d', 'all'] as const),
	};
	await insist(random, () => sim.request('report', params, (ctx) => see(ctx, params.program, params.by, params.period)));
}

export type ReportParams = Seen['params'];

export function see(ctx: Context, program: Program, by: ReportParams['by'], period: ReportParams['period']): Promise<Seen['receipt']> {
	const range = { period, dates: undefined };
	return by === undefined ? seeReport(ctx, program, range) : seeRows(ctx, program, { by, range, limit: 100, cursor: undefined });
}

async function seeReport(ctx: Context, program: Program, range: Parameters<typeof readPerformance>[3]): Promise<Seen['receipt']> {
	const { data, metrics } = await readPerformance(ctx, sessionOf(program), program.id, range);
	const figures = new Map<string, number>();
	for (const { date, clicks, leads, conversions, partners, revenue, commission, currencies = {} } of data) {
		note(figures, date, 'own', { clicks, leads, conversions, partners, revenue, commission });
		for (const [code, amounts] of Object.entries(currencies)) note(figures, date, code, amounts);
	}
	const { totalClicks, totalLeads, totalSignups, totalConversions, totalPartners, totalSales } = metrics;
	const counts = {
		clicks: totalClicks,
		open_leads: totalLeads,
		leads: totalSignups,
		conversions: totalConversions,
		partners: totalPartners,
	};
	const foreign = Object.entries(metrics.currencies);
	const ownSales = foreign.reduce((sales, [, amounts]) => sales - amounts.totalSales, totalSales);
	for (const [code, amounts] of [['own', { ...metrics, totalSales: ownSales }] as const, ...foreign]) {
		const { totalRevenue: revenue, netRevenue: net_revenue, totalPartnersCommission: commission, netCommission: net_commission } = amounts;
		note(figures, 'all', code, { sales: amounts.totalSales, revenue, net_revenue, commission, net_commission });
	}
	note(figures, 'all', 'own', counts);
	return { figures, values: [] };
}

async function seeRows(ctx: Context, program: Program, params: Parameters<typeof readBreakdown>[3]): Promise<Seen['receipt']> {
	const { rows } = await readBreakdown(ctx, sessionOf(program), program.id, params);
	const figures = new Map<string, number>();
	for (const { value, label, clicks, leads, conversions, currencies = {}, ...own } of rows) {
		const of = rowName(value, label);
		const foreign = Object.entries(currencies);
		const ownSales = foreign.reduce((sales, [, amounts]) => sales - amounts.sales, own.sales);
		note(figures, of, 'own', { clicks: clicks ?? 0, leads: leads ?? 0, conversions: conversions ?? 0 });
		for (const [code, { revenue, netRevenue: net_revenue, sales, commission, netCommission: net_commission }] of [
			['own', { ...own, sales: ownSales }] as const,
			...foreign,
		])
			note(figures, of, code, { revenue, net_revenue, sales, commission, net_commission });
	}
	return { figures, values: rows.map(({ value, label }) => rowName(value, label)) };
}

function note(figures: Map<string, number>, of: string, currency: string, amounts: Readonly<Record<string, number>>): void {
	for (const [figure, amount] of Object.entries(amounts)) figures.set(figureName(of, currency, figure), amount);
}
