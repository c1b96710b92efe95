import { beforeAll, describe, expect, test } from 'vitest';
import { aFunnel, aLead, type Funnel, track } from '../support/funnel.ts';
import { api, unique } from '../support/world.ts';

// The example bodies in the original interface's published description, and the calls of its command line client (contract, sections 4.8
// and 9). Only ids that must be unique or real differ.

let funnel: Funnel;
let clickId: string;
const customerKey = unique('user_123');
const transactionId = unique('txn_abc123');

beforeAll(async () => {
	funnel = await aFunnel();
});

/** Sent by the client's `test` and `onboard` commands. */
const post = (body: object) => api<Record<string, unknown>>('/api/v1/cli/test-event', { token: funnel.apiToken, body });

const tested = (eventName: string, fields: object = {}) => ({
	additional_data: { test_mode: true, program_id: String(funnel.id), event_name: eventName },
	...fields,
});
const TEST_ANSWER = () => ({
	success: true,
	message: expect.any(String),
	data: { eventId: expect.any(Number), programId: funnel.id, test_mode: true },
});

describe('the examples of the published description, one after the other', () => {
	test('a click', async () => {
		const landing = `https://yoursite.com/pricing?aff=${funnel.shortLink}`;
		const { status, body } = await track('click', {
			affiliate_url: landing,
			page_url: landing,
			page_title: 'Pricing',
			referrer_url: 'https://google.com',
			session_id: 'sess_xyz_1234',
			screen_resolution: '1920x1080',
			viewport_size: '1440x900',
			language: 'en-US',
			timezone: 'America/New_York',
		});
		expect([status, body]).toEqual([
			200,
			expect.objectContaining({ success: true, click_id: expect.stringMatching(/^cust_\d+_\d+$/), cookie_window_days: 60 }),
		]);
		clickId = String(body['click_id']);
	});

	test('a click in test mode, which names its link as our contract requires', async () => {
		expect((await track('click', tested('click'))).body).toEqual({ error: 'affiliate_url is required' });
		const { status, body } = await track('click', tested('click', { affiliate_url: `https://yoursite.com/?aff=${funnel.shortLink}` }));
		expect([status, body]).toEqual([200, expect.objectContaining({ success: true, data: TEST_ANSWER().data })]);
	});

	test('a lead', async () => {
		const { status, body } = await track(
			'lead',
			{ click_id: clickId, customer_key: customerKey, email: 'user@example.com', session_id: 'sess_xyz_1234', click_ids: [clickId] },
			funnel.apiToken,
		);
		expect([status, body]).toEqual([200, expect.objectContaining({ success: true, message: expect.any(String), attributed: true })]);
	});

	test('a lead in test mode', async () => {
		const lead = tested('signup', { click_id: 'test_lead_001', customer_key: 'test_customer' });
		const { status, body } = await track('lead', lead, funnel.apiToken);
		expect([status, body]).toEqual([200, expect.objectContaining(TEST_ANSWER())]);
	});

	test('a one-time payment, and the same one again', async () => {
		const sale = { transaction_id: transactionId, customer_key: customerKey, amount_cents: 9999, currency: 'USD', sale_type: 'payment' };
		const { status, body } = await track('sale', sale, funnel.apiToken);
		expect([status, body]).toEqual([
			200,
			{ success: true, sale_id: expect.any(Number), commission_id: expect.any(Number), message: expect.any(String) },
		]);
		const again = await track('sale', sale, funnel.apiToken);
		expect([again.status, again.body]).toEqual([
			409,
			expect.objectContaining({ error: 'Duplicate transaction_id. This sale has already been recorded.' }),
		]);
	});

	test('the renewal of a subscription', async () => {
		const renewal = {
			transaction_id: unique('in_1QxYz...'),
			customer_key: customerKey,
			amount_cents: 2490,
			currency: 'USD',
			sale_type: 'subscription',
			is_recurring: true,
			subscription_id: 'sub_xyz',
			subscription_interval: 'monthly',
		};
		const { status, body } = await track('sale', renewal, funnel.apiToken);
		expect([status, body]).toMatchObject([200, { success: true, sale_id: expect.any(Number), commission_id: expect.any(Number) }]);
	});

	test('a sale in test mode', async () => {
		const sale = { additional_data: { test_mode: true }, amount_cents: 9999, currency: 'USD', sale_type: 'payment' };
		const { status, body } = await track('sale', sale, funnel.apiToken);
		expect([status, body]).toEqual([200, TEST_ANSWER()]);
	});

	test('a partial refund', async () => {
		const refund = { transaction_id: transactionId, refund_amount_cents: 5000, refund_reason: 'customer_request' };
		const { status, body } = await track('refund', refund, funnel.apiToken);
		expect([status, body]).toEqual([
			200,
			{ success: true, status: 'refunded', deductionAmount: expect.any(Number), commission_id: expect.any(Number) },
		]);
		const unknown = await track('refund', { ...refund, transaction_id: unique('never') }, funnel.apiToken);
		expect([unknown.status, unknown.body]).toEqual([404, { error: 'Sale not found for transaction_id' }]);
	});

	test('currencies of the original work', async () => {
		for (const currency of ['EUR', 'VND']) {
			const sale = { transaction_id: unique('txn'), customer_key: await aLead(funnel), amount_cents: 100, currency };
			expect((await track('sale', sale, funnel.apiToken)).status).toBe(200);
		}
	});
});

describe('the command line client', () => {
	test.each([
		['click', true],
		['lead', false],
		['sale', false],
	])('`test %s` reports whether it was received and attributed', async (event, attributed) => {
		const { status, body } = await post({ program_id: String(funnel.id), event_type: event });
		expect([status, body.data]).toMatchObject([
			200,
			{ event_type: event, event_id: expect.any(Number), received: true, attributed, message: expect.any(String) },
		]);
	});

	test('`test click` names what is missing if the program has no partner', async () => {
		const empty = await aFunnel();
		await api(`/api/v1/programs/${empty.id}/partners/${empty.partnerId}`, {
			token: empty.owner.token,
			method: 'PATCH',
			body: { status: 'suspended' },
		});
		const { body } = await api('/api/v1/cli/test-event', { token: empty.apiToken, body: { event_type: 'click' } });
		expect(body.data).toMatchObject({
			event_id: null,
			received: false,
			attributed: false,
			message: expect.stringContaining('No active partner'),
		});
	});

	test('`onboard` runs a chain and reads the verdict', async () => {
		const { status, body } = await post({ type: 'chain' });
		expect([status, body.data]).toMatchObject([
			200,
			{
				type: 'chain',
				short_code: funnel.shortLink,
				customer_key: expect.any(String),
				verdict: { click: 'attributed', lead: 'attributed', sale: 'attributed' },
				attributed: true,
			},
		]);
	});

	test('`status` reads the name of the program and its figures', async () => {
		const { status, text } = await api(`/api/v1/cli/status?program_id=${funnel.id}`, { token: funnel.apiToken });
		expect([status, JSON.parse(text)]).toMatchObject([
			200,
			{
				program_id: funnel.id,
				name: expect.any(String),
				stripe_connected: false,
				recent_events: { clicks_24h: expect.any(Number), leads_24h: expect.any(Number), sales_24h: expect.any(Number) },
				active_partners: 1,
				pending_commissions: expect.any(Number),
			},
		]);
	});
});
