import { env, exports } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { DAY_MS } from '../../src/domain/calendar.ts';
import { openContext } from '../../src/context.ts';
import { readStatus } from '../../src/reporting/read-status.ts';
import { Tracker } from '../../src/sdk/index.ts';
import { aClick, aFunnel, aLead, aSale, type Funnel, rows, track } from '../support/funnel.ts';
import { api, unique } from '../support/world.ts';

// Fields of tracking calls that look misspelt (decision 39).

const warning = (field: string, meant: string) => `${field} is not a field of this call and was ignored: did you mean ${meant}?`;

const counted = ({ id }: Funnel) =>
	rows<{ operation: string; field: string; calls: number }>(
		'SELECT operation, field, calls FROM misspelt_fields WHERE program_id = ? ORDER BY operation, field',
		id,
	);

async function checkOf(funnel: Funnel, now = Date.now()) {
	const { checks } = await readStatus(openContext(env, { waitUntil: () => undefined }, now), funnel.id);
	return checks.find(({ name }) => name === 'fields_known');
}

describe('a misspelt field', () => {
	test('of a sale is ignored and named in the success response', async () => {
		const funnel = await aFunnel();
		const sale = { transaction_id: unique('txn'), amount_cents: 1_000, customer_key: await aLead(funnel) };
		const { status, body } = await track('sale', { ...sale, subscriptionId: 's1', curency: 'EUR', note: 'x' }, funnel.apiToken);
		expect([status, body]).toEqual([
			200,
			{
				success: true,
				sale_id: expect.any(Number),
				commission_id: expect.any(Number),
				message: 'Sale recorded and commission created.',
				warnings: [warning('subscriptionId', 'subscription_id'), warning('curency', 'currency')],
			},
		]);
		const [stored] = await rows('SELECT subscription_id, currency FROM affiliate_sale_events WHERE id = ?', body['sale_id']);
		expect(stored).toEqual({ subscription_id: null, currency: 'USD' });
	});

	test('of a click, lead and refund is named too', async () => {
		const funnel = await aFunnel();
		const click = await track('click', { affiliate_url: `https://shop.example/?aff=${funnel.shortLink}`, pageTitle: 'Shop' });
		expect(click.body['warnings']).toEqual([warning('pageTitle', 'page_title')]);
		const lead = await track('lead', { click_id: await aClick(funnel), customerkey: 'k' }, funnel.apiToken);
		expect(lead.body['warnings']).toEqual([warning('customerkey', 'customer_key')]);
		const { transactionId } = await aSale(funnel);
		const refund = await track('refund', { transaction_id: transactionId, refundReason: 'Broken' }, funnel.apiToken);
		expect([refund.body['status'], refund.body['warnings']]).toEqual(['reversed', [warning('refundReason', 'refund_reason')]]);
	});

	test('for test mode is named, and the sale is real', async () => {
		const funnel = await aFunnel();
		for (const [switched, field] of [
			[{ additional_data: { testMode: true } }, 'additional_data.testMode'],
			[{ test_mode: true }, 'test_mode'],
		] as const) {
			const sale = { transaction_id: unique('txn'), amount_cents: 1_000, customer_key: await aLead(funnel), ...switched };
			const { status, body } = await track('sale', sale, funnel.apiToken);
			expect([status, body['warnings']]).toEqual([200, [warning(field, 'additional_data.test_mode')]]);
		}
	});

	test('of a page is answered with the headers that its browser needs', async () => {
		const funnel = await aFunnel({ allowed_origins: ['https://shop.example'] });
		const click = { affiliate_url: `https://shop.example/?aff=${funnel.shortLink}`, pageTitle: 'x' };
		const { status, headers, body } = await track('click', click, undefined, { Origin: 'https://shop.example' });
		expect([status, headers.get('Access-Control-Allow-Origin'), body['warnings']]).toEqual([
			200,
			'https://shop.example',
			[warning('pageTitle', 'page_title')],
		]);
		expect(await counted(funnel)).toEqual([]);
	});

	test('is named beside the right one, whose value counts', async () => {
		const funnel = await aFunnel();
		const sale = { transaction_id: unique('txn'), amount_cents: 1_000, customer_key: await aLead(funnel) };
		const { status, body } = await track('sale', { ...sale, subscription_id: 'right', subscriptionId: 'wrong' }, funnel.apiToken);
		expect([status, body['warnings']]).toEqual([
			200,
			['subscriptionId is not a field of this call and was ignored: subscription_id was used.'],
		]);
		const [stored] = await rows('SELECT subscription_id FROM affiliate_sale_events WHERE id = ?', body['sale_id']);
		expect(stored).toEqual({ subscription_id: 'right' });
		expect(await counted(funnel)).toEqual([{ operation: 'sale', field: 'subscriptionId', calls: 1 }]);
	});

	test('changes nothing in a refusal', async () => {
		const funnel = await aFunnel();
		const { status, body } = await track('sale', { transactionId: 'x', amount_cents: 1 }, funnel.apiToken);
		expect([status, body]).toEqual([400, { error: 'transaction_id is required and must be a string' }]);
	});
});

test('a body without one gets the same bytes as before and writes nothing', async () => {
	const funnel = await aFunnel();
	const sale = { transaction_id: unique('txn'), amount_cents: 1_000, customer_key: await aLead(funnel), subscription_id: 's', note: 1 };
	const { text } = await api('/api/v1/track/sale', { token: funnel.apiToken, body: sale });
	const { sale_id: saleId, commission_id: commissionId } = JSON.parse(text);
	expect(text).toBe(
		`{"success":true,"sale_id":${saleId},"commission_id":${commissionId},"message":"Sale recorded and commission created."}`,
	);
	expect(await counted(funnel)).toEqual([]);
});

describe('the status', () => {
	test('counts them for a day, without tests', async () => {
		const funnel = await aFunnel();
		const customer = await aLead(funnel);
		const sell = (more: object) =>
			track('sale', { transaction_id: unique('txn'), amount_cents: 1_000, customer_key: customer, ...more }, funnel.apiToken);
		for (let sales = 0; sales < 3; sales += 1) await sell({ subscriptionId: 's1' });
		await sell({ productid: 'p', additional_data: { test_mode: true } });
		expect(await counted(funnel)).toEqual([{ operation: 'sale', field: 'subscriptionId', calls: 3 }]);
		expect(await checkOf(funnel)).toMatchObject({
			ok: false,
			nextAction: expect.stringContaining('subscriptionId in 3 sale calls: did you mean subscription_id?'),
		});
		expect(await checkOf(funnel, Date.now() + DAY_MS + 1_000)).toMatchObject({ ok: true });
	});

	test('counts many concurrent ones exactly, and keeps at most twenty', async () => {
		const funnel = await aFunnel();
		const customer = await aLead(funnel);
		const sell = (more: object) =>
			track('sale', { transaction_id: unique('txn'), amount_cents: 1_000, customer_key: customer, ...more }, funnel.apiToken);
		await Promise.all(Array.from({ length: 6 }, () => sell({ productId: 'p' })));
		expect(await counted(funnel)).toEqual([{ operation: 'sale', field: 'productId', calls: 6 }]);
		for (let dashes = 1; dashes <= 25; dashes += 1) await sell({ [`product${'-'.repeat(dashes)}id`]: 'p' });
		expect(await counted(funnel)).toHaveLength(20);
	});
});

test('the SDK returns them', async () => {
	const funnel = await aFunnel();
	const tracker = new Tracker({
		baseUrl: 'http://service.test',
		apiKey: funnel.apiToken,
		fetch: (input, init) => exports.default.fetch(new Request(input, init)),
	});
	const sale = { transaction_id: unique('txn'), amount_cents: 1_000, customer_key: await aLead(funnel) };
	const misspelt: typeof sale & { subscriptionId: string } = { ...sale, subscriptionId: 's1' };
	expect(await tracker.sale(misspelt)).toMatchObject({ recorded: true, warnings: [warning('subscriptionId', 'subscription_id')] });
	expect(await tracker.refund({ transaction_id: sale.transaction_id })).not.toHaveProperty('warnings');
});
