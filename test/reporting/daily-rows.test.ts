import { env } from 'cloudflare:workers';
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { DIMENSIONS } from '../../src/domain/breakdown.ts';
import { addDays, DAY_MS, dayOf } from '../../src/domain/calendar.ts';
import { rollUpDay } from '../../src/reporting/roll-up-day.ts';
import { atInstant } from '../support/at-instant.ts';
import { contextAt } from '../support/clock.ts';
import { aFunnel, type Funnel, rows, sharedOwner } from '../support/funnel.ts';
import { DAYS, DECIMALS, history, START, World } from '../support/history.ts';
import { rawBreakdownOf } from '../support/raw-breakdown.ts';
import { rawReportOf } from '../support/raw-report.ts';
import { readBreakdown, readReport } from '../support/report.ts';

// Decision 25: the answer from the daily rows equals the answer from raw rows, to the cent, always.

beforeAll(async () => {
	const owner = await sharedOwner();
	await env.DB.prepare('UPDATE sessions SET expires_at = ? WHERE user_id = ?')
		.bind(Date.UTC(2030, 0, 1), owner.userId)
		.run();
});

test('the report from daily rows is the report from raw rows, whatever has happened', { timeout: 120_000 }, async () => {
	await fc.assert(
		fc.asyncProperty(history, async ({ timeZone, currency: code, steps, asked }) => {
			const world = await atInstant(START, async () => new World(await aFunnel({ time_zone: timeZone, currency: code }), timeZone));
			for (const [index, each] of steps.entries()) {
				await world.take(each);
				if (index % 10 === 9) await expectAgreement(world, { timeZone, currency: code }, asked);
			}
			await expectAgreement(world, { timeZone, currency: code }, asked);
			// Nothing has drifted, so there is nothing to repair.
			const program = { id: world.funnel.id, timeZone };
			const repaired: number[] = [];
			for (let day = -1; day <= DAYS + 1; day += 6)
				repaired.push(await rollUpDay(contextAt(START), program, dayOf(START + day * DAY_MS, timeZone)));
			expect(repaired.every((count) => count === 0)).toBe(true);
		}),
		{ numRuns: 25 },
	);
});

async function expectAgreement(
	world: World,
	program: { timeZone: string; currency: string },
	asked: { from: number; days: number },
): Promise<void> {
	const { funnel } = world;
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
	await expectBreakdownAgreement(world, program, { first, last });
	expect(await daysThatDoNotAddUp(funnel)).toEqual([]);
}

async function expectBreakdownAgreement(
	world: World,
	program: { timeZone: string; currency: string },
	range: { first: string; last: string },
): Promise<void> {
	const raw = await rawBreakdownOf(world, { ...program, decimals: DECIMALS });
	for (const by of DIMENSIONS) {
		const { data } = await readBreakdown(world.funnel, `by=${by}&limit=200&dateFrom=${range.first}&dateTo=${range.last}`);
		expect({ by, data }).toEqual({ by, data: raw(by, range) });
	}
}

/** Over the values of a dimension the rows of a day add up to the daily row; those of products as to sales only. */
function daysThatDoNotAddUp(funnel: Funnel) {
	return rows(
		`WITH whole AS (SELECT * FROM daily_performance WHERE program_id = ?1), part AS (SELECT * FROM daily_breakdown WHERE program_id = ?1)
		SELECT dimension.value AS dimension, whole.day, whole.currency
		FROM json_each('["partner", "link", "product", "country", "source"]') AS dimension JOIN whole
		LEFT JOIN part ON part.dimension = dimension.value AND part.day = whole.day AND part.currency = whole.currency
		GROUP BY 1, 2, 3
		HAVING (whole.sales, whole.revenue_cents, whole.refunded_cents, whole.commission_cents, whole.deducted_cents) <> (
				coalesce(sum(part.sales), 0), coalesce(sum(part.revenue_cents), 0), coalesce(sum(part.refunded_cents), 0),
				coalesce(sum(part.commission_cents), 0), coalesce(sum(part.deducted_cents), 0))
			OR (dimension.value <> 'product' AND (whole.clicks, whole.leads, whole.conversions) <>
				(coalesce(sum(part.clicks), 0), coalesce(sum(part.leads), 0), coalesce(sum(part.conversions), 0)))`,
		funnel.id,
	);
}
