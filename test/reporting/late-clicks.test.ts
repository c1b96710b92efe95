import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, test } from 'vitest';
import { openDatabase } from '../../src/db/client.ts';
import { rollUpDay } from '../../src/reporting/roll-up-day.ts';
import { storeClicks } from '../../src/clicks/store-clicks.ts';
import { atInstant } from '../support/at-instant.ts';
import { contextAt } from '../support/clock.ts';
import { aFunnel, aSale, type Funnel, rows, keepSignedIn, track } from '../support/funnel.ts';
import { metered } from '../../testing/d1/metered.ts';
import { aClickJob, deliverClicks, readBreakdown } from '../support/report.ts';
import { applyWaiting, aWaitingSale } from '../support/effects.ts';
import { api, unique } from '../support/world.ts';

// A click row that is stored after the click's customers and sales.

const NOON = Date.parse('2026-05-02T12:00:00Z');
const TODAY = '2026-05-02';

beforeAll(async () => {
	await keepSignedIn();
});

describe.each([
	['with nothing applied', 'never'],
	['with everything applied before', 'before'],
	['with everything applied after', 'after'],
	['with half applied before and after', 'half'],
])('a click row stored after its customers, %s,', (_which, applied) => {
	const apply = async (funnel: Funnel, when: 'before' | 'after') => {
		if (applied === when) await applyWaiting(funnel);
		if (applied === 'half') await applyWaiting(funnel, (index) => index % 2 === 0);
	};

	test('moves all of them with their sales and refunds', async () => {
		const funnel = await aWorld();
		const job = await aClickJob(funnel, NOON, { country: 'DE', referrerUrl: 'https://t.co/' });
		await atInstant(NOON + 1, async () => {
			await aWaitingSale(funnel, { click_id: job.clickId, customer_key: unique('first'), currency: 'EUR' });
			const key = unique('second');
			const transactionId = await aWaitingSale(funnel, { click_id: job.clickId, customer_key: key, product_id: 'pro' });
			await track('refund', { transaction_id: transactionId, refund_amount_cents: 2_500 }, funnel.apiToken);
		});
		await apply(funnel, 'before');
		const unknown = (await report(funnel, 'country')).data;
		expect(unknown).toEqual([expect.objectContaining({ value: null, sales: 2, conversions: 2, revenue: 100, netRevenue: 75 })]);
		const byProduct = (await report(funnel, 'product')).data;
		await deliverClicks([job, job]);
		await deliverClicks([job]);
		await apply(funnel, 'after');
		for (const [by, value] of [
			['country', 'DE'],
			['source', 't.co'],
		] as const)
			expect((await report(funnel, by)).data).toEqual([{ ...unknown[0], value, label: value, clicks: 1 }]);
		expect((await report(funnel, 'product')).data).toEqual(byProduct);
		expect(await rollUp(funnel)).toEqual([]);
	});

	test('after a lead, a sale or a refund in any order moves later events too', async () => {
		for (const known of ['lead', 'sale', 'refund'] as const) {
			const funnel = await aWorld();
			const job = await aClickJob(funnel, NOON, { country: 'DE', referrerUrl: 'https://t.co/' });
			const customer_key = unique('customer');
			const transaction_id = unique('txn');
			const stored = async (after: typeof known) => {
				await apply(funnel, 'before');
				if (after === known) await deliverClicks([job]);
				await apply(funnel, 'after');
			};
			await atInstant(NOON + 1, () => track('lead', { click_id: job.clickId, customer_key }, funnel.apiToken));
			await stored('lead');
			await atInstant(NOON + 2, () => aWaitingSale(funnel, { customer_key, transaction_id }));
			await stored('sale');
			await atInstant(NOON + 3, () => track('refund', { transaction_id, refund_amount_cents: 2_500 }, funnel.apiToken));
			await stored('refund');
			const figures = { clicks: 1, leads: 1, conversions: 1, sales: 1, revenue: 100, netRevenue: 75, commission: 20, netCommission: 15 };
			for (const [by, value] of [
				['country', 'DE'],
				['source', 't.co'],
			] as const)
				expect([known, (await report(funnel, by)).data]).toEqual([known, [{ value, label: value, ...figures }]]);
			expect(await rollUp(funnel)).toEqual([]);
			await applyWaiting(funnel);
			expect(await rollUp(funnel)).toEqual([]);
			const sums = { clicks: 1, leads: 1, conversions: 1, sales: 1, revenue: 10_000, refunded: 2_500, commission: 2_000, deducted: 500 };
			expect(await rows(SUMS, funnel.id)).toEqual([
				{ dimension: 'country', value: 'DE', ...sums },
				{ dimension: 'source', value: 't.co', ...sums },
			]);
		}
	});

	test('moves a rejected commission too', async () => {
		const funnel = await aWorld();
		const job = await aClickJob(funnel, NOON, { country: 'DE' });
		await atInstant(NOON + 1, async () => {
			const { commissionId } = await aSale(funnel, { click_id: job.clickId });
			const body = { commission_ids: [commissionId], reason: 'No' };
			await api(`/api/v1/programs/${funnel.id}/commissions/reject`, { token: funnel.owner.token, body });
		});
		await apply(funnel, 'before');
		await deliverClicks([job]);
		await apply(funnel, 'after');
		const { data } = await report(funnel, 'country');
		expect(data.map((row) => [row.value, row.commission, row.netCommission])).toEqual([['DE', 20, 0]]);
		expect(await rollUp(funnel)).toEqual([]);
	});

	test('during another sale fails no request and loses nothing', async () => {
		const funnel = await aWorld();
		const job = await aClickJob(funnel, NOON, { country: 'DE' });
		const key = unique('customer');
		await atInstant(NOON + 1, async () => {
			await track('lead', { click_id: job.clickId, customer_key: key }, funnel.apiToken);
			const sale = () => track('sale', { customer_key: key, transaction_id: unique('txn'), amount_cents: 1_000 }, funnel.apiToken);
			const answers = await Promise.all([sale(), deliverClicks([job]), sale(), sale(), deliverClicks([job])]);
			expect(answers.map((answer) => answer?.status)).toEqual([200, undefined, 200, 200, undefined]);
		});
		expect((await report(funnel, 'country')).data).toEqual([expect.objectContaining({ value: 'DE', clicks: 1, leads: 1, sales: 3 })]);
		expect(await rollUp(funnel)).toEqual([]);
	});
});

test('a click costs the same for any number of customers', async () => {
	const funnel = await aWorld();
	const spentOn = async () => {
		const DB = metered(env.DB);
		await storeClicks({ ...contextAt(NOON), db: openDatabase(DB) }, [await aClickJob(funnel, NOON, { country: 'DE' })]);
		return DB.spent();
	};
	await spentOn();
	const few = await spentOn();
	for (let made = 0; made < 10; made += 1)
		await atInstant(NOON, () => track('lead', { customer_key: unique('customer') }, funnel.apiToken));
	expect(await spentOn()).toEqual(few);
});

function aWorld(): Promise<Funnel> {
	return atInstant(NOON, () => aFunnel());
}

async function rollUp(funnel: Funnel): Promise<object[]> {
	const lines: object[] = [];
	await rollUpDay({ ...contextAt(NOON), log: (line) => lines.push(line) }, { id: funnel.id, timeZone: 'UTC' }, TODAY);
	return lines;
}

function report(funnel: Funnel, by: string) {
	return atInstant(NOON + 1_000, () => readBreakdown(funnel, `by=${by}`));
}

const SUMS = `SELECT dimension, value, sum(clicks) AS clicks, sum(leads) AS leads, sum(conversions) AS conversions, sum(sales) AS sales,
		sum(revenue_cents) AS revenue, sum(refunded_cents) AS refunded, sum(commission_cents) AS commission, sum(deducted_cents) AS deducted
	FROM daily_breakdown WHERE program_id = ? AND dimension <> 'link' GROUP BY dimension, value ORDER BY dimension`;
