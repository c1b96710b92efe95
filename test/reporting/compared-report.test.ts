import { beforeAll, describe, expect, test } from 'vitest';
import { DAY_MS } from '../../src/domain/calendar.ts';
import { atInstant } from '../support/at-instant.ts';
import { aFunnel, aSale, type Funnel, keepSignedIn, track } from '../support/funnel.ts';
import { aClickJob, askReport, deliverClicks, readDetailed } from '../support/report.ts';
import { unique } from '../support/world.ts';

// GET /api/tracking/performance/:programId compared with other days (decision 70)

const NOON = Date.parse('2026-05-09T12:00:00Z');
const BEFORE = NOON - 7 * DAY_MS;

let funnel: Funnel;
beforeAll(async () => {
	await keepSignedIn();
	funnel = await atInstant(BEFORE - DAY_MS, () => aFunnel());
	const job = await aClickJob(funnel, BEFORE, { country: 'DE', referrerUrl: null });
	await deliverClicks([job]);
	const customer_key = unique('customer');
	await atInstant(BEFORE + 1, async () => {
		await track('lead', { click_id: job.clickId, customer_key }, funnel.apiToken);
		await aSale(funnel, { customer_key, amount_cents: 5_000 });
	});
});

const of = (query: string) => atInstant(NOON, () => readDetailed(funnel, query));
const ask = (query: string) => atInstant(NOON, () => askReport(funnel.id, `?${query}`, funnel.owner.token));

/** The first and last day of the comparison. */
async function rangeOf(query: string) {
	const { data, previous, meta } = await of(query);
	expect(previous?.data).toHaveLength(data.length);
	expect(meta.previousPeriod.dateFrom.slice(0, 10)).toBe(previous?.data[0]?.date);
	return [previous?.data[0]?.date, previous?.data.at(-1)?.date];
}

describe('the days to compare with', () => {
	test('may be those of last year, or begin on any day', async () => {
		expect(await rangeOf('compare=last_year')).toEqual(['2025-05-03', '2025-05-09']);
		expect(await rangeOf('compare=last_year&match_weekdays=true')).toEqual(['2025-05-04', '2025-05-10']);
		expect(await rangeOf('compare=custom&compare_from=2024-02-26')).toEqual(['2024-02-26', '2024-03-03']);
		expect(await rangeOf('period=30d&compare=previous&match_weekdays=true')).toEqual(['2026-03-06', '2026-04-04']);
	});

	test.each(['', '&country=DE'])('far away or overlapping count each day once%s', async (filter) => {
		const day = '2026-05-02';
		const near = await of(`compare=custom&compare_from=${day}${filter}`);
		const far = await of(`dateFrom=2027-06-01&dateTo=2027-06-07&compare=custom&compare_from=${day}${filter}`);
		expect(far.previous).toEqual(near.previous);
		expect(near.previous?.data[0]).toMatchObject({ date: day, totalSales: 1, revenue: 50 });
		expect(far.metrics.salesTrend).toEqual({ trend: 100, trendDirection: 'down' });
	});

	test.each(['compare_from=nonsense', 'match_weekdays=nonsense', 'compare_from=2026-01-01&match_weekdays=true'])(
		'are not sent without compare: %s',
		async (query) => {
			const [plain, ignored] = [await ask(''), await ask(query)];
			expect([ignored.status, ignored.text]).toEqual([200, plain.text]);
		},
	);
});
