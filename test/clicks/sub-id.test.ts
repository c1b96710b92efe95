import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, test } from 'vitest';
import type { ClickJob } from '../../src/job.ts';
import { holdingQueue } from '../../testing/queues.ts';
import { trackWith } from '../support/bindings.ts';
import { deliver } from '../support/deliver.ts';
import { follow } from '../support/follow.ts';
import { rows, track } from '../support/funnel.ts';
import { aShop, type Shop } from '../support/ledger.ts';
import { aSignedInPartner, type SignedInPartner } from '../support/portal.ts';
import { api, type Owner, signUp, unique } from '../support/world.ts';

// A partner's own value (sub id) in a link (decision 48).

let owner: Owner;
let shop: Shop;
let partner: SignedInPartner;
beforeAll(async () => {
	owner = await signUp();
	shop = await aShop(owner);
	partner = await aSignedInPartner(shop);
});

const page = (query: string) => `https://shop.example/?aff=${partner.links[0]?.short_link}${query}`;

async function jobOf(affiliate_url: string, fields: object = {}): Promise<ClickJob> {
	const CLICKS = holdingQueue<ClickJob>();
	const { status } = await trackWith({ CLICKS }, 'click', { affiliate_url, ...fields });
	expect(status).toBe(200);
	const [job] = CLICKS.held;
	if (!job) throw new Error('The click was not queued');
	return job;
}

async function stored(job: ClickJob | Omit<ClickJob, 'subId'>): Promise<unknown> {
	const { acked } = await deliver('affiliate-clicks', [{ body: job }]);
	expect(acked).toHaveLength(1);
	const [row] = await rows('SELECT sub_id FROM affiliate_click_events WHERE click_id = ?', job.clickId);
	return row?.['sub_id'];
}

describe('a sub_id is stored with the click', () => {
	test('from the reported address', async () => {
		expect(await stored(await jobOf(page('&sub_id=n%2D4711%26x&sub_id=second')))).toBe('n-4711&x');
	});

	test('or from the page, if the address comes without its query', async () => {
		expect(await stored(await jobOf(page(''), { sub_id: 'n-4712' }))).toBe('n-4712');
	});

	test.each([
		['too long', `&sub_id=${'x'.repeat(201)}`],
		['invalid UTF-8', '&sub_id=%ff'],
		['a line break', '&sub_id=a%0Ab'],
		['blank', '&sub_id='],
	])('and dropped if it is %s: never an error', async (_what, query) => {
		expect(await stored(await jobOf(page(query)))).toBeNull();
	});

	test('but not if the message is older than the field', async () => {
		const { subId: _none, ...before } = await jobOf(page('&sub_id=x'));
		expect(await stored(before)).toBeNull();
	});

	test('by a redirect, which passes it on', async () => {
		const link = `${shop.path}/links/${partner.links[0]?.id}`;
		await api(link, { method: 'PATCH', token: owner.token, body: { destination_url: 'https://shop.example/sale' } });
		const { location, clicks } = await follow(`/r/${partner.links[0]?.short_link}?sub_id=n%20%26&utm_source=x`);
		expect(location?.searchParams.get('sub_id')).toBe('n &');
		expect(clicks).toEqual([expect.objectContaining({ subId: 'n &' })]);
	});

	test('of a test click too', async () => {
		const { body } = await track('click', { affiliate_url: page('&sub_id=tried'), additional_data: { test_mode: true } });
		const told = await rows('SELECT sub_id FROM affiliate_click_events WHERE click_id = ?', body['click_id']);
		expect(told).toEqual([{ sub_id: 'tried' }]);
	});
});

describe('a sub_id is shown with what the click earned', () => {
	let commissionId: number;
	let clickId: string;
	beforeAll(async () => {
		const job = await jobOf(page('&sub_id=n-4713'));
		await stored(job);
		({ clickId } = job);
		const customer_key = unique('customer');
		await track('lead', { click_id: clickId, customer_key }, shop.apiToken);
		const { body } = await track('sale', { customer_key, transaction_id: unique('txn'), amount_cents: 10_000 }, shop.apiToken);
		commissionId = Number(body['commission_id']);
	});

	test('to the partner', async () => {
		const { body } = await api<{ sale: { sub_id: string } }>(`${partner.own}/commissions/${commissionId}`, { token: partner.token });
		expect(body.data.sale.sub_id).toBe('n-4713');
		const csv = await api(`${partner.own}/commissions`, { token: partner.token, headers: { Accept: 'text/csv' } });
		expect(csv.text).toMatch(/,sub_id,payout_status,payout_sent_at\r\n.*,n-4713,,\r\n/);
	});

	test('to members of the program', async () => {
		const one = await api<{ sale: { sub_id: string } }>(`${shop.path}/commissions/${commissionId}`, { token: owner.token });
		expect(one.body.data.sale.sub_id).toBe('n-4713');
		const path = `${shop.path}/commissions/${commissionId}/explanation`;
		const explained = await api<{ sale: { sub_id: string } }>(path, { token: owner.token });
		expect(explained.body.data.sale.sub_id).toBe('n-4713');
		const event = await api<{ visit: { sub_id: string } }>(`/api/tracking/events/${shop.id}/click/${clickId}`, { token: owner.token });
		expect(event.body.data.visit.sub_id).toBe('n-4713');
		const csv = await api(`${shop.path}/commissions`, { token: owner.token, headers: { Accept: 'text/csv' } });
		expect(csv.text).toMatch(/,sub_id\r\n.*,n-4713\r\n/);
	});

	test('and is erased with the customer', async () => {
		const erased = await api(`${shop.path}/customers/erase`, { token: owner.token, body: { click_id: clickId } });
		expect(erased.status).toBe(200);
		const left = await env.DB.prepare("SELECT count(*) AS n FROM affiliate_click_events WHERE sub_id = 'n-4713'").first<number>('n');
		expect(left).toBe(0);
		const { body } = await api<{ sale: { sub_id: string } }>(`${partner.own}/commissions/${commissionId}`, { token: partner.token });
		expect(body.data.sale.sub_id).toBeNull();
	});
});
