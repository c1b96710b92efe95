import { env } from 'cloudflare:workers';
import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { beforeAll, describe, expect, test } from 'vitest';
import { DECISIONS } from '../../src/db/client.ts';
import { app } from '../../src/http/app.ts';
import { bearer, trackWith } from '../support/bindings.ts';
import { countingTrips } from '../../testing/d1/metered.ts';
import { aroundTrips } from '../../testing/d1/each-trip.ts';
import { holdingQueue } from '../../testing/queues.ts';
import { aClick, aFunnel, aLead, aSale, balanceOf, type Funnel, rows } from '../support/funnel.ts';
import { customersOf, serverLead } from '../support/leads.ts';
import { expectSoundLedger } from '../support/sound-ledger.ts';
import { unique } from '../support/world.ts';

// A hundred concurrent requests about the same thing. Even the slowest makes a limited number of trips: after a conflict, a retry takes
// two. Most races end after the second attempt.

const RACERS = Array.from({ length: 100 }, (_, index) => index);
/** Used where a hundred would only take longer. */
const SOME = RACERS.slice(0, 40);
const ROUND = 2;

let funnel: Funnel;
beforeAll(async () => {
	funnel = await aFunnel();
});

interface Race {
	readonly statuses: Readonly<Record<number, number>>;
	readonly mostTrips: number;
}

async function race(
	call: (DB: D1Database, index: number) => Promise<{ readonly status: number }>,
	racers: readonly number[] = RACERS,
): Promise<Race> {
	const runs = await Promise.all(
		racers.map(async (index) => {
			const DB = countingTrips(distant(env.DB));
			const { status } = await call(DB, index);
			return { status, trips: DB.trips() };
		}),
	);
	const statuses: Record<number, number> = {};
	for (const { status } of runs) statuses[status] = (statuses[status] ?? 0) + 1;
	return { statuses, mostTrips: Math.max(...runs.map(({ trips }) => trips)) };
}

const way = () => new Promise((resolve) => setTimeout(resolve, 5 + Math.random() * 10));

/** Without D1's usual latency, requests hardly overlap. */
function distant(db: D1Database): D1Database {
	return aroundTrips(db, async (go) => {
		await way();
		const answer = await go();
		await way();
		return answer;
	});
}

const tracked = (route: string, bodyOf: (index: number) => object, of: Funnel = funnel, racers: readonly number[] = RACERS) =>
	race((DB, index) => trackWith({ DB, EFFECTS: holdingQueue() }, route, bodyOf(index), bearer(of.apiToken)), racers);

describe('leads', () => {
	test('of one click, from pages', async () => {
		const click_id = await aClick(funnel);
		const { statuses, mostTrips } = await race((DB) => trackWith({ DB }, 'lead', { click_id }));
		expect(statuses).toEqual({ 200: 1, 400: 99 });
		expect(mostTrips).toBeLessThanOrEqual(2 * ROUND);
	});

	test('of one click, each with its own key', async () => {
		const click_id = await aClick(funnel);
		const { statuses, mostTrips } = await tracked('lead', () => ({ click_id, customer_key: unique('c') }));
		expect(statuses).toEqual({ 200: 100 });
		expect(mostTrips).toBeLessThanOrEqual(2 * ROUND);
		expect((await customersOf(click_id)).map(({ click_sequence }) => click_sequence)).toEqual(RACERS);
	});

	test('of one click whose customer has a lead but no key', async () => {
		const click_id = await aClick(funnel);
		await serverLead({ click_id }, funnel);
		const { statuses, mostTrips } = await tracked('lead', () => ({ click_id, customer_key: unique('c') }));
		expect(statuses).toEqual({ 200: 100 });
		expect(mostTrips).toBeLessThanOrEqual(2 * ROUND);
	});

	test('of one key', async () => {
		const customer_key = unique('c');
		const { statuses, mostTrips } = await tracked('lead', () => ({ customer_key }));
		expect(statuses).toEqual({ 200: 1, 400: 99 });
		expect(mostTrips).toBeLessThanOrEqual(2 * ROUND);
	});

	test('with a hundred clicks for one unattributed customer', async () => {
		const customer_key = unique('c');
		await serverLead({ customer_key }, funnel);
		const clicks = await Promise.all(RACERS.map(() => aClick(funnel)));
		const { statuses, mostTrips } = await tracked('lead', (index) => ({ customer_key, click_id: clicks[index] }));
		expect(statuses).toEqual({ 200: 1, 400: 99 });
		expect(mostTrips).toBeLessThanOrEqual(2 * ROUND);
	});

	test('with many keys for one address that three customers have', async () => {
		const email = `${unique('mail')}@people.example`;
		const clicks = await Promise.all([1, 2, 3].map(() => aClick(funnel)));
		for (const click_id of clicks) await serverLead({ click_id, email }, funnel);
		const { statuses, mostTrips } = await tracked('lead', () => ({ customer_key: unique('c'), email }), funnel, SOME);
		expect(statuses).toEqual({ 200: 40 });
		expect(mostTrips).toBeLessThanOrEqual(4 * ROUND);
		expect(
			await rows(
				'SELECT id FROM customers WHERE click_id IN (SELECT value FROM json_each(?)) AND customer_key IS NULL',
				JSON.stringify(clicks),
			),
		).toEqual([]);
	});
});

const sale = (fields: object) => ({ transaction_id: unique('txn'), amount_cents: 1_000, ...fields });

describe('sales', () => {
	test('with one transaction_id', async () => {
		const body = sale({ customer_key: await aLead(funnel) });
		const { statuses, mostTrips } = await tracked('sale', () => body);
		expect(statuses).toEqual({ 200: 1, 409: 99 });
		expect(mostTrips).toBeLessThanOrEqual(2 * ROUND);
	});

	test('to one lead', async () => {
		const customer_key = await aLead(funnel);
		const { statuses, mostTrips } = await tracked('sale', () => sale({ customer_key }));
		expect(statuses).toEqual({ 200: 100 });
		expect(mostTrips).toBeLessThanOrEqual(2 * ROUND);
	});

	test('by one click, each with its own key', async () => {
		const click_id = await aClick(funnel);
		const { statuses, mostTrips } = await tracked('sale', () => sale({ click_id, customer_key: unique('c') }));
		expect(statuses).toEqual({ 200: 100 });
		expect(mostTrips).toBeLessThanOrEqual(2 * ROUND);
	});

	test('of one subscription: one is the first, the others renew it', async () => {
		const place = await aFunnel({ commission: { type: 'percent', percent: 20, recurring_months: 0 } });
		const customer_key = await aLead(place);
		await aSale(place, { customer_key, amount_cents: 100 });
		const subscription_id = unique('sub');
		const { statuses, mostTrips } = await tracked('sale', () => sale({ customer_key, subscription_id }), place);
		expect(statuses).toEqual({ 200: 100 });
		expect(mostTrips).toBeLessThanOrEqual(2 * ROUND);
		expect(await balanceOf(place)).toBe(20 + 200);
	});

	test('of a hundred subscriptions of one customer do not conflict', async () => {
		const customer_key = await aLead(funnel);
		await aSale(funnel, { customer_key });
		const { statuses, mostTrips } = await tracked('sale', () => sale({ customer_key, subscription_id: unique('sub') }));
		expect(statuses).toEqual({ 200: 100 });
		expect(mostTrips).toBe(ROUND);
	});
});

describe('refunds', () => {
	test('of one sale: one counts', async () => {
		const { transactionId } = await aSale(funnel);
		const { statuses, mostTrips } = await tracked('refund', () => ({ transaction_id: transactionId }));
		expect(statuses).toEqual({ 200: 100 });
		expect(mostTrips).toBeLessThanOrEqual(2 * ROUND);
		expect(
			await rows(
				'SELECT id FROM refund_events WHERE sale_id = (SELECT id FROM affiliate_sale_events WHERE processor_event_id = ?)',
				transactionId,
			),
		).toHaveLength(1);
	});

	test('of one refund_id: it counts once', async () => {
		const { transactionId } = await aSale(funnel);
		const { statuses, mostTrips } = await tracked('refund', () => ({
			transaction_id: transactionId,
			refund_id: 'r',
			refund_amount_cents: 10,
		}));
		expect(statuses).toEqual({ 200: 100 });
		expect(mostTrips).toBeLessThanOrEqual(2 * ROUND);
	});

	test('of many parts of one sale are applied one by one: pauses spread them, and each retries a few times', async () => {
		const place = await aFunnel();
		const { transactionId } = await aSale(place);
		const part = (index: number) => ({ transaction_id: transactionId, refund_id: `r-${index}`, refund_amount_cents: 10 });
		const { statuses, mostTrips } = await tracked('refund', part, place, RACERS.slice(0, 30));
		expect(statuses).toEqual({ 200: 30 });
		expect(mostTrips).toBeLessThanOrEqual(DECISIONS * ROUND);
		expect(await balanceOf(place)).toBe(2_000 - 30 * 2);
		await expectSoundLedger(place);
	});
});

describe('payouts and decisions', () => {
	test('of everything payable: it is paid once', async () => {
		const place = await aFunnel();
		await aSale(place);
		const { statuses, mostTrips } = await managed(place, '/payouts', {});
		expect(Object.keys(statuses).every((status) => Number(status) < 300)).toBe(true);
		expect(mostTrips).toBeLessThanOrEqual(10);
		expect(await rows('SELECT amount_cents FROM payouts WHERE program_id = ?', place.id)).toEqual([{ amount_cents: 2_000 }]);
	});

	test.each(['approve', 'reject'])('%s one commission: one succeeds', async (decision) => {
		const place = await aFunnel({ commission: { type: 'percent', percent: 20, hold_days: 30 } });
		const { commissionId } = await aSale(place);
		const { statuses, mostTrips } = await managed(place, `/commissions/${decision}`, { commission_ids: [commissionId] });
		expect(statuses).toEqual({ 200: 1, 409: 39 });
		expect(mostTrips).toBeLessThanOrEqual(10);
	});
});

async function managed(of: Funnel, path: string, body: object): Promise<Race> {
	return race(async (DB) => {
		const headers = { ...bearer(of.owner.token), 'Content-Type': 'application/json' };
		const request = new Request(`http://service.test/api/v1/programs/${of.id}${path}`, {
			method: 'POST',
			headers,
			body: JSON.stringify(body),
		});
		const execution = createExecutionContext();
		const response = await app.fetch(request, { ...env, DB, EFFECTS: holdingQueue() }, execution);
		await waitOnExecutionContext(execution);
		return response;
	}, SOME);
}
