import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, test } from 'vitest';
import { metered } from '../../testing/d1/metered.ts';
import { expectConformance } from '../support/conformance.ts';
import { eventsByKey, insertTestEvent, type WireEvent } from '../support/events.ts';
import { aFunnel, aPartner, aSale, type Funnel, rows, track } from '../support/funnel.ts';
import { aClickJob, askWith, deliverClicks } from '../support/report.ts';
import { api, unique } from '../support/world.ts';

// GET /api/tracking/events/:programId by partner, link, country, customer and transaction

const NOON = Date.parse('2026-05-09T12:00:00Z');

let funnel: Funnel;
let second: Awaited<ReturnType<typeof aPartner>>;
let first: Visit;
let other: Visit;
let direct: string;

interface Visit {
	readonly clickId: string;
	readonly customerKey: string;
	readonly transactionId: string;
	readonly customerId: number;
	readonly linkId: number;
}

/** A click, a lead, a sale and its refund. */
async function visit(by: Pick<Funnel, 'shortLink'>, country: string): Promise<Visit> {
	const job = await aClickJob({ ...funnel, ...by }, NOON, { country });
	await deliverClicks([job]);
	const [customerKey, transactionId] = [unique('customer'), unique('txn')];
	await track('lead', { click_id: job.clickId, customer_key: customerKey }, funnel.apiToken);
	await aSale(funnel, { customer_key: customerKey, transaction_id: transactionId });
	await track('refund', { transaction_id: transactionId, refund_amount_cents: 100 }, funnel.apiToken);
	const [customer] = await rows<{ id: number }>('SELECT id FROM customers WHERE customer_key = ?', customerKey);
	return { clickId: job.clickId, customerKey, transactionId, customerId: customer?.id ?? 0, linkId: job.referralLinkId };
}

beforeAll(async () => {
	funnel = await aFunnel();
	second = await aPartner(funnel.owner, funnel.id);
	first = await visit(funnel, 'DE');
	other = await visit(second, 'US');
	direct = unique('direct');
	await track('lead', { customer_key: direct }, funnel.apiToken);
	for (const type of ['click', 'lead', 'sale'] as const) await insertTestEvent(funnel, { type, at: NOON });
});

async function list(query: string): Promise<WireEvent[]> {
	const { status, text, body } = await api<WireEvent[]>(`/api/tracking/events/${funnel.id}?${query}`, { token: funnel.owner.token });
	if (status !== 200) throw new Error(text);
	return body.data;
}
const typesOf = async (query: string) => (await list(query)).map(({ type }) => type).toSorted();
const ALL = ['click', 'lead', 'refund', 'sale'];

describe('events are filtered', () => {
	test("by partner, link and country: a click and its customers' events", async () => {
		for (const query of [`partner_id=${second.partnerId}`, `link_id=${other.linkId}`, 'country=US', 'country=us']) {
			const events = await list(query);
			expect([query, events.map(({ type }) => type).toSorted()]).toEqual([query, ALL]);
			expect(new Set(events.map(({ click_id }) => click_id))).toEqual(new Set([other.clickId]));
		}
	});

	test('by customer, under its id or key', async () => {
		for (const query of [`customer_id=${first.customerId}`, `customer_key=${first.customerKey}`]) {
			const events = await list(query);
			expect([query, events.map(({ type }) => type).toSorted()]).toEqual([query, ALL]);
			expect(new Set(events.map(({ click_id }) => click_id))).toEqual(new Set([first.clickId]));
		}
		expect(await typesOf(`customer_key=${direct}`)).toEqual(['lead']);
	});

	test('by transaction: the sale and its refunds', async () => {
		const events = await list(`transaction_id=${first.transactionId}`);
		expect(events.map(({ type, transaction_id }) => [type, transaction_id])).toEqual([
			['refund', first.transactionId],
			['sale', first.transactionId],
		]);
	});

	test('by several filters, together with type, test and range', async () => {
		expect(await typesOf(`partner_id=${second.partnerId}&country=US&type=sale,refund`)).toEqual(['refund', 'sale']);
		expect(await typesOf(`partner_id=${second.partnerId}&country=DE`)).toEqual([]);
		expect(await typesOf(`customer_id=${first.customerId}&transaction_id=${other.transactionId}`)).toEqual([]);
		expect(await typesOf(`customer_id=${first.customerId}&to=2026-05-09`)).toEqual(['click']);
		expect(await typesOf(`link_id=${first.linkId}&test=true`)).toEqual(['click']);
		expect(await typesOf(`link_id=${first.linkId}&test=false&type=click`)).toEqual(['click']);
		expect(await typesOf(`customer_key=${first.customerKey}&test=true`)).toEqual([]);
	});

	test('and paged, one by one', async () => {
		for (const filter of [`partner_id=${second.partnerId}`, `customer_id=${other.customerId}`, `transaction_id=${other.transactionId}`]) {
			const whole = await list(filter);
			const walked: WireEvent[] = [];
			for (let cursor = ''; walked.length <= whole.length;) {
				const { body } = await api<WireEvent[]>(`/api/tracking/events/${funnel.id}?${filter}&limit=1${cursor}`, {
					token: funnel.owner.token,
				});
				walked.push(...body.data);
				if (body.meta.next_cursor === null) break;
				cursor = `&cursor=${body.meta.next_cursor}`;
			}
			expect(walked).toEqual(whole);
		}
	});

	test('with the program key too, and as CSV', async () => {
		const { text } = await eventsByKey(funnel, `?customer_key=${first.customerKey}&type=sale`, { Accept: 'text/csv' });
		expect(text.trimEnd().split('\r\n')).toHaveLength(2);
	});

	test("and another program's ids match nothing", async () => {
		const elsewhere = await aFunnel();
		for (const filter of [
			`customer_id=${first.customerId}`,
			`transaction_id=${first.transactionId}`,
			`link_id=${first.linkId}`,
			`partner_id=${funnel.partnerId}`,
		]) {
			const { body } = await eventsByKey(elsewhere, `?${filter}`);
			expect([filter, body.data]).toEqual([filter, []]);
		}
	});

	test('and a partner whose membership has ended still matches', async () => {
		const third = await aPartner(funnel.owner, funnel.id);
		const gone = await visit(third, 'FR');
		await api(`/api/v1/programs/${funnel.id}/partners/${third.partnerId}`, { method: 'DELETE', token: funnel.owner.token });
		const events = await list(`partner_id=${third.partnerId}`);
		expect(events.map(({ type, click_id }) => [type, click_id]).toSorted()).toEqual(ALL.map((type) => [type, gone.clickId]));
	});

	test.each([
		['partner_id=x', 'partner_id must be a positive integer'],
		['country=USA', 'country must be the two letters of a country, such as DE'],
		['page=1&partner_id=1', 'Send either page or partner_id'],
		['eventType=click&country=DE', 'Send either eventType or country'],
		['partnerId=1', 'Unknown query parameter: partnerId'],
	])('%s is a 400', async (query, message) => {
		const { status, text } = await api(`/api/tracking/events/${funnel.id}?${query}`, { token: funnel.owner.token });
		expect([status, JSON.parse(text)]).toEqual([400, { error: message }]);
	});
});

describe('among many events', () => {
	const MANY = 12_000;
	let shop: Funnel;
	let rare: { readonly linkId: number; readonly partnerId: number };
	beforeAll(async () => {
		shop = await aFunnel();
		const quiet = await aPartner(shop.owner, shop.id);
		const [link] = await rows<{ id: number }>('SELECT id FROM referral_links WHERE short_link = ?', quiet.shortLink);
		rare = { linkId: link?.id ?? 0, partnerId: quiet.partnerId };
		await rows(
			`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${MANY})
			INSERT INTO affiliate_click_events (click_id, id, program_id, referral_link_id, is_test, is_bot, clicked_at, click_day, country)
			SELECT 'many-' || ?1 || '-' || i, 100000000 + i, ?1, iif(i IN (1, 7000, 11000), ?2, (SELECT min(id) FROM referral_links WHERE program_id = ?1)),
				0, 0, ?3 + i / 2, '2026-05-09', 'DE' FROM n`,
			shop.id,
			rare.linkId,
			NOON,
		);
	});

	test('a page scans 5,000 of each type and the next continues there, without gaps or repeats', async () => {
		const walked: number[] = [];
		const pages: number[] = [];
		let cursor: string | null = '';
		while (cursor !== null && pages.length < 20) {
			const { body }: Awaited<ReturnType<typeof api<WireEvent[]>>> = await api<WireEvent[]>(
				`/api/tracking/events/${shop.id}?partner_id=${rare.partnerId}${cursor === '' ? '' : `&cursor=${cursor}`}`,
				{ token: shop.owner.token },
			);
			walked.push(...body.data.map(({ id }) => id - 100_000_000));
			pages.push(body.data.length);
			cursor = body.meta.next_cursor;
		}
		expect(walked).toEqual([11_000, 7_000, 1]);
		expect(pages).toEqual([1, 1, 1]);
	});

	test.each([
		['link_id', () => `link_id=${rare.linkId}`, 2 * 5_000 + 100],
		['customer_key', () => 'customer_key=nobody', 60],
		['transaction_id', () => 'transaction_id=none', 60],
	])('a filter by %s reads no more than that', async (_name, filter, most) => {
		const DB = metered(env.DB);
		const path = `/api/tracking/events/${shop.id}`;
		const response = await askWith({ DB }, `${path}?${filter()}`, shop.owner.token);
		expectConformance({ method: 'GET', path, status: response.status, headers: response.headers, text: await response.text() });
		const { trips, rowsRead } = DB.spent();
		expect(trips).toBe(2);
		expect(rowsRead).toBeLessThanOrEqual(most);
	});
});
