import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, test } from 'vitest';
import { metered } from '../../testing/d1/metered.ts';
import { insertTestEvent } from '../support/events.ts';
import { aFunnel, aLead, aSale, type Funnel, rows, track } from '../support/funnel.ts';
import { aClickJob, askWith, deliverClicks } from '../support/report.ts';
import { aMember, api, signUp, unique } from '../support/world.ts';

// GET /api/tracking/events/:programId/:type/:eventId

interface Told {
	readonly event: Readonly<Record<string, unknown>>;
	readonly visit: Readonly<Record<string, unknown>> | null;
	readonly customers: readonly { readonly id: number; readonly customer_key: string | null }[];
	readonly journey: readonly { readonly type: string; readonly id: number; readonly commission: { readonly id: number } | null }[];
	readonly sales: readonly {
		readonly conclusion: string;
		readonly sale: { readonly id: number; readonly transaction_id: string };
		readonly commission: { readonly id: number; readonly status: string } | null;
		readonly payout: { readonly id: number } | null;
		readonly refunds: readonly { readonly id: number }[];
	}[];
}

let funnel: Funnel;
let clickId: string;
const customerKey = unique('buyer');
const transactionId = unique('txn');
let ids: { readonly lead: number; readonly sale: number; readonly refund: number };

beforeAll(async () => {
	funnel = await aFunnel();
	const job = await aClickJob(funnel, Date.now(), { country: 'DE', pageUrl: 'https://shop.example/?aff=x', referrerUrl: 'https://t.co/x' });
	clickId = job.clickId;
	await deliverClicks([job]);
	await track('lead', { click_id: clickId, customer_key: customerKey }, funnel.apiToken);
	const { saleId } = await aSale(funnel, { customer_key: customerKey, transaction_id: transactionId });
	await api(`/api/v1/programs/${funnel.id}/payouts`, { token: funnel.owner.token, body: { partner_ids: [funnel.partnerId] } });
	await track('refund', { transaction_id: transactionId, refund_amount_cents: 100 }, funnel.apiToken);
	const [lead] = await rows<{ id: number }>('SELECT id FROM affiliate_lead_events WHERE program_id = ?', funnel.id);
	const [refund] = await rows<{ id: number }>('SELECT id FROM refund_events WHERE program_id = ?', funnel.id);
	ids = { lead: lead?.id ?? 0, sale: saleId, refund: refund?.id ?? 0 };
});

const ask = (path: string, token = funnel.owner.token) => api<Told>(`/api/tracking/events/${funnel.id}/${path}`, { token });

async function read(path: string): Promise<Told> {
	const { status, text, body } = await ask(path);
	if (status !== 200) throw new Error(text);
	return body.data;
}

describe('an event is returned with its whole journey', () => {
	test('from the click to the payout and the refund, for each of them', async () => {
		for (const path of [`click/${clickId}`, `lead/${ids.lead}`, `sale/${ids.sale}`, `refund/${ids.refund}`]) {
			const { event, customers, journey, sales } = await read(path);
			expect([path, event['type']]).toEqual([path, path.split('/')[0]]);
			expect(customers).toMatchObject([{ customer_key: customerKey }]);
			expect(journey.map(({ type }) => type)).toEqual(['refund', 'sale', 'lead', 'click']);
			expect(sales).toMatchObject([
				{ sale: { id: ids.sale, transaction_id: transactionId }, payout: { id: expect.any(Number) }, refunds: [{ id: ids.refund }] },
			]);
			expect(journey[1]?.commission?.id).toBe(sales[0]?.commission?.id);
		}
	});

	test('and equals the one in the list', async () => {
		const { body } = await api<Record<string, unknown>[]>(`/api/tracking/events/${funnel.id}`, { token: funnel.owner.token });
		expect(body.data).toHaveLength(4);
		for (const event of body.data) {
			const id = event['type'] === 'click' ? event['click_id'] : event['id'];
			expect((await read(`${String(event['type'])}/${String(id)}`)).event).toEqual({ ...event, line_items: null });
		}
	});

	test('and a sale has all its data, which the lists have without line items', async () => {
		const place = await aFunnel();
		const details = { sale_type: 'subscription', is_recurring: true, subscription_id: 'sub-1', subscription_interval: 'annual' };
		const line_items = [{ product_id: 'mug', amount_cents: 1_000, note: { any: ['detail'] } }];
		const { saleId } = await aSale(place, { customer_key: await aLead(place), ...details, line_items });
		const { token } = place.owner;
		const { event } = (await api<Told>(`/api/tracking/events/${place.id}/sale/${saleId}`, { token })).body.data;
		expect(event).toMatchObject({ ...details, line_items });
		for (const path of [`/api/tracking/events/${place.id}?type=sale`, '/api/v1/cli/events?type=sale']) {
			const key = path.includes('cli') ? place.apiToken : token;
			const { body } = await api<Record<string, unknown>[]>(path, { token: key });
			expect(body.data).toMatchObject([details]);
			expect(body.data[0]).not.toHaveProperty('line_items');
			const csv = await api(path, { token: key, headers: { Accept: 'text/csv' } });
			expect(csv.text.trimEnd().split('\r\n')[1]).toMatch(/,subscription,true,sub-1,annual$/);
		}
	});

	test('and only a click has its visit', async () => {
		const { visit } = await read(`click/${clickId}`);
		expect(visit).toMatchObject({
			page_url: 'https://shop.example/?aff=x',
			referrer_url: 'https://t.co/x',
			source: 't.co',
			link_id: expect.any(Number),
		});
		expect((await read(`lead/${ids.lead}`)).visit).toBeNull();
	});

	test('and a click without customers and a test event stand alone', async () => {
		const job = await aClickJob(funnel, Date.now());
		await deliverClicks([job]);
		expect(await read(`click/${job.clickId}`)).toMatchObject({ customers: [], journey: [], sales: [] });
		for (const type of ['lead', 'sale'] as const) {
			const id = await insertTestEvent(funnel, { type, at: Date.now() });
			expect(await read(`${type}/${id}`)).toMatchObject({ event: { id, is_test: true }, customers: [], journey: [] });
		}
	});

	test('and a click has all its customers', async () => {
		const job = await aClickJob(funnel, Date.now());
		await deliverClicks([job]);
		const keys = [unique('one'), unique('two')];
		for (const key of keys) await track('lead', { click_id: job.clickId, customer_key: key }, funnel.apiToken);
		const { customers, journey } = await read(`click/${job.clickId}`);
		expect(customers.map(({ customer_key }) => customer_key)).toEqual(keys);
		expect(journey.map(({ type }) => type)).toEqual(['lead', 'click']);
	});

	test('in two trips and few rows', async () => {
		const DB = metered(env.DB);
		const response = await askWith({ DB }, `/api/tracking/events/${funnel.id}/refund/${ids.refund}`, funnel.owner.token);
		expect(response.status).toBe(200);
		expect(DB.spent().trips).toBe(2);
		expect(DB.spent().rowsRead).toBeLessThanOrEqual(150);
	});
});

describe('an unknown event', () => {
	test('is a 404', async () => {
		const elsewhere = await aFunnel();
		for (const path of [`click/${clickId}`, `lead/${ids.lead}`, `sale/${ids.sale}`, `refund/${ids.refund}`]) {
			const { status, text } = await api(`/api/tracking/events/${elsewhere.id}/${path}`, { token: funnel.owner.token });
			expect([status, JSON.parse(text)]).toEqual([404, { error: 'Event not found' }]);
		}
		for (const path of ['click/none', 'click/%00', 'sale/999999999', 'lead/999999999', 'refund/999999999'])
			expect((await ask(path)).status).toBe(404);
	});

	test.each([
		['payout/1', 'type in the path must be click, lead, sale or refund'],
		['sale/0', 'eventId in the path must be a positive integer'],
		['lead/x', 'eventId in the path must be a positive integer'],
		['sale/1?test=true', 'Unknown query parameter: test'],
	])('%s is a 400', async (path, message) => {
		const { status, text } = await ask(path);
		expect([status, JSON.parse(text)]).toEqual([400, { error: message }]);
	});

	test.each(['sale/1', 'sale/x', 'payout/1', 'sale/1?test=true'])('a caller without access gets that error first: %s', async (path) => {
		expect((await api(`/api/tracking/events/${funnel.id}/${path}`)).status).toBe(401);
		expect((await ask(path, (await signUp()).token)).status).toBe(403);
		expect((await ask(path, funnel.apiToken)).status).toBe(401);
		expect([200, 400, 404]).toContain((await ask(path, (await aMember(funnel.owner, 'member')).token)).status);
	});
});
