import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openContext } from '../../src/context.ts';
import { addDays, dayOf, MINUTE_MS } from '../../src/domain/calendar.ts';
import { repairBreakdowns } from '../../src/reporting/repair-breakdown.ts';
import { repairDays } from '../../src/reporting/repair-day.ts';
import { atInstant } from '../support/at-instant.ts';
import { bearer, callWith, trackWith } from '../support/bindings.ts';
import { holdingQueue } from '../../testing/queues.ts';
import { deliver, tick } from '../support/deliver.ts';
import { countedOf, kindsWaiting, reportedOf, waitingOf } from '../support/effects.ts';
import { aFunnel, balanceOf, type Funnel, rows } from '../support/funnel.ts';
import { rawReportOf } from '../support/raw-report.ts';
import { aClickJob, deliverClicks, readBreakdown, readReport } from '../support/report.ts';
import { expectSoundLedger } from '../support/sound-ledger.ts';
import { unique } from '../support/world.ts';

// A failing metric cannot fail a sale (decision 34). Here the metric tables refuse every write, and only cron notices.

const TABLES = ['daily_performance', 'daily_breakdown'] as const;
const CHANGES = ['INSERT', 'UPDATE', 'DELETE'] as const;
const VISITOR = { country: 'DE', referrerUrl: 'https://blog.example/' } as const;

let funnel: Funnel;
let EFFECTS: ReturnType<typeof holdingQueue>;
let isRefusing = false;

/** From now on no metric of the program can be written. */
async function refuse(): Promise<void> {
	await env.DB.batch(
		TABLES.flatMap((table) =>
			CHANGES.map((change) =>
				env.DB.prepare(
					`CREATE TRIGGER refuse_${change}_${table} BEFORE ${change} ON ${table}
					WHEN ${change === 'DELETE' ? 'OLD' : 'NEW'}.program_id = ${funnel.id} BEGIN SELECT RAISE(ABORT, 'no figures today'); END`,
				),
			),
		),
	);
	isRefusing = true;
}

async function accept(): Promise<void> {
	if (!isRefusing) return;
	await env.DB.batch(TABLES.flatMap((table) => CHANGES.map((change) => env.DB.prepare(`DROP TRIGGER refuse_${change}_${table}`))));
	isRefusing = false;
}

beforeEach(async () => {
	funnel = await aFunnel();
	EFFECTS = holdingQueue();
	// This counts the new partner, so that only the test's own changes are waiting.
	await tick();
});
afterEach(accept);

async function report(route: string, body: Record<string, unknown>): Promise<Record<string, unknown>> {
	const answer = await trackWith({ EFFECTS }, route, body, bearer(funnel.apiToken));
	expect([answer.status, answer.body['success']]).toEqual([200, true]);
	return answer.body;
}

/** The click is not stored yet, but its id identifies it. */
async function aLateClick(fields: Parameters<typeof aClickJob>[2] = VISITOR) {
	const job = await aClickJob(funnel, Date.now(), fields);
	const customer_key = unique('customer');
	return { job, customer_key, lead: { click_id: job.clickId, customer_key } };
}

function aSaleTo(customer_key: string, amount_cents = 10_000) {
	return { transaction_id: unique('txn'), amount_cents, customer_key, product_id: 'plan' };
}

/** The report equals the raw rows, and so do the daily rows with the waiting deltas. Nothing needs repair. */
async function expectExact(): Promise<void> {
	const ctx = openContext({ ...env, EFFECTS }, { waitUntil: () => undefined });
	const [first, last] = [addDays(dayOf(ctx.now, 'UTC'), -1), dayOf(ctx.now, 'UTC')];
	const { data, metrics } = await readReport(funnel, `?dateFrom=${first}&dateTo=${last}`);
	const raw = await rawReportOf(funnel.id, { timeZone: 'UTC', currency: 'USD', decimals: {} });
	expect(data).toEqual(raw.data({ first, last }));
	expect(metrics).toEqual(raw.metrics({ first, last }, { first: addDays(first, -2), last: addDays(first, -1) }));
	for (const day of [first, last]) {
		expect(await repairDays(ctx, [{ id: funnel.id, timeZone: 'UTC', day }])).toEqual([]);
		expect(await repairBreakdowns(ctx, [{ id: funnel.id, timeZone: 'UTC', day }])).toEqual([]);
	}
}

/** `value clicks leads conversions revenue netRevenue netCommission`. */
async function brokenDown(by: string): Promise<string[]> {
	const { data } = await readBreakdown(funnel, `by=${by}&period=7d`);
	return data.map(({ value, clicks, leads, conversions, revenue, netRevenue, netCommission }) =>
		[value ?? 'none', clicks ?? '-', leads ?? '-', conversions ?? '-', revenue, netRevenue, netCommission].join(' '),
	);
}

async function everyDimension(): Promise<Record<string, string[]>> {
	const dimensions = ['partner', 'link', 'product', 'country', 'source'];
	const found = await Promise.all(dimensions.map(async (by) => [by, await brokenDown(by)] as const));
	return Object.fromEntries(found);
}

async function told(): Promise<string[]> {
	const found = await rows<{ kind: string }>('SELECT kind FROM notifications WHERE partner_id = ? ORDER BY id', funnel.partnerId);
	return found.map(({ kind }) => kind);
}

/** While neither the queue nor cron can apply what is waiting, it stays in the outbox and in the reports. */
async function expectStuck(): Promise<void> {
	const [before, reportedBefore, figures] = [await kindsWaiting(funnel), await told(), await everyDimension()];
	for (const body of EFFECTS.held) expect((await deliver('affiliate-effects', [{ id: 'm', body }])).retried).toEqual(['m']);
	await tick();
	expect([await kindsWaiting(funnel), await told()]).toEqual([before, reportedBefore]);
	expect((await waitingOf(funnel)).map(({ failures }) => failures)).toEqual(before.map(() => 1));
	expect(await everyDimension()).toEqual(figures);
	await expectExact();
}

/** Once writes are accepted and the rows are due, nothing is waiting. The reports stay the same, now from the daily rows alone. */
async function expectMadeGood(figures: Record<string, string[]>): Promise<void> {
	await accept();
	await tick();
	expect(await waitingOf(funnel)).not.toEqual([]);
	await atInstant(Date.now() + MINUTE_MS, () => tick());
	expect(await waitingOf(funnel)).toEqual([]);
	expect(await everyDimension()).toEqual(figures);
	expect(await countedOf(funnel)).toEqual(await reportedOf(funnel));
	await expectExact();
	await expectSoundLedger(funnel);
	// A repeated message changes nothing.
	for (const body of EFFECTS.held) expect((await deliver('affiliate-effects', [{ id: 'm', body }])).acked).toEqual(['m']);
	expect(await everyDimension()).toEqual(figures);
}

describe('while the daily tables refuse every write', () => {
	test('a lead, a sale and refunds succeed, balance and report are right, and the partner is notified later', async () => {
		const { customer_key, lead } = await aLateClick();
		await refuse();
		await report('lead', lead);
		const sale = aSaleTo(customer_key);
		const { commission_id } = await report('sale', sale);
		expect(commission_id).toEqual(expect.any(Number));
		expect(await balanceOf(funnel)).toBe(2_000);
		const part = { transaction_id: sale.transaction_id, refund_amount_cents: 2_500, refund_id: 'r1' };
		expect(await report('refund', part)).toMatchObject({ status: 'refunded', deductionAmount: 5 });
		expect(await balanceOf(funnel)).toBe(1_500);
		expect([await countedOf(funnel), await reportedOf(funnel)]).toEqual([[], ['USD 1 10000 2500 2000 500']]);
		const line = '0 1 1 100 75 15';
		expect(await everyDimension()).toMatchObject({
			partner: [`${funnel.partnerId} ${line}`],
			product: ['plan - - - 100 75 15'],
			country: [`none ${line}`],
			source: [`none ${line}`],
		});
		await expectExact();
		await expectStuck();
		await expectMadeGood(await everyDimension());
		expect((await told()).toSorted()).toEqual(['commission_created', 'commission_reversed']);
	});

	test('a commission is rejected and fully deducted, and the report shows it', async () => {
		const { customer_key, lead } = await aLateClick();
		await report('lead', lead);
		const { commission_id } = await report('sale', aSaleTo(customer_key));
		await tick();
		expect([await waitingOf(funnel), await told()]).toEqual([[], ['commission_created']]);
		// The effects of the commission are applied, so the rest belongs to the rejection.
		EFFECTS = holdingQueue();
		await refuse();
		const rejected = await callWith({ EFFECTS }, `/api/v1/programs/${funnel.id}/commissions/reject`, {
			token: funnel.owner.token,
			body: { commission_ids: [commission_id], reason: 'Own purchase' },
		});
		expect([rejected.status, await balanceOf(funnel)]).toEqual([200, 0]);
		expect([await countedOf(funnel), await reportedOf(funnel)]).toEqual([['USD 1 10000 0 2000 0'], ['USD 1 10000 0 2000 2000']]);
		await expectStuck();
		await expectMadeGood(await everyDimension());
		expect(await told()).toEqual(['commission_created', 'commission_rejected']);
	});

	test('a sale without a commission and a sale to a new customer succeed', async () => {
		funnel = await aFunnel({ commission: undefined });
		await tick();
		const { customer_key, lead } = await aLateClick();
		await refuse();
		await report('lead', lead);
		expect(await report('sale', aSaleTo(customer_key))).toMatchObject({ commission_id: null });
		const direct = await aClickJob(funnel, Date.now(), VISITOR);
		expect(await report('sale', { ...aSaleTo(unique('customer'), 5_000), click_id: direct.clickId })).toMatchObject({
			commission_id: null,
		});
		// These effects notify nobody.
		expect(EFFECTS.held).toEqual([]);
		expect(await reportedOf(funnel)).toEqual(['USD 2 15000 0 0 0']);
		await expectStuck();
		await expectMadeGood(await everyDimension());
		expect(await told()).toEqual([]);
	});

	test("a bot's click is stored after its customer bought, and the history moves to its country at once", async () => {
		const { job, customer_key, lead } = await aLateClick({ ...VISITOR, isBot: true });
		await refuse();
		await report('lead', lead);
		const sale = aSaleTo(customer_key);
		await report('sale', sale);
		await report('refund', { transaction_id: sale.transaction_id, refund_amount_cents: 2_500, refund_id: 'r1' });
		expect(await brokenDown('country')).toEqual(['none 0 1 1 100 75 15']);
		await deliverClicks([job]);
		expect(await brokenDown('country')).toEqual(['DE 0 1 1 100 75 15']);
		expect(await kindsWaiting(funnel)).toEqual(['click_stored', 'commission_created', 'lead_recorded', 'sale_refunded']);
		await expectStuck();
		await expectMadeGood(await everyDimension());
		expect(await brokenDown('country')).toEqual(['DE 0 1 1 100 75 15']);
	});

	test('a counted click waits in its queue, and nothing of its customer is lost', async () => {
		const { job, customer_key, lead } = await aLateClick();
		await refuse();
		await report('lead', lead);
		await report('sale', aSaleTo(customer_key));
		expect((await deliver('affiliate-clicks', [{ id: 'c', body: job }])).retried).toEqual(['c']);
		expect(await brokenDown('country')).toEqual(['none 0 1 1 100 100 20']);
		await expectStuck();
		await accept();
		await deliverClicks([job]);
		const history = { country: ['DE 1 1 1 100 100 20'], source: ['blog.example 1 1 1 100 100 20'] };
		expect(await everyDimension()).toMatchObject(history);
		await expectExact();
		await expectMadeGood(await everyDimension());
		expect(await everyDimension()).toMatchObject(history);
	});
});
