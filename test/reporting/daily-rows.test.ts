import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { type Dimension, DIMENSIONS } from '../../src/domain/reporting/breakdown.ts';
import { addDays, DAY_MS, dayOf } from '../../src/domain/calendar.ts';
import { closeMonths, compareMonths } from '../../src/reporting/closed-months.ts';
import { rollUpDay } from '../../src/reporting/roll-up-day.ts';
import { atInstant } from '../support/at-instant.ts';
import { contextAt } from '../support/clock.ts';
import { aFunnel, type Funnel, rows, keepSignedIn } from '../support/funnel.ts';
import { DAYS, DECIMALS, history, START, World } from '../support/history.ts';
import { rawBreakdownOf } from '../support/raw-breakdown.ts';
import { rawReportOf } from '../support/raw-report.ts';
import { type BreakdownReport, readBreakdown, readDetailed, readReport } from '../support/report.ts';
import { applyWaiting } from '../support/effects.ts';
import { runs } from '../support/runs.ts';

// The report from daily rows always equals the report from raw rows, to the cent (decision 25).

/** After the months that the histories cover. */
const LATER = Date.UTC(2026, 11, 20);

beforeAll(async () => {
	await keepSignedIn();
});

test('the report from daily rows equals that from raw rows after any history', async () => {
	await fc.assert(
		fc.asyncProperty(history, async ({ timeZone, currency: code, steps, asked }) => {
			const world = await atInstant(
				START,
				async () => new World(await aFunnel({ time_zone: timeZone, currency: code }), { timeZone, currency: code }),
			);
			for (const [index, each] of steps.entries()) {
				await world.take(each);
				if (index % 10 === 9) await expectAgreement(world, asked);
			}
			await expectAgreement(world, asked);
			await expectNoDrift(world);
			const { timeZone: zone } = world.settings;
			await closeMonths(contextAt(LATER), [{ id: world.funnel.id, timeZone: zone }]);
			for (const chooses of [(index: number) => index % 2 === 0, () => true]) {
				await atInstant(LATER, () => applyWaiting(world.funnel, chooses));
				await expectAgreement(world, asked);
				await expectNoDrift(world);
				for (const month of ['2026-10', '2026-11']) expect(await compareMonths(contextAt(LATER), [{ id: world.funnel.id, month }])).toBe(0);
			}
			expect(await daysThatHaveTooMuch(world.funnel)).toEqual([]);
		}),
		runs(10),
	);
});

/** Nothing is repaired, whatever is still waiting. */
async function expectNoDrift({ funnel, settings: { timeZone } }: World): Promise<void> {
	const repaired: number[] = [];
	for (let day = -1; day <= DAYS + 1; day += 6)
		repaired.push(await rollUpDay(contextAt(START), { id: funnel.id, timeZone }, dayOf(START + day * DAY_MS, timeZone)));
	expect(repaired.every((count) => count === 0)).toBe(true);
}

async function expectAgreement(world: World, asked: { from: number; days: number }): Promise<void> {
	const { funnel, settings: program } = world;
	const raw = await rawReportOf(funnel.id, { ...program, decimals: DECIMALS });
	const first = addDays(dayOf(START, program.timeZone), asked.from);
	const last = addDays(first, asked.days);
	const previous = { first: addDays(first, -asked.days - 1), last: addDays(first, -1) };
	const { data, metrics } = await readReport(funnel, `?dateFrom=${first}&dateTo=${last}`);
	expect(data).toEqual(raw.data({ first, last }));
	expect(metrics).toEqual(raw.metrics({ first, last }, previous));
	const all = await atInstant(START + (DAYS + 1) * DAY_MS, () => readReport(funnel, '?period=all'));
	const range = { first: all.data.at(0)?.date ?? '', last: all.data.at(-1)?.date ?? '' };
	expect([all.data, all.metrics]).toEqual([raw.data(range), raw.metrics(range, { first: '0000', last: '0000' })]);
	await expectBreakdownAgreement(world, { first, last });
	await expectFilteredAgreement(world, { first, last }, previous);
}

async function expectBreakdownAgreement(world: World, range: { first: string; last: string }): Promise<void> {
	const raw = await rawBreakdownOf(world, { ...world.settings, decimals: DECIMALS });
	for (const by of DIMENSIONS) {
		const { data } = await readBreakdown(world.funnel, `by=${by}&limit=200&dateFrom=${range.first}&dateTo=${range.last}`);
		expect({ by, data }).toEqual({ by, data: raw(by, range) });
	}
}

const PARAMETERS = { partner: 'partner_id', link: 'link_id', product: 'product_id', country: 'country', source: 'source' } as const;

/** A filtered report equals its breakdown row, and the previous range equals that range's row. */
async function expectFilteredAgreement(world: World, range: Range, previous: Range): Promise<void> {
	const raw = await rawBreakdownOf(world, { ...world.settings, decimals: DECIMALS });
	for (const by of DIMENSIONS) {
		const rowsBefore = raw(by, previous);
		const values = [...raw(by, range), ...rowsBefore].map(({ value }) => value).filter((value) => value !== null);
		// One value is enough, because there are many histories.
		for (const value of values.slice(0, 1)) {
			const filter = `${PARAMETERS[by]}=${encodeURIComponent(value)}`;
			const dates = `dateFrom=${range.first}&dateTo=${range.last}`;
			const { metrics, previous: before } = await readDetailed(world.funnel, `${dates}&compare=previous&${filter}`);
			const rowOf = (of: ReturnType<typeof raw>) => of.find((row) => row.value === value);
			expect({ filter, ...sumsOf(metrics, by) }).toEqual({ filter, ...shownOf(rowOf(raw(by, range)), by) });
			expect({ filter, ...(before && sumsOf(before.metrics, by)) }).toEqual({ filter, ...shownOf(rowOf(rowsBefore), by) });
			const { data } = await readBreakdown(world.funnel, `by=${by}&${dates}&${filter}`);
			expect({ filter, data }).toEqual({ filter, data: raw(by, range).filter((row) => row.value === value) });
		}
	}
}

type Range = Parameters<Awaited<ReturnType<typeof rawBreakdownOf>>>[1];
type Sums = Omit<NonNullable<Awaited<ReturnType<typeof readDetailed>>['previous']>['metrics'], 'totalLeads' | 'totalPartners'>;

function sumsOf({ totalClicks, totalSignups, totalConversions, totalSales, totalRevenue, netCommission }: Sums, by: Dimension) {
	const counts = by === 'product' ? {} : { clicks: totalClicks, leads: totalSignups, conversions: totalConversions };
	return { ...counts, sales: totalSales, revenue: totalRevenue, netCommission };
}

/** Two decimals even for a currency with three. */
function rounded(amount: number): number {
	return Math.round(amount * 100 + 1e-9) / 100;
}

function shownOf(row: BreakdownReport['data'][number] | undefined, by: Dimension) {
	const { clicks = 0, leads = 0, conversions = 0, sales = 0, revenue = 0, netCommission = 0 } = row ?? {};
	return {
		...(by === 'product' ? {} : { clicks, leads, conversions }),
		sales,
		revenue: rounded(revenue),
		netCommission: rounded(netCommission),
	};
}

/**
 * Once everything is applied, the breakdown's rows sum to at most the daily row, and the clicks over all links to exactly the day's clicks.
 */
function daysThatHaveTooMuch(funnel: Funnel) {
	return rows(
		`WITH part AS (
			SELECT dimension, day, currency, sum(clicks) AS clicks, sum(leads) AS leads, sum(conversions) AS conversions, sum(sales) AS sales,
				sum(revenue_cents) AS revenue, sum(refunded_cents) AS refunded, sum(commission_cents) AS commission, sum(deducted_cents) AS deducted
			FROM daily_breakdown WHERE program_id = ?1 GROUP BY dimension, day, currency
		)
		SELECT * FROM part LEFT JOIN daily_performance AS whole ON whole.program_id = ?1 AND whole.day = part.day AND whole.currency = part.currency
		WHERE max(part.clicks - coalesce(whole.clicks, 0), part.leads - coalesce(whole.leads, 0),
				part.conversions - coalesce(whole.conversions, 0), part.sales - coalesce(whole.sales, 0),
				part.revenue - coalesce(whole.revenue_cents, 0), part.refunded - coalesce(whole.refunded_cents, 0),
				part.commission - coalesce(whole.commission_cents, 0), part.deducted - coalesce(whole.deducted_cents, 0)) > 0
			OR (dimension = 'link' AND part.clicks <> coalesce(whole.clicks, 0))`,
		funnel.id,
	);
}
