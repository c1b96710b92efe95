import { beforeAll, describe, expect, test } from 'vitest';
import { DAY_MS } from '../../src/domain/calendar.ts';
import { rollUpDay } from '../../src/reporting/roll-up-day.ts';
import { atInstant } from '../support/at-instant.ts';
import { contextAt, linkIdOf } from '../support/clock.ts';
import { aFunnel, aPartner, aSale, type Funnel, rows, keepSignedIn, track } from '../support/funnel.ts';
import { aReversalFact, reportReversal, undone } from '../support/payments.ts';
import { aClickJob, deliverClicks, readBreakdown } from '../support/report.ts';
import { applyWaiting, aWaitingSale } from '../support/effects.ts';
import { api, unique } from '../support/world.ts';

// How the breakdown's daily rows are maintained and repaired.

const NOON = Date.parse('2026-05-02T12:00:00Z');
const TODAY = '2026-05-02';

beforeAll(async () => {
	await keepSignedIn();
});

describe('clicks are counted under all their values', () => {
	test('once each, however often they are delivered', async () => {
		const funnel = await aWorld();
		const other = await aWorld();
		const jobs = await Promise.all([
			aClickJob(funnel, NOON, { country: 'DE' }),
			aClickJob(funnel, NOON + 1, { country: 'DE', referrerUrl: 'https://www.t.co/' }),
			aClickJob(funnel, NOON + 2, { country: 'US', isBot: true }),
			aClickJob(funnel, NOON + 3, { country: 'US', isTest: true }),
			aClickJob(other, NOON, { country: 'FR' }),
		]);
		await deliverClicks([...jobs, ...jobs]);
		await Promise.all([deliverClicks(jobs), deliverClicks(jobs.toReversed())]);
		expect(await clicksBy(funnel, 'country')).toEqual({ DE: 2 });
		expect(await clicksBy(funnel, 'source')).toEqual({ 't.co': 1 });
		expect(await seenBy(funnel, 'source')).toEqual([
			['t.co', 1],
			[null, 1],
		]);
		expect(await seenBy(funnel, 'partner')).toEqual([[funnel.partnerId, 2]]);
		expect(Object.values(await clicksBy(funnel, 'link'))).toEqual([2]);
		expect(await clicksBy(funnel, 'product')).toEqual({});
		expect(await clicksBy(other, 'country')).toEqual({ FR: 1 });
	});

	test('for several programs, partners and days in one delivery', async () => {
		const funnel = await aWorld();
		const second = { ...funnel, ...(await aPartner(funnel.owner, funnel.id)) };
		const other = await aWorld();
		const jobs = await Promise.all(
			Array.from({ length: 60 }, (_, index) =>
				aClickJob([funnel, second, other][index % 3] ?? funnel, NOON + index, { country: ['DE', 'US'][index % 2] ?? null }),
			),
		);
		await deliverClicks([...jobs, ...jobs.slice(0, 40), await aClickJob(second, NOON - DAY_MS, { country: 'DE' })]);
		expect(await seenBy(funnel, 'partner', '2026-05-02')).toEqual([
			[second.partnerId, 20],
			[funnel.partnerId, 20],
		]);
		expect(await clicksBy(funnel, 'country')).toEqual({ DE: 20, US: 20 });
		expect(await seenBy(funnel, 'partner', '2026-05-01')).toEqual([[second.partnerId, 1]]);
		expect(await clicksBy(other, 'country')).toEqual({ DE: 10, US: 10 });
	});

	test('not at all if the insert fails', async () => {
		const funnel = await aWorld();
		const good = await aClickJob(funnel, NOON, { country: 'DE' });
		const bad = await aClickJob(funnel, NOON, { referralLinkId: 999_999_999, country: 'DE' });
		await expect(deliverClicks([good, bad])).rejects.toThrow('1 clicks were not acknowledged');
		expect(await clicksBy(funnel, 'country')).toEqual({ DE: 1 });
	});

	test('even from an earlier queue message without a source', async () => {
		const funnel = await aWorld();
		await deliverClicks([await aClickJob(funnel, NOON, { referrerUrl: 'https://news.example/a' })]);
		expect(await clicksBy(funnel, 'source')).toEqual({ 'news.example': 1 });
	});
});

test('a rejected and a reinstated commission change the net', async () => {
	const funnel = await aWorld();
	const { commissionId, transactionId } = await atInstant(NOON, () => aSale(funnel, { product_id: 'pro' }));
	const refund = aReversalFact([transactionId], 5_000);
	const net = async () => (await report(funnel, 'product')).data.map(({ commission, netCommission }) => [commission, netCommission]);
	await atInstant(NOON, () => reportReversal(funnel, refund));
	expect(await net()).toEqual([[20, 10]]);
	await applyWaiting(funnel, (index) => index % 2 === 0);
	await atInstant(NOON, () => reportReversal(funnel, undone(refund)));
	expect(await net()).toEqual([[20, 20]]);
	const reject = { token: funnel.owner.token, body: { commission_ids: [commissionId], reason: 'No' } };
	expect((await atInstant(NOON, () => api(`/api/v1/programs/${funnel.id}/commissions/reject`, reject))).status).toBe(200);
	expect(await net()).toEqual([[20, 0]]);
	expect(await rollUp(funnel)).toEqual([]);
	await applyWaiting(funnel);
	expect(await net()).toEqual([[20, 0]]);
	expect(await rollUp(funnel)).toEqual([]);
});

test("the counts follow the program's currency", async () => {
	const funnel = await aWorld();
	const job = await aClickJob(funnel, NOON, { country: 'DE' });
	await deliverClicks([job]);
	await atInstant(NOON, () => track('lead', { customer_key: unique('customer') }, funnel.apiToken));
	await atInstant(NOON, () => track('lead', { click_id: job.clickId, customer_key: unique('customer') }, funnel.apiToken));
	for (const currency of ['EUR', 'JPY']) {
		await api(`/api/v1/programs/${funnel.id}`, { method: 'PATCH', token: funnel.owner.token, body: { currency } });
		expect(new Set((await breakdownOf(funnel)).map((row) => row['currency']))).toEqual(new Set([currency]));
		const { data } = await report(funnel, 'country');
		expect(data.map((row) => [row.value, row.clicks, row.leads, 'currencies' in row])).toEqual([
			['DE', 1, 1, false],
			[null, 0, 1, false],
		]);
		expect(await rollUp(funnel)).toEqual([]);
		await applyWaiting(funnel, (index) => index === 1);
	}
	await applyWaiting(funnel);
	expect(new Set((await breakdownOf(funnel)).map((row) => row['currency']))).toEqual(new Set(['JPY']));
	expect(await rollUp(funnel)).toEqual([]);
});

describe('drift is repaired and logged', () => {
	test.each([
		['clicks', 'clicks = clicks + 5', 'country', 'DE', '7 -> 2'],
		['leads', 'leads = 9', 'link', undefined, '9 -> 1'],
		['conversions', 'conversions = 0', 'link', undefined, '0 -> 1'],
		['sales', 'sales = sales - 1', 'product', 'pro', '0 -> 1'],
		['revenue_cents', 'revenue_cents = 1', 'source', 't.co', '1 -> 10000'],
		['refunded_cents', 'refunded_cents = 1', 'product', 'pro', '1 -> 0'],
		['commission_cents', 'commission_cents = commission_cents * 2', 'country', 'DE', '4000 -> 2000'],
		['deducted_cents', 'deducted_cents = 999', 'source', 't.co', '999 -> 0'],
	])('%s', async (figure, fault, dimension, value, repair) => {
		const funnel = await aBusyWorld();
		const of = value ?? String(await linkIdOf(funnel));
		const before = await breakdownOf(funnel);
		const touched = await rows(
			`UPDATE daily_breakdown SET ${fault} WHERE program_id = ? AND dimension = ? AND value = ? RETURNING 1`,
			funnel.id,
			dimension,
			of,
		);
		expect(touched).toHaveLength(1);
		expect(await rollUp(funnel)).toEqual([
			{
				level: 'warn',
				event: 'breakdown_row_repaired',
				programId: funnel.id,
				day: TODAY,
				dimension,
				value: of,
				currency: 'USD',
				[figure]: repair,
			},
		]);
		expect(await breakdownOf(funnel)).toEqual(before);
		expect(await rollUp(funnel)).toEqual([]);
	});

	test.each([
		['clicks', 2],
		['leads', 0],
		['conversions', 0],
		['sales', 0],
		['revenue_cents', 0],
		['refunded_cents', 0],
		['commission_cents', 0],
		['deducted_cents', 0],
	])('with deltas waiting, which are not drift: %s', async (figure, kept) => {
		const funnel = await aWaitingWorld();
		const before = await breakdownOf(funnel);
		const seen = async () => [await report(funnel, 'country'), await report(funnel, 'link'), await report(funnel, 'product')];
		const reports = await seen();
		expect(await rollUp(funnel)).toEqual([]);
		await rows(`UPDATE daily_breakdown SET ${figure} = ${figure} + 5 WHERE program_id = ? AND dimension = 'country'`, funnel.id);
		const of = { event: 'breakdown_row_repaired', dimension: 'country', value: 'DE', [figure]: `${kept + 5} -> ${kept}` };
		expect(await rollUp(funnel)).toEqual([expect.objectContaining(of)]);
		expect(await breakdownOf(funnel)).toEqual(before);
		await applyWaiting(funnel);
		expect(await seen()).toEqual(reports);
		expect(await rollUp(funnel)).toEqual([]);
	});

	test('missing rows are restored, and wrong rows are set to zero', async () => {
		const funnel = await aBusyWorld();
		const before = await breakdownOf(funnel);
		await rows(`UPDATE daily_breakdown SET value = value || '!' WHERE program_id = ? AND dimension IN ('country', 'product')`, funnel.id);
		expect(await rollUp(funnel)).toHaveLength(4);
		expect((await breakdownOf(funnel)).filter((row) => !String(row['value']).endsWith('!'))).toEqual(before);
		expect((await report(funnel, 'country')).data.map(({ value }) => value)).toEqual(['DE', null]);
		await rows('DELETE FROM daily_breakdown WHERE program_id = ?', funnel.id);
		expect(await rollUp(funnel)).toHaveLength(before.length);
		expect(await breakdownOf(funnel)).toEqual(before);
	});

	test('only on that day, and a quiet day gets no rows', async () => {
		const funnel = await aBusyWorld();
		expect(await rollUpDay(contextAt(NOON), { id: funnel.id, timeZone: 'UTC' }, '2026-05-01')).toBe(0);
		expect((await breakdownOf(funnel)).every((row) => row['day'] === TODAY)).toBe(true);
	});

	test('without losing concurrent changes', async () => {
		const funnel = await aBusyWorld();
		const jobs = await Promise.all(Array.from({ length: 30 }, (_, index) => aClickJob(funnel, NOON + 500 + index, { country: 'DE' })));
		await rows('UPDATE daily_breakdown SET clicks = clicks + 5 WHERE program_id = ? AND dimension = ?', funnel.id, 'country');
		await Promise.all(jobs.flatMap((job) => [deliverClicks([job]), rollUp(funnel)]));
		expect(await clicksBy(funnel, 'country')).toEqual({ DE: 32 });
	});
});

function aWorld(): Promise<Funnel> {
	return atInstant(NOON, () => aFunnel());
}

/** 2 clicks: one with a purchase of a product for 100.00, one with a lead. Also a direct lead. */
async function aBusyWorld(): Promise<Funnel> {
	const funnel = await aWaitingWorld();
	await applyWaiting(funnel);
	return funnel;
}

/** Only the clicks are applied. */
async function aWaitingWorld(): Promise<Funnel> {
	const funnel = await aWorld();
	const job = await aClickJob(funnel, NOON, { country: 'DE', referrerUrl: 'https://t.co/' });
	const second = await aClickJob(funnel, NOON + 1, { country: 'DE', referrerUrl: 'https://t.co/' });
	await deliverClicks([job, second]);
	await atInstant(NOON + 2, async () => {
		await aWaitingSale(funnel, { click_id: job.clickId, product_id: 'pro' });
		await track('lead', { click_id: second.clickId, customer_key: unique('lead') }, funnel.apiToken);
		await track('lead', { customer_key: unique('direct') }, funnel.apiToken);
	});
	return funnel;
}

async function rollUp(funnel: Funnel): Promise<object[]> {
	const lines: object[] = [];
	await rollUpDay({ ...contextAt(NOON), log: (line) => lines.push(line) }, { id: funnel.id, timeZone: 'UTC' }, TODAY);
	return lines;
}

function report(funnel: Funnel, by: string) {
	return atInstant(NOON + 1_000, () => readBreakdown(funnel, `by=${by}`));
}

function breakdownOf(funnel: Funnel) {
	return rows('SELECT * FROM daily_breakdown WHERE program_id = ? ORDER BY dimension, day, value, currency', funnel.id);
}

/** What the breakdown route shows for each value. */
async function seenBy(funnel: Funnel, by: string, day = TODAY) {
	const { data } = await atInstant(NOON, () => readBreakdown(funnel, `by=${by}&dateFrom=${day}&dateTo=${day}`));
	return data.map(({ value, clicks }) => [value, clicks]);
}

async function clicksBy(funnel: Funnel, dimension: string, day = TODAY): Promise<Record<string, number>> {
	const found = await rows<{ value: string; clicks: number }>(
		'SELECT value, clicks FROM daily_breakdown WHERE program_id = ? AND dimension = ? AND day = ? AND clicks <> 0',
		funnel.id,
		dimension,
		day,
	);
	return Object.fromEntries(found.map(({ value, clicks }) => [value, clicks]));
}
