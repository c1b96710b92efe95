import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, test } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/domain/calendar.ts';
import { holdingQueue } from '../../testing/queues.ts';
import { atInstant } from '../support/at-instant.ts';
import { deliver } from '../support/deliver.ts';
import { rows } from '../support/funnel.ts';
import { aShop, type Shop } from '../support/ledger.ts';
import { aSignedInPartner, type SignedInPartner } from '../support/portal.ts';
import { settled } from '../support/rows.ts';
import { api, type Owner, signUp, unique } from '../support/world.ts';
import { aBacklog, aBroughtLead, aClick, answersAt, aPostback, aReceiver, calledAt, callsOf, logOf, QUERY, track } from './support.ts';

let owner: Owner;
let shop: Shop;
beforeAll(async () => {
	owner = await signUp();
	shop = await aShop(owner);
});

const sell = (customer_key: string, amount_cents: number, transaction_id = unique('txn')) =>
	settled(async (held) => {
		const { commission_id } = await track(held, shop, 'sale', { customer_key, transaction_id, amount_cents });
		return { transaction_id, commission_id };
	});

/** The URL of a call, with any click key. */
const at = (receiver: string, [sub, amount, event]: readonly [string, string, string]) =>
	expect.stringMatching(new RegExp(`^${escaped(`${receiver}?s=${sub}&a=${amount}&c=USD&e=${event}&k=`)}[0-9a-f]{16}$`));
const escaped = (text: string) => text.replaceAll(/[.?/]/g, String.raw`\$&`);

describe('a partner’s system', () => {
	test("gets the lead, sale and reversal once each, with the click's sub_id", async () => {
		const [partner, other] = [await aSignedInPartner(shop), await aSignedInPartner(shop)];
		const [receiver, elsewhere] = [aReceiver(), aReceiver()];
		await answersAt(receiver, { status: 200 });
		await aPostback(partner, `${receiver}${QUERY}`);
		await aPostback(other, `${elsewhere}${QUERY}`);
		const customer = await aBroughtLead(shop, partner, 'n/4711 &');
		const sale = await sell(customer, 12_345);
		await settled((held) => track(held, shop, 'refund', { transaction_id: sale.transaction_id, refund_amount_cents: 2_345 }));
		const rejected = await sell(customer, 700);
		await api(`${shop.path}/commissions/reject`, { token: owner.token, body: { commission_ids: [rejected.commission_id] } });
		await settled(() => Promise.resolve());
		const SUB = 'n%2F4711%20%26';
		const received = await callsOf(receiver);
		expect(received).toEqual([
			at(receiver, [SUB, '0.00', 'lead']),
			at(receiver, [SUB, '123.45', 'sale']),
			at(receiver, [SUB, '23.45', 'reversed']),
			at(receiver, [SUB, '7.00', 'sale']),
			at(receiver, [SUB, '7.00', 'reversed']),
		]);
		expect(new Set(received.map((url) => new URL(url).searchParams.get('k'))).size).toBe(1);
		expect(await callsOf(elsewhere)).toEqual([]);
	});

	test('gets only the selected events and no customer data', async () => {
		const partner = await aSignedInPartner(shop);
		const receiver = aReceiver();
		await answersAt(receiver, { status: 200 });
		await aPostback(partner, `${receiver}${QUERY}`, ['sale']);
		const customer = await aBroughtLead(shop, partner);
		const sale = await sell(customer, 500);
		const received = await callsOf(receiver);
		expect(received).toEqual([at(receiver, ['', '5.00', 'sale'])]);
		const { body } = await api<{ click_id: string }[]>(`${shop.path}/customers?search=${customer}`, { token: owner.token });
		const stored = JSON.stringify([received, await rows('SELECT * FROM postback_deliveries WHERE event = ?', 'sale')]);
		for (const secret of [customer, sale.transaction_id, body.data[0]?.click_id]) expect(stored).not.toContain(secret);
	});

	test('gets the sub_id even if the click row arrives after the lead', async () => {
		const partner = await aSignedInPartner(shop);
		const receiver = aReceiver();
		await answersAt(receiver, { status: 200 });
		await aPostback(partner, `${receiver}${QUERY}`, ['lead']);
		const CLICKS = holdingQueue();
		const { click_id } = await aClick({ DB: env.DB, CLICKS, EFFECTS: holdingQueue() }, shop, partner, 'late');
		await settled((held) => track(held, shop, 'lead', { click_id, customer_key: unique('customer') }));
		expect(await callsOf(receiver)).toEqual([]);
		await deliver(
			'affiliate-clicks',
			CLICKS.held.map((body) => ({ body })),
		);
		await calledAt(Date.now() + 3 * MINUTE_MS);
		expect(await callsOf(receiver)).toEqual([at(receiver, ['late', '0.00', 'lead'])]);
		expect(await logOf(partner)).toMatchObject([{ attempts: 1, last_status: 200 }]);
	});

	test('gets a lead once if its click is reported later, before the effects apply', async () => {
		const partner = await aSignedInPartner(shop);
		const receiver = aReceiver();
		await answersAt(receiver, { status: 200 });
		await aPostback(partner, `${receiver}${QUERY}`, ['lead']);
		const customer_key = unique('customer');
		const { click_id } = await settled((held) => aClick(held, shop, partner, 'later'));
		await settled(async (held) => {
			await track(held, shop, 'lead', { customer_key });
			await track(held, shop, 'lead', { customer_key, click_id });
		});
		expect(await callsOf(receiver)).toEqual([at(receiver, ['later', '0.00', 'lead'])]);
	});

	test('gets nothing after the membership has ended, not even earlier events', async () => {
		const { partner, url } = await aCall({ status: 503 });
		await answersAt(url, { status: 200 });
		await api(`${shop.path}/partners/${partner.id}`, { token: owner.token, method: 'DELETE' });
		await calledAt(Date.now() + 10 * MINUTE_MS);
		expect(await callsOf(url)).toHaveLength(1);
	});

	test('has no sub_id in its log after the customer is erased', async () => {
		const partner = await aSignedInPartner(shop);
		const receiver = aReceiver();
		await answersAt(receiver, { status: 200 });
		await aPostback(partner, `${receiver}${QUERY}`, ['lead']);
		const customer_key = await aBroughtLead(shop, partner, 'whoever');
		expect(await logOf(partner)).toMatchObject([{ url: expect.stringContaining('s=whoever') }]);
		await api(`${shop.path}/customers/erase`, { token: owner.token, body: { customer_key } });
		expect(await logOf(partner)).toMatchObject([{ url: expect.stringContaining('s=&') }]);
	});
});

/** The partner's system responds with this page and has been called once. */
async function aCall(page: Parameters<typeof answersAt>[1]) {
	const partner = await aSignedInPartner(shop);
	const url = aReceiver();
	await answersAt(url, page);
	await aPostback(partner, url, ['lead']);
	await aBroughtLead(shop, partner);
	return { partner, url };
}

async function noticesOf({ token }: SignedInPartner): Promise<string[]> {
	const { body } = await api<{ kind: string; message: string }[]>('/api/v1/notifications', { token });
	return body.data.filter(({ kind }) => kind === 'postback_disabled').map(({ message }) => message);
}

describe('a failing system', () => {
	test('is retried on schedule until it accepts', async () => {
		const { partner, url } = await aCall({ status: 503, body: 'busy' });
		expect(await logOf(partner)).toMatchObject([{ status: 'pending', attempts: 1, last_status: 503, last_response: 'busy' }]);
		expect((await api(`${partner.own}/postback`, { token: partner.token })).body.data).toMatchObject({ enabled: true, failures: 1 });
		await answersAt(url, { status: 200, body: 'thanks' });
		await calledAt(Date.now() + 10 * MINUTE_MS);
		expect(await logOf(partner)).toMatchObject([{ status: 'delivered', attempts: 2, last_response: 'thanks', last_error: null }]);
		await calledAt(Date.now() + 5 * HOUR_MS);
		expect(await callsOf(url)).toHaveLength(2);
		expect((await api(`${partner.own}/postback`, { token: partner.token })).body.data).toMatchObject({ failures: 0 });
	});

	test('is called by only one of several consumers', async () => {
		const { url } = await aCall({ status: 503 });
		const WEBHOOKS = holdingQueue();
		const consumer = () => deliver('affiliate-webhooks', [{ body: { version: 1, kind: 'webhooks', channel: 'postbacks' } }], { WEBHOOKS });
		await atInstant(Date.now() + 10 * MINUTE_MS, () => Promise.all([consumer(), consumer(), consumer()]));
		expect(await callsOf(url)).toHaveLength(2);
	});

	test('delays no other, even with a thousand waiting calls, and is rarely tried', async () => {
		const down = await aCall({ status: 500 });
		await aBacklog(down.url, 1_000);
		const up = await aCall({ status: 200 });
		expect(await callsOf(up.url)).toHaveLength(1);
		const minutes = 3;
		for (let minute = 1; minute <= minutes; minute += 1) await calledAt(Date.now() + minute * MINUTE_MS);
		expect((await callsOf(down.url)).length).toBeLessThanOrEqual(2 + minutes);
	});

	test('cannot redirect the call', async () => {
		const inside = aReceiver();
		const { partner } = await aCall({ status: 302, headers: { Location: inside } });
		expect(await logOf(partner)).toMatchObject([{ status: 'pending', last_status: 302, last_error: expect.stringContaining('redirect') }]);
		expect(await callsOf(inside)).toEqual([]);
	});

	test('that answers 410 is not called until the postback is saved again', async () => {
		const { partner, url } = await aCall({ status: 410 });
		const { body } = await api(`${partner.own}/postback`, { token: partner.token });
		expect(body.data).toMatchObject({ enabled: false, disabled_for: 'gone' });
		expect(await noticesOf(partner)).toEqual([expect.stringContaining('because your system answered 410 Gone')]);
		await aBroughtLead(shop, partner);
		expect(await callsOf(url)).toHaveLength(1);
		await answersAt(url, { status: 204 });
		expect(await aPostback(partner, url, ['lead'])).toMatchObject({ enabled: true, disabled_for: null, failures: 0 });
		await aBroughtLead(shop, partner);
		expect(await callsOf(url)).toHaveLength(2);
	});

	test('is switched off after days', async () => {
		const { partner } = await aCall({ status: 500 });
		for (let day = 1; day <= 6; day += 1) await calledAt(Date.now() + day * DAY_MS);
		const { body } = await api(`${partner.own}/postback`, { token: partner.token });
		expect(body.data).toMatchObject({ enabled: false, disabled_for: 'failing' });
		expect(await noticesOf(partner)).toEqual([expect.stringContaining('was disabled because it failed for too long')]);
	});

	test('or any other: only the start of its answer is stored', async () => {
		const { partner } = await aCall({ status: 200, body: 'x'.repeat(5_000) });
		expect((await logOf(partner))[0]?.last_response).toHaveLength(1_024);
	});
});

test('the log covers 30 days', async () => {
	const partner = await aSignedInPartner(shop);
	const url = aReceiver();
	await answersAt(url, { status: 200 });
	await aPostback(partner, url, ['lead']);
	await aBroughtLead(shop, partner);
	expect(await logOf(partner)).toHaveLength(1);
	for (let round = 0; round < 3; round += 1) await calledAt(Date.now() + 31 * DAY_MS);
	expect(await logOf(partner)).toEqual([]);
});

test('a sale with a coupon does not wait for a click', async () => {
	const partner = await aSignedInPartner(shop);
	const url = aReceiver();
	await answersAt(url, { status: 200 });
	await aPostback(partner, url, ['sale']);
	const code = unique('CODE').toUpperCase();
	const made = await api(`${shop.path}/coupons`, { token: owner.token, body: { code, partner_id: partner.id } });
	expect(made.status).toBe(201);
	const sale = { transaction_id: unique('txn'), amount_cents: 100, customer_key: unique('c'), coupon_code: code };
	await settled((held) => track(held, shop, 'sale', sale));
	expect(await callsOf(url)).toHaveLength(1);
});
