import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, test } from 'vitest';
import { bearer, trackWith } from '../support/bindings.ts';
import { linkIdOf, mintClickId } from '../support/clock.ts';
import { countingTrips } from '../../testing/d1/metered.ts';
import { aClick, aFunnel, aLead, aPartner, aSale, type Funnel } from '../support/funnel.ts';
import { unique } from '../support/world.ts';

// How many trips to D1 a call takes, including the key's look-up. Each trip is a round trip to another data center.

let funnel: Funnel;
beforeAll(async () => {
	funnel = await aFunnel({ allowed_origins: ['https://trips.example'] });
});

async function tripsOf(route: string, body: object, headers: Record<string, string> = {}): Promise<[status: number, trips: number]> {
	const DB = countingTrips(env.DB);
	const { status } = await trackWith({ DB }, route, body, headers);
	return [status, DB.trips()];
}
const byKey = (route: string, body: object) => tripsOf(route, body, bearer(funnel.apiToken));
const pageOf = ({ shortLink }: { shortLink: string }) => ({ affiliate_url: `https://shop.example/?aff=${shortLink}` });
const sale = (fields: object) => ({ transaction_id: unique('txn'), amount_cents: 5000, ...fields });
const testMode = { additional_data: { test_mode: true } };

describe('a click', () => {
	test('on an uncached link takes one, then none', async () => {
		const cold = pageOf(await aPartner(funnel.owner, funnel.id));
		expect(await tripsOf('click', cold)).toEqual([200, 1]);
		expect(await tripsOf('click', cold)).toEqual([200, 0]);
		expect(await tripsOf('click', cold, { Origin: 'https://trips.example' })).toEqual([200, 0]);
		expect(await tripsOf('click', { ...cold, existing_click_id: await mintClickId(await linkIdOf(funnel)) })).toEqual([200, 0]);
	});

	test('that is repeated takes none', async () => {
		const existing_click_id = await aClick(funnel);
		expect(await tripsOf('click', { ...pageOf(funnel), existing_click_id })).toEqual([200, 0]);
	});

	test('in test mode takes one to be written', async () => {
		await aClick(funnel);
		expect(await tripsOf('click', { ...pageOf(funnel), ...testMode })).toEqual([200, 1]);
	});

	test('that is malformed takes none', async () => {
		expect(await tripsOf('click', {})).toEqual([400, 0]);
	});
});

describe('a lead takes two', () => {
	test.each<[what: string, body: () => Promise<object>]>([
		['by click', async () => ({ click_id: await aClick(funnel) })],
		['by a click whose customer has bought', async () => ({ click_id: await aBuyersClick(), customer_key: unique('c') })],
		['by an unknown key', async () => ({ customer_key: unique('c') })],
		['by both', async () => ({ click_id: await aClick(funnel), customer_key: unique('c') })],
		['by a key and an address', async () => ({ customer_key: unique('c'), email: `${unique('e')}@people.example` })],
		['by a forged click and a key', async () => ({ click_id: 'cust_1_1', customer_key: unique('c') })],
		['in test mode', async () => ({ customer_key: unique('c'), ...testMode })],
	])('%s', async (_what, body) => {
		expect(await byKey('lead', await body())).toEqual([200, 2]);
	});

	test('from the browser', async () => {
		const origin = { Origin: 'https://trips.example' };
		expect(await tripsOf('lead', { click_id: await aClick(funnel) }, origin)).toEqual([200, 2]);
		expect(await tripsOf('lead', { click_id: await aClick(funnel), customer_key: unique('c') })).toEqual([200, 2]);
	});

	test('but one if it is refused, and one more after the answer to log it', async () => {
		expect(await byKey('lead', { customer_key: await aLead(funnel) })).toEqual([400, 1 + 1]);
		expect(await byKey('lead', { click_id: 'cust_1_1' })).toEqual([400, 1 + 1]);
		expect(await byKey('lead', {})).toEqual([400, 1 + 1]);
		expect(await tripsOf('lead', { customer_key: 'x' }, bearer('wrong'))).toEqual([401, 1]);
		expect(await tripsOf('lead', { customer_key: 'x' }, { Authorization: 'Basic x' })).toEqual([401, 0]);
	});
});

describe('a sale takes two', () => {
	test.each<[what: string, body: () => Promise<object>]>([
		['to a lead, by key', async () => sale({ customer_key: await aLead(funnel) })],
		['to a new customer, by click', async () => sale({ click_id: await aClick(funnel) })],
		['by click and key', async () => sale({ click_id: await aClick(funnel), customer_key: unique('c') })],
		['to a buyer, by key', async () => sale({ customer_key: await aBuyer() })],
		['to a buyer, by click', async () => sale({ click_id: await aBuyersClick() })],
		['that renews a subscription', aRenewal],
		['with a product, in another currency', async () => sale({ customer_key: await aLead(funnel), product_id: 'p', currency: 'EUR' })],
		['in test mode', async () => sale(testMode)],
		['in test mode, without fields', async () => testMode],
	])('%s', async (_what, body) => {
		expect(await byKey('sale', await body())).toEqual([200, 2]);
	});

	test('or fewer if it is refused, and one more after the answer to log a 400', async () => {
		const again = sale({ customer_key: await aLead(funnel) });
		await aSale(funnel, again);
		expect(await byKey('sale', again)).toEqual([409, 1]);
		expect(await byKey('sale', { ...again, customer_key: 'x' })).toEqual([409, 1 + 1]);
		expect(await byKey('sale', sale({ click_id: 'cust_1_1' }))).toEqual([400, 1 + 1]);
		expect(await byKey('sale', sale({ customer_key: unique('nobody') }))).toEqual([400, 2 + 1]);
		expect(await byKey('sale', {})).toEqual([400, 1 + 1]);
	});
});

describe('a refund takes two', () => {
	test.each<[what: string, fields: object]>([
		['in full', {}],
		['in part', { refund_amount_cents: 100 }],
		['with an id', { refund_amount_cents: 100, refund_id: 'r-1', refund_reason: 'broken' }],
	])('%s', async (_what, fields) => {
		const { transactionId } = await aSale(funnel);
		expect(await byKey('refund', { transaction_id: transactionId, ...fields })).toEqual([200, 2]);
	});

	test('in test mode', async () => {
		const transaction_id = unique('txn');
		expect(await byKey('sale', { ...sale({ transaction_id }), ...testMode })).toEqual([200, 2]);
		expect(await byKey('refund', { transaction_id, ...testMode })).toEqual([200, 2]);
	});

	test('but one if there is nothing to do', async () => {
		const { transactionId } = await aSale(funnel);
		await byKey('refund', { transaction_id: transactionId });
		expect(await byKey('refund', { transaction_id: transactionId })).toEqual([200, 1]);
		expect(await byKey('refund', { transaction_id: unique('nothing') })).toEqual([404, 1 + 1]);
	});
});

async function aBuyer(): Promise<string> {
	const customer_key = await aLead(funnel);
	await aSale(funnel, { customer_key });
	return customer_key;
}

async function aBuyersClick(): Promise<string> {
	const click_id = await aClick(funnel);
	await aSale(funnel, { click_id });
	return click_id;
}

async function aRenewal(): Promise<object> {
	const subscription = { customer_key: await aLead(funnel), subscription_id: unique('sub'), sale_type: 'subscription' };
	await aSale(funnel, subscription);
	return sale({ ...subscription, is_recurring: true });
}
