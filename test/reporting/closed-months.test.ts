import { beforeAll, expect, test } from 'vitest';
import { DAY_MS } from '../../src/domain/calendar.ts';
import { closeMonths, compareMonths } from '../../src/reporting/closed-months.ts';
import { rollUpDay } from '../../src/reporting/roll-up-day.ts';
import { linkPayment } from '../../testing/service/payments.ts';
import { atInstant } from '../support/at-instant.ts';
import { contextAt, linkIdOf } from '../support/clock.ts';
import { applyWaiting, aWaitingSale, countWaiting } from '../support/effects.ts';
import { aFunnel, aLead, type Funnel, rows, keepSignedIn, track } from '../support/funnel.ts';
import { aClickJob, deliverClicks, readBreakdown } from '../support/report.ts';
import { api, unique } from '../support/world.ts';

// Whole months of the breakdown are stored in rows of their own (decision 63), which changes no answer.

const FEBRUARY = Date.parse('2026-02-10T12:00:00Z');
const MARCH = Date.parse('2026-03-10T12:00:00Z');
const MAY = Date.parse('2026-05-20T12:00:00Z');

beforeAll(async () => {
	await keepSignedIn();
});

const BY = ['partner', 'link', 'product', 'country', 'source'] as const;
const RANGES = [
	'period=all',
	'period=90d',
	'dateFrom=2026-01-01&dateTo=2026-12-31',
	'dateFrom=2026-02-11&dateTo=2026-03-31',
	'dateFrom=2026-03-01&dateTo=2026-03-09',
];

/** Every breakdown and the ranking, over ranges with whole months, partial months or none. */
async function answers(funnel: Funnel): Promise<unknown[]> {
	return atInstant(MAY, async () => {
		const found: unknown[] = [];
		for (const range of RANGES) {
			for (const by of BY) found.push({ range, by, rows: (await readBreakdown(funnel, `by=${by}&${range}`)).data });
			const { status, body } = await api(`/api/v1/programs/${funnel.id}/partners/performance?${range}`, { token: funnel.owner.token });
			expect(status).toBe(200);
			found.push({ range, ranked: body.data });
		}
		return found;
	});
}

const close = async (funnel: Funnel, limit = 100) => closeMonths(contextAt(MAY), [{ id: funnel.id, timeZone: 'UTC' }], limit);
const reopen = (funnel: Funnel) => rows('DELETE FROM breakdown_months WHERE program_id = ?', funnel.id);
const closedOf = async (funnel: Funnel, dimension = 'link') =>
	(
		await rows<{ month: string }>(
			'SELECT month FROM breakdown_months WHERE program_id = ? AND dimension = ? ORDER BY month',
			funnel.id,
			dimension,
		)
	).map(({ month }) => month);

/** Months and days give the same answers, and only these months are closed. */
async function expectSame(funnel: Funnel, months: readonly string[]): Promise<void> {
	expect(await closedOf(funnel)).toEqual(months);
	const fromMonths = await answers(funnel);
	for (const month of months) expect(await compareMonths(contextAt(MAY), [{ id: funnel.id, month }])).toBe(0);
	await reopen(funnel);
	expect(fromMonths).toEqual(await answers(funnel));
	await close(funnel);
}

/** Clicks in February and March, a sale in each month, and a sale in April. */
async function aWorld(): Promise<{ funnel: Funnel; sales: string[] }> {
	const funnel = await atInstant(Date.parse('2026-01-05T12:00:00Z'), () => aFunnel());
	const sales: string[] = [];
	for (const at of [FEBRUARY, MARCH, MARCH + 30 * DAY_MS]) {
		const jobs = [
			await aClickJob(funnel, at, { country: 'DE', referrerUrl: 'https://t.co/x' }),
			await aClickJob(funnel, at + DAY_MS, { country: 'US' }),
		];
		await deliverClicks(jobs);
		const [customer_key, transaction_id] = [unique('customer'), unique('txn')];
		await atInstant(at + 1, async () => {
			await track('lead', { customer_key, click_id: jobs[0]?.clickId }, funnel.apiToken);
			await track('sale', { customer_key, transaction_id, amount_cents: 10_000, product_id: 'tea' }, funnel.apiToken);
		});
		sales.push(transaction_id);
	}
	await applyWaiting(funnel);
	return { funnel, sales };
}

test('past months are summed up, the latest first, a few per run', async () => {
	const { funnel } = await aWorld();
	expect(await close(funnel, 6)).toBe(6);
	expect(await closedOf(funnel)).toEqual(['2026-03', '2026-04']);
	expect(await close(funnel)).toBe(10);
	expect(await close(funnel)).toBe(0);
	await expectSame(funnel, ['2026-01', '2026-02', '2026-03', '2026-04']);
});

test('a refund of an old sale changes its month and day, both before and after it is applied', async () => {
	const { funnel, sales } = await aWorld();
	await close(funnel);
	await atInstant(MAY, () => track('refund', { transaction_id: sales[0], refund_amount_cents: 4_000 }, funnel.apiToken));
	await expectSame(funnel, ['2026-01', '2026-02', '2026-03', '2026-04']);
	await applyWaiting(funnel);
	await expectSame(funnel, ['2026-01', '2026-02', '2026-03', '2026-04']);
});

test('late clicks reopen their month, and it is summed up again', async () => {
	const { funnel } = await aWorld();
	await close(funnel);
	const late = await aClickJob(funnel, FEBRUARY + 2 * DAY_MS, { country: 'FR', referrerUrl: 'https://late.example/' });
	await atInstant(MAY, () => deliverClicks([late]));
	expect(await closedOf(funnel)).toEqual(['2026-01', '2026-03', '2026-04']);
	expect(await closedOf(funnel, 'product')).toEqual(['2026-01', '2026-02', '2026-03', '2026-04']);
	const before = await answers(funnel);
	expect(await close(funnel)).toBe(3);
	expect(await answers(funnel)).toEqual(before);
	await expectSame(funnel, ['2026-01', '2026-02', '2026-03', '2026-04']);
});

test("a duplicate sale reopens its month, because it may have been its link's last day", async () => {
	const { funnel, sales } = await aWorld();
	await close(funnel);
	const [first = '', second = ''] = sales;
	await atInstant(MAY, () => linkPayment(contextAt(MAY), funnel.id, false, { paymentIds: [first, second], invoiceId: undefined }));
	await applyWaiting(funnel);
	expect((await closedOf(funnel)).length).toBeLessThan(4);
	await close(funnel);
	await expectSame(funnel, ['2026-01', '2026-02', '2026-03', '2026-04']);
});

test('a sale whose withdrawal is applied first leaves no last day', async () => {
	const funnel = await atInstant(FEBRUARY, () => aFunnel());
	await atInstant(FEBRUARY, async () => {
		const customer_key = await aLead(funnel);
		const [kept, withdrawn] = [
			await aWaitingSale(funnel, { customer_key, product_id: 'tea' }),
			await aWaitingSale(funnel, { customer_key, product_id: 'mug' }),
		];
		await linkPayment(contextAt(FEBRUARY + 1), funnel.id, false, { paymentIds: [kept, withdrawn], invoiceId: undefined });
	});
	const last = (await countWaiting(funnel)) - 1;
	await atInstant(MAY, () => applyWaiting(funnel, (index) => index === last));
	await close(funnel);
	await atInstant(MAY, () => applyWaiting(funnel));
	await expectSame(funnel, ['2026-02', '2026-03', '2026-04']);
});

test('a repaired day reopens its month', async () => {
	const { funnel } = await aWorld();
	await close(funnel);
	await rows("UPDATE daily_breakdown SET clicks = clicks + 5 WHERE program_id = ? AND day = '2026-02-10'", funnel.id);
	expect(await rollUpDay(contextAt(MAY), { id: funnel.id, timeZone: 'UTC' }, '2026-02-10')).toBe(4);
	expect(await closedOf(funnel)).toEqual(['2026-01', '2026-03', '2026-04']);
	await close(funnel);
	await expectSame(funnel, ['2026-01', '2026-02', '2026-03', '2026-04']);
});

test('the hourly comparison reopens a month that differs from its days', async () => {
	const { funnel } = await aWorld();
	await close(funnel);
	const link = String(await linkIdOf(funnel));
	await rows("UPDATE monthly_breakdown SET clicks = 9 WHERE program_id = ? AND month = '2026-02' AND value = ?", funnel.id, link);
	await rows(
		"INSERT INTO monthly_breakdown (program_id, dimension, month, value, currency) VALUES (?, 'country', '2026-03', 'GB', 'USD')",
		funnel.id,
	);
	const compare = (day: string) => rollUpDay(contextAt(MAY), { id: funnel.id, timeZone: 'UTC' }, day);
	expect([await compare('2026-02-02'), await compare('2026-02-01'), await compare('2026-03-01'), await compare('2026-04-01')]).toEqual([
		0, 1, 1, 0,
	]);
	expect([await closedOf(funnel), await closedOf(funnel, 'country')]).toEqual([
		['2026-01', '2026-03', '2026-04'],
		['2026-01', '2026-02', '2026-04'],
	]);
	await close(funnel);
	await expectSame(funnel, ['2026-01', '2026-02', '2026-03', '2026-04']);
});
