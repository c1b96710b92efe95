import { beforeAll, describe, expect, test } from 'vitest';
import { rollUpDay } from '../../src/reporting/roll-up-day.ts';
import { linkPayment } from '../../testing/service/payments.ts';
import { repairCommissions } from '../../src/sales/repair-commissions.ts';
import { atInstant } from '../support/at-instant.ts';
import { contextAt } from '../support/clock.ts';
import { aSaleWithoutItsCommission } from '../support/failing-commissions.ts';
import { aFunnel, aLead, aSale, type Funnel, rows, keepSignedIn, track } from '../support/funnel.ts';
import { aPaymentFact, context, pay, paymentIds } from '../support/payments.ts';
import { aClickJob, deliverClicks, readBreakdown, readReport } from '../support/report.ts';
import { applyWaiting } from '../support/effects.ts';
import { api, unique } from '../support/world.ts';

// A duplicate sale does not count in any metric, gross or net (decision 36). A sale of 100.00 earns 20.00.

const NOON = Date.parse('2026-05-02T12:00:00Z');
const DAY = '2026-05-02';

beforeAll(async () => {
	await keepSignedIn();
});

test('one payment under two ids is one sale in the report once an event links them', async () => {
	const funnel = await aWorld();
	const ids = paymentIds();
	const customer_key = await atInstant(NOON, () => aLead(funnel));
	await atInstant(NOON, async () => {
		await aSale(funnel, { transaction_id: ids.invoice, amount_cents: 10_000, customer_key, product_id: 'pro' });
		await pay(funnel, aPaymentFact(ids, { paymentIds: [ids.intent] }), { customerKey: customer_key });
		await track('refund', { transaction_id: ids.intent, refund_amount_cents: 2_500, refund_id: 'x' }, funnel.apiToken);
	});
	expect(await figuresOf(funnel)).toEqual({ conversions: 1, sales: 2, revenue: [200, 175], commission: [40, 35], aov: 200 });

	await atInstant(NOON, () => pay(funnel, aPaymentFact(ids), {}));
	expect(await figuresOf(funnel)).toEqual({ conversions: 1, sales: 1, revenue: [100, 75], commission: [20, 15], aov: 100 });
	expect(await byProduct(funnel)).toEqual([['pro', 1, 100, 75, 20, 15]]);
	expect(await drifted(funnel)).toBe(0);
});

test('a duplicate with its own currency and product leaves nothing there', async () => {
	const funnel = await aWorld();
	const [transaction_id, other] = [unique('cs'), unique('pi')];
	await atInstant(NOON, async () => {
		await aSale(funnel, { transaction_id, product_id: 'pro' });
		await aSale(funnel, { transaction_id: other, currency: 'EUR', product_id: 'gift' });
		await onePayment(funnel, transaction_id, other);
	});
	const { data, metrics } = await report(funnel);
	expect([metrics.totalSales, metrics.totalRevenue, metrics.currencies]).toEqual([1, 100, {}]);
	expect(data.every((day) => !('currencies' in day))).toBe(true);
	expect(await byProduct(funnel)).toEqual([['pro', 1, 100, 100, 20, 20]]);
	expect(await drifted(funnel)).toBe(0);
});

test("a duplicate's commission created afterwards does not count", async () => {
	const funnel = await aWorld();
	const first = await atInstant(NOON, () => aSale(funnel));
	const { transactionId } = await atInstant(NOON, () => aSaleWithoutItsCommission(funnel));
	await atInstant(NOON, () => onePayment(funnel, first.transactionId, transactionId));
	await repairCommissions(contextAt(NOON), 500);
	expect(await rows('SELECT commission_state AS state FROM affiliate_sale_events WHERE program_id = ? ORDER BY id', funnel.id)).toEqual([
		{ state: 'made' },
		{ state: 'made' },
	]);
	expect(await figuresOf(funnel)).toMatchObject({ sales: 1, revenue: [100, 100], commission: [20, 20] });
	expect(await drifted(funnel)).toBe(0);
});

test('a late click moves the sale but not its duplicate', async () => {
	const funnel = await aWorld();
	const job = await aClickJob(funnel, NOON, { country: 'DE' });
	await atInstant(NOON, async () => {
		const [first, second] = [await aSale(funnel, { click_id: job.clickId }), await aSale(funnel, { click_id: job.clickId })];
		await onePayment(funnel, first.transactionId, second.transactionId);
	});
	await deliverClicks([job]);
	const { data } = await atInstant(NOON, () => readBreakdown(funnel, 'by=country'));
	expect(data.map(({ value, sales, revenue, commission }) => [value, sales, revenue, commission])).toEqual([['DE', 1, 100, 20]]);
	expect(await drifted(funnel)).toBe(0);
});

test('the roll-up excludes it when it rebuilds a day', async () => {
	const funnel = await aWorld();
	await atInstant(NOON, async () => {
		const [first, second] = [await aSale(funnel), await aSale(funnel)];
		await onePayment(funnel, first.transactionId, second.transactionId);
	});
	const before = await figuresOf(funnel);
	await applyWaiting(funnel);
	for (const table of ['daily_performance', 'daily_breakdown']) await rows(`DELETE FROM ${table} WHERE program_id = ?`, funnel.id);
	expect(await rollUpDay(contextAt(NOON), { id: funnel.id, timeZone: 'UTC' }, DAY)).toBeGreaterThan(0);
	expect(await figuresOf(funnel)).toEqual(before);
	expect(before).toMatchObject({ sales: 1, revenue: [100, 100], commission: [20, 20] });
});

describe('earlier deductions from the duplicate are excluded once', () => {
	const ONE = { sales: 1, revenue: [100, 100], commission: [20, 20] };

	test.each([
		['rejected', undefined],
		['reversed', 10_000],
		['partly refunded', 2_500],
		['partly refunded, then rejected', 2_500],
	])('%s', async (kind, refund_amount_cents) => {
		const funnel = await aWorld();
		await atInstant(NOON, async () => {
			const [first, second] = [await aSale(funnel), await aSale(funnel)];
			if (refund_amount_cents !== undefined)
				await track('refund', { transaction_id: second.transactionId, refund_amount_cents, refund_id: 'x' }, funnel.apiToken);
			if (kind.includes('rejected')) expect((await reject(funnel, second.commissionId)).status).toBe(200);
			await onePayment(funnel, first.transactionId, second.transactionId);
		});
		const left = 100 - (refund_amount_cents ?? 0) / 100;
		expect(await figuresOf(funnel)).toMatchObject({ sales: 1, revenue: [100, left], commission: [20, left / 5] });
		expect(await drifted(funnel)).toBe(0);
	});

	test('in a race with its rejection', async () => {
		for (let round = 0; round < 8; round += 1) {
			const funnel = await aWorld();
			await atInstant(NOON, async () => {
				const [first, second] = [await aSale(funnel), await aSale(funnel)];
				const link = onePayment(funnel, first.transactionId, second.transactionId);
				await Promise.all(round % 2 === 0 ? [link, reject(funnel, second.commissionId)] : [reject(funnel, second.commissionId), link]);
			});
			expect(await figuresOf(funnel)).toMatchObject(ONE);
			expect(await drifted(funnel)).toBe(0);
		}
	});

	test('in a race with its refund', async () => {
		for (let round = 0; round < 4; round += 1) {
			const funnel = await aWorld();
			await atInstant(NOON, async () => {
				const [first, second] = [await aSale(funnel), await aSale(funnel)];
				const refund = { transaction_id: second.transactionId, refund_amount_cents: 2_500, refund_id: 'x' };
				await Promise.all([
					track('refund', refund, funnel.apiToken),
					onePayment(funnel, first.transactionId, second.transactionId),
					reject(funnel, second.commissionId),
				]);
			});
			expect(await figuresOf(funnel)).toMatchObject({ sales: 1, revenue: [100, expect.any(Number)] });
			expect(await drifted(funnel)).toBe(0);
		}
	});
});

function aWorld(): Promise<Funnel> {
	return atInstant(NOON, () => aFunnel());
}

/** Links these ids to one payment. */
function onePayment(funnel: Funnel, ...ids: string[]) {
	return linkPayment(context(), funnel.id, false, { paymentIds: ids, invoiceId: undefined });
}

function reject({ id, owner }: Funnel, commissionId: number | null) {
	return api(`/api/v1/programs/${id}/commissions/reject`, { token: owner.token, body: { commission_ids: [commissionId], reason: 'No' } });
}

function report(funnel: Funnel) {
	return atInstant(NOON, () => readReport(funnel));
}

/** Revenue and commission are gross and net. */
async function figuresOf(funnel: Funnel) {
	const { data, metrics } = await report(funnel);
	const today = data.at(-1);
	expect([today?.revenue, today?.commission]).toEqual([metrics.totalRevenue, metrics.totalPartnersCommission]);
	return {
		conversions: metrics.totalConversions,
		sales: metrics.totalSales,
		revenue: [metrics.totalRevenue, metrics.netRevenue],
		commission: [metrics.totalPartnersCommission, metrics.netCommission],
		aov: metrics.averageOrderValue,
	};
}

async function byProduct(funnel: Funnel) {
	const { data } = await atInstant(NOON, () => readBreakdown(funnel, 'by=product'));
	return data.map((row) => [row.value, row.sales, row.revenue, row.netRevenue, row.commission, row.netCommission]);
}

/** Before, during and after the deltas are applied. The report must stay the same. */
async function drifted(funnel: Funnel): Promise<number> {
	const seen = async () => [await figuresOf(funnel), await byProduct(funnel)];
	const before = await seen();
	let drift = await rollUpDay(contextAt(NOON), { id: funnel.id, timeZone: 'UTC' }, DAY);
	for (const chooses of [(index: number) => index % 2 === 1, () => true]) {
		await applyWaiting(funnel, chooses);
		expect(await seen()).toEqual(before);
		drift += await rollUpDay(contextAt(NOON), { id: funnel.id, timeZone: 'UTC' }, DAY);
	}
	return drift;
}
