import { beforeAll, describe, expect, test } from 'vitest';
import { DAY_MS, dayOf, HOUR_MS, MINUTE_MS } from '../../src/domain/calendar.ts';
import { rollUpDay } from '../../src/reporting/roll-up-day.ts';
import { atInstant } from '../support/at-instant.ts';
import { contextAt } from '../support/clock.ts';
import { tick } from '../support/deliver.ts';
import { aFunnel, aPartner, type Funnel, rows, keepSignedIn } from '../support/funnel.ts';
import { api } from '../support/world.ts';
import { aClickJob, aLeadAlone, clicksAt, deliverClicks, readReport } from '../support/report.ts';
import { applyWaiting, aWaitingSale, countWaiting } from '../support/effects.ts';

const NOON = Date.parse('2026-05-02T12:00:00Z');
const TODAY = '2026-05-02';

beforeAll(async () => {
	await keepSignedIn();
});

describe('clicks are counted in the batch that inserts them', () => {
	test('once each, however often they are delivered', async () => {
		const funnel = await aWorld();
		const other = await aWorld();
		const jobs = await Promise.all([
			aClickJob(funnel, NOON),
			aClickJob(funnel, NOON + 1),
			aClickJob(funnel, NOON - DAY_MS),
			aClickJob(other, NOON),
		]);
		await deliverClicks([...jobs, ...jobs]);
		await Promise.all([deliverClicks(jobs), deliverClicks(jobs.toReversed())]);
		expect(await clicksOf(funnel)).toEqual({ '2026-05-01': 1, [TODAY]: 2 });
		expect(await clicksOf(other)).toEqual({ [TODAY]: 1 });
	});

	test('across the statements of a large delivery too', async () => {
		const funnel = await aWorld();
		const jobs = await Promise.all(Array.from({ length: 60 }, (_, index) => aClickJob(funnel, NOON + index)));
		await deliverClicks([...jobs, ...jobs.slice(0, 40)]);
		expect(await clicksOf(funnel)).toEqual({ [TODAY]: 60 });
	});

	test("on the day in the program's current time zone", async () => {
		const funnel = await aWorld();
		const job = await aClickJob(funnel, NOON);
		const { status } = await api(`/api/v1/programs/${funnel.id}`, {
			method: 'PATCH',
			token: funnel.owner.token,
			body: { time_zone: 'Pacific/Kiritimati' },
		});
		expect(status).toBe(200);
		await deliverClicks([job]);
		expect(await clicksOf(funnel)).toEqual({ [dayOf(NOON, 'Pacific/Kiritimati')]: 1 });
	});

	test('not at all if the insert fails', async () => {
		const funnel = await aWorld();
		const good = await aClickJob(funnel, NOON);
		const bad = await aClickJob(funnel, NOON, { referralLinkId: 999_999_999 });
		await expect(deliverClicks([good, bad])).rejects.toThrow('1 clicks were not acknowledged');
		expect(await clicksOf(funnel)).toEqual({ [TODAY]: 1 });
	});

	test('and no longer after they are deleted and the roll-up has run', async () => {
		const funnel = await aWorld();
		await clicksAt(funnel, '2026-05-02T12:00:00.000Z', 3);
		await rows('DELETE FROM affiliate_click_events WHERE program_id = ? AND clicked_at > ?', funnel.id, NOON);
		expect(await rollUp(funnel)).toMatchObject({ repaired: 2, lines: [{ clicks: '3 -> 1' }, { dimension: 'link', clicks: '3 -> 1' }] });
		expect(await clicksOf(funnel)).toEqual({ [TODAY]: 1 });
	});
});

test('the roll-up counts a partner-program that was inserted or deleted by hand', async () => {
	const funnel = await aWorld();
	await applyWaiting(funnel);
	const partner = await aPartner(funnel.owner, (await aWorld()).id);
	const [joined] = await rows<{ id: number }>(
		`INSERT INTO partner_programs (program_id, partner_id, status, created_at, created_day) VALUES (?, ?, 'active', ?, ?) RETURNING id`,
		funnel.id,
		partner.partnerId,
		NOON,
		TODAY,
	);
	const partners = async () => (await dailyRowsOf(funnel)).map((row) => row['partners']);
	expect((await rollUp(funnel)).lines).toMatchObject([{ partners: '1 -> 2' }]);
	expect(await partners()).toEqual([2]);
	await rows('DELETE FROM partner_programs WHERE id = ?', joined?.id);
	expect((await rollUp(funnel)).lines).toMatchObject([{ partners: '2 -> 1' }]);
	expect(await partners()).toEqual([1]);
});

describe('drift is repaired and logged', () => {
	test.each([
		['clicks = clicks + 5', 'clicks', '8 -> 3'],
		['leads = 0', 'leads', '0 -> 1'],
		['open_leads = -1', 'open_leads', '-1 -> 0'],
		['conversions = 7', 'conversions', '7 -> 1'],
		['partners = 0', 'partners', '0 -> 1'],
		['sales = sales - 1', 'sales', '0 -> 1'],
		['revenue_cents = 1', 'revenue_cents', '1 -> 10000'],
		['refunded_cents = 1', 'refunded_cents', '1 -> 0'],
		['commission_cents = commission_cents * 2', 'commission_cents', '4000 -> 2000'],
		['deducted_cents = 999', 'deducted_cents', '999 -> 0'],
	])('%s', async (fault, figure, change) => {
		const funnel = await aBusyWorld();
		const before = await dailyRowsOf(funnel);
		await rows(`UPDATE daily_performance SET ${fault} WHERE program_id = ?`, funnel.id);
		const { repaired, lines } = await rollUp(funnel);
		expect(repaired).toBe(1);
		expect(lines).toEqual([
			{ level: 'warn', event: 'daily_row_repaired', programId: funnel.id, day: TODAY, currency: 'USD', [figure]: change },
		]);
		expect(await dailyRowsOf(funnel)).toEqual(before);
		expect((await rollUp(funnel)).repaired).toBe(0);
	});

	test.each([
		['clicks', 3],
		['leads', 0],
		['open_leads', 0],
		['conversions', 0],
		['partners', 0],
		['sales', 0],
		['revenue_cents', 0],
		['refunded_cents', 0],
		['commission_cents', 0],
		['deducted_cents', 0],
	])('with deltas waiting, which are not drift: %s', async (figure, kept) => {
		const funnel = await aWaitingWorld();
		const [before, report] = [await dailyRowsOf(funnel), await atInstant(NOON, () => readReport(funnel))];
		expect((await rollUp(funnel)).repaired).toBe(0);
		await rows(`UPDATE daily_performance SET ${figure} = ${figure} + 5 WHERE program_id = ?`, funnel.id);
		const { repaired, lines } = await rollUp(funnel);
		expect(repaired).toBe(1);
		expect(lines).toEqual([
			{
				level: 'warn',
				event: 'daily_row_repaired',
				programId: funnel.id,
				day: TODAY,
				currency: 'USD',
				[figure]: `${kept + 5} -> ${kept}`,
			},
		]);
		expect(await dailyRowsOf(funnel)).toEqual(before);
		expect(await countWaiting(funnel)).toBe(3);
		await applyWaiting(funnel);
		expect(await atInstant(NOON, () => readReport(funnel))).toEqual(report);
		expect((await rollUp(funnel)).repaired).toBe(0);
	});

	test('and waiting deltas are neither lost nor counted twice if rows are missing', async () => {
		const funnel = await aWaitingWorld();
		const report = await atInstant(NOON, () => readReport(funnel));
		await applyWaiting(funnel, (index) => index === 1);
		await rows('DELETE FROM daily_performance WHERE program_id = ?', funnel.id);
		expect((await rollUp(funnel)).repaired).toBe(1);
		expect(await atInstant(NOON, () => readReport(funnel))).toEqual(report);
		await applyWaiting(funnel);
		expect(await atInstant(NOON, () => readReport(funnel))).toEqual(report);
		expect((await rollUp(funnel)).repaired).toBe(0);
	});

	test('missing rows are restored, and a row of an unused currency is set to zero', async () => {
		const funnel = await aBusyWorld();
		const before = await dailyRowsOf(funnel);
		await rows('UPDATE daily_performance SET currency = ? WHERE program_id = ?', 'EUR', funnel.id);
		expect((await rollUp(funnel)).repaired).toBe(2);
		expect((await dailyRowsOf(funnel)).filter((row) => row['currency'] === 'USD')).toEqual(before);
		expect((await atInstant(NOON, () => readReport(funnel))).metrics.currencies).toEqual({});
		await rows('DELETE FROM daily_performance WHERE program_id = ?', funnel.id);
		expect((await rollUp(funnel)).repaired).toBe(1);
		expect(await dailyRowsOf(funnel)).toEqual(before);
	});

	test('a quiet day gets no row', async () => {
		const funnel = await aWorld();
		expect(await rollUpDay(contextAt(NOON), { id: funnel.id, timeZone: 'UTC' }, '2026-05-01')).toBe(0);
		expect(await rows('SELECT * FROM daily_performance WHERE program_id = ? AND day = ?', funnel.id, '2026-05-01')).toEqual([]);
	});

	test('by cron: today and yesterday within the hour, and over time every closed day', async () => {
		const funnel = await aBusyWorld();
		const later = NOON + 3 * DAY_MS;
		await atInstant(later, () => clicksAt(funnel, '2026-05-05T10:00:00.000Z', 2));
		await rows('UPDATE daily_performance SET clicks = clicks + 100 WHERE program_id = ?', funnel.id);
		const turn = turnOf(funnel, later);
		await atInstant(turn, () => tick());
		expect(await clicksOf(funnel)).toMatchObject({ '2026-05-05': 2 });
		// Two days are closed, so they are verified one after another.
		await atInstant(turnOf(funnel, turn + MINUTE_MS), () => tick());
		expect(await clicksOf(funnel)).toEqual({ [TODAY]: 3, '2026-05-05': 2 });
	});

	test('without losing concurrent changes', async () => {
		const funnel = await aBusyWorld();
		const jobs = await Promise.all(Array.from({ length: 30 }, (_, index) => aClickJob(funnel, NOON + 500 + index)));
		await rows('UPDATE daily_performance SET clicks = clicks + 5 WHERE program_id = ?', funnel.id);
		await Promise.all(jobs.flatMap((job) => [deliverClicks([job]), rollUp(funnel)]));
		expect(await clicksOf(funnel)).toEqual({ [TODAY]: 33 });
	});

	test('a partner whose day is missing or from an earlier zone gets a day', async () => {
		const funnel = await aWorld();
		for (const day of [null, '2026-05-01']) {
			await rows('UPDATE partner_programs SET created_day = ? WHERE program_id = ?', day, funnel.id);
			await atInstant(turnOf(funnel, NOON + HOUR_MS), () => tick());
			const { data } = await atInstant(NOON, () => readReport(funnel));
			expect(data.slice(-2).map((row) => row.partners)).toEqual([0, 1]);
		}
	});
});

function aWorld(): Promise<Funnel> {
	return atInstant(NOON, () => aFunnel());
}

/** 3 clicks, and a lead who bought for 100.00. */
async function aBusyWorld(): Promise<Funnel> {
	const funnel = await aWaitingWorld();
	await applyWaiting(funnel);
	return funnel;
}

/** Only the clicks are applied. */
async function aWaitingWorld(): Promise<Funnel> {
	const funnel = await aWorld();
	await atInstant(NOON, async () => aWaitingSale(funnel, { customer_key: await aLeadAlone(funnel) }));
	await clicksAt(funnel, '2026-05-02T11:00:00.000Z', 3);
	return funnel;
}

async function rollUp(funnel: Funnel) {
	const lines: object[] = [];
	const repaired = await rollUpDay({ ...contextAt(NOON), log: (line) => lines.push(line) }, { id: funnel.id, timeZone: 'UTC' }, TODAY);
	return { repaired, lines };
}

/** The next minute from `from` in which the roll-up verifies the program. */
function turnOf(funnel: Funnel, from: number): number {
	for (let minute = Math.ceil(from / MINUTE_MS); ; minute += 1) if (minute % 60 === funnel.id % 60) return minute * MINUTE_MS;
}

function dailyRowsOf(funnel: Funnel) {
	return rows('SELECT * FROM daily_performance WHERE program_id = ? ORDER BY day, currency', funnel.id);
}

async function clicksOf(funnel: Funnel): Promise<Record<string, number>> {
	const found = await rows<{ day: string; clicks: number }>(
		'SELECT day, sum(clicks) AS clicks FROM daily_performance WHERE program_id = ? GROUP BY day HAVING sum(clicks) > 0 ORDER BY day',
		funnel.id,
	);
	return Object.fromEntries(found.map(({ day, clicks }) => [day, clicks]));
}
