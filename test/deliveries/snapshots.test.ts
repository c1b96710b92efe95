import { describe, expect, test } from 'vitest';
import { testPayload } from '../../src/domain/webhooks/webhook-payload.ts';
import { WEBHOOK_TYPES } from '../../src/domain/webhooks/webhook-type.ts';
import { aServiceOfTests } from './receiver.ts';

const service = await aServiceOfTests();

const track = (route: string, body: object) => service.call(`/api/v1/track/${route}`, body);
const program = (path: string, body: object, method = 'POST') => service.call(`/api/v1/programs/1${path}`, body, method);

async function live(): Promise<void> {
	const [clickId] = service.world.newClickIds;
	await track('lead', { click_id: clickId, customer_key: 'new-one' });
	const sale = (transaction_id: string, more: object = {}) =>
		track('sale', { transaction_id, amount_cents: 10_000, customer_key: 'new-one', ...more });
	await sale('new-1');
	await sale('new-2', { product_id: 'gift-card' });
	await sale('new-3', { product_id: 'gift-card' });
	await sale('new-4', { amount_cents: 100_000 });
	await service.settle();
	const commissions = await service.rows(
		`SELECT c.id, s.processor_event_id AS name FROM commissions c JOIN affiliate_sale_events s ON s.id = c.sale_id WHERE s.processor_event_id GLOB 'new-*' ORDER BY 1`,
	);
	const idOf = (name: string) => Number(commissions.find((row) => row['name'] === name)?.['id']);
	await program('/commissions/approve', { commission_ids: [idOf('new-2')] });
	await program('/commissions/reject', { commission_ids: [idOf('new-3')], reason: 'Own purchase' });
	await track('refund', { transaction_id: 'new-1', refund_id: 'back-1', refund_reason: 'Broken' });
	await program('/payouts', { commission_ids: [idOf('new-4')] });
	await program('/payouts', { commission_ids: [idOf('new-2')] });
	const payouts = await service.rows('SELECT id FROM payouts ORDER BY id DESC LIMIT 2');
	await program(`/payouts/${Number(payouts[0]?.['id'])}/sent`, { reference: 'transfer-1' });
	await program(`/payouts/${Number(payouts[1]?.['id'])}/failed`, { reason: 'Closed' });
	await program('/partners', { name: 'New Partner', email: 'new@partner.example' });
	await program('/partners/2', { status: 'suspended', reason: 'Spam' }, 'PATCH');
	await service.call('/api/v1/public/programs/example-shop/applications', {
		name: 'Apply',
		email: 'apply@blog.example',
		accepted_terms_version: 1,
	});
	await service.settle();
}

describe('a webhook', () => {
	test('gets each event once, with the fields of its test event', async () => {
		await service.aWebhook();
		await live();
		await service.sendAll();
		const received = service.payloads();
		const counts = Object.fromEntries(WEBHOOK_TYPES.map((type) => [type, received.filter((one) => one.type === type).length]));
		expect(counts).toEqual({
			'lead.created': 1,
			'sale.created': 4,
			'commission.created': 4,
			'commission.approved': 1,
			'commission.rejected': 1,
			'commission.reversed': 1,
			'commission.reinstated': 0,
			'refund.created': 1,
			'payout.created': 2,
			'payout.sent': 1,
			'payout.failed': 1,
			'partner.applied': 1,
			'partner.created': 1,
			'partner.suspended': 1,
		});
		expect(new Set(received.map(({ id }) => id)).size).toBe(received.length);
		for (const { type, data } of received) {
			const samples = WEBHOOK_TYPES.filter((one) => one === type).map((one) => testPayload(one, { now: 0, currency: 'USD' }).data);
			expect([shapeOf(data)], type).toEqual(samples.map(shapeOf));
		}
		const one = (type: string) => received.find((each) => each.type === type)?.data;
		const customer = { id: expect.any(Number), customer_key: 'new-one' };
		expect(one('lead.created')).toMatchObject({ customer_key: 'new-one', status: 'conversion', partner: { id: 1, name: 'Pat' } });
		expect(received.find(({ data }) => data['transaction_id'] === 'new-1')?.data).toMatchObject({
			amount_cents: 10_000,
			currency: 'USD',
			customer,
		});
		expect(one('commission.approved')).toMatchObject({ amount_cents: 500, partner: { id: 1 }, sale: { transaction_id: 'new-2' } });
		expect(one('commission.rejected')).toMatchObject({ status: 'rejected', rejection_reason: 'Own purchase' });
		expect(one('commission.reversed')).toMatchObject({ status: 'reversed', refund: { refund_id: 'back-1', deduction_cents: 2_000 } });
		expect(one('refund.created')).toMatchObject({ refund_id: 'back-1', reason: 'Broken', amount_cents: 10_000, customer });
		expect(one('payout.sent')).toMatchObject({ status: 'sent', reference: 'transfer-1' });
		expect(one('payout.failed')).toMatchObject({ status: 'failed', failure_reason: 'Closed' });
		expect(one('partner.suspended')).toMatchObject({ id: 2, name: 'Quinn', status_reason: 'Spam' });
		expect(one('partner.applied')).toMatchObject({ name: 'Apply', email: 'apply@blog.example' });
		expect(JSON.parse(service.received[0]?.body ?? '')).toMatchObject({
			test: false,
			timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
		});
	});

	test('gets only its selected types, and only while it is enabled; without a subscriber nothing is stored', async () => {
		const sales = await service.aWebhook(['sale.created', 'partner.suspended']);
		const off = await service.aWebhook(['sale.created'], 'https://off.shop.example/');
		await program(`/webhooks/${off.id}`, { enabled: false }, 'PATCH');
		await live();
		await service.sendAll();
		expect(
			service
				.payloads()
				.map(({ type }) => type)
				.toSorted(),
		).toEqual(['partner.suspended', ...Array.from({ length: 4 }, () => 'sale.created')]);
		expect(new Set(service.received.map(({ url }) => url))).toEqual(new Set(['https://hooks.shop.example/books']));
		await program(`/webhooks/${sales.id}`, { enabled: false }, 'PATCH');
		service.received.splice(0);
		await program('/partners/2', { status: 'active' }, 'PATCH');
		await program('/partners/2', { status: 'suspended' }, 'PATCH');
		expect(await service.rows("SELECT * FROM outbox WHERE kind = 'partner_suspended'")).toEqual([]);
	});

	test('gets an event once, even if two consumers apply it; two webhooks get it under the same id', async () => {
		await service.aWebhook(['commission.created']);
		await service.aWebhook(['commission.created'], 'https://other.shop.example/');
		await track('sale', { transaction_id: 'twice', amount_cents: 5_000, customer_key: 'user-1001' });
		const messages = service.service.held.splice(0).filter(({ queue }) => queue === 'affiliate-effects');
		expect(messages.length).toBeGreaterThan(0);
		await Promise.all(messages.flatMap(({ queue, body }) => [1, 2, 3].map(() => service.service.deliver(queue, body))));
		await service.settle();
		await service.sendAll();
		expect(service.payloads().map(({ type }) => type)).toEqual(['commission.created', 'commission.created']);
		expect(new Set(service.payloads().map(({ id }) => id)).size).toBe(1);
	});
});

test('the end of a hold is sent once', async () => {
	await service.aWebhook(['commission.approved']);
	await track('sale', { transaction_id: 'held', amount_cents: 5_000, customer_key: 'user-1001', product_id: 'gift-card' });
	await service.settle();
	await service.sendAll();
	expect(service.payloads()).toEqual([]);
	await service.bindings.DB.prepare("UPDATE commissions SET hold_until = 1, revision = revision + 1 WHERE status = 'pending'")
		.run()
		.catch(() => undefined);
	await service.settle();
	await service.settle();
	await service.sendAll();
	const received = service.payloads().filter(({ data }) => JSON.stringify(data).includes('"held"'));
	expect(received).toMatchObject([{ type: 'commission.approved', data: { status: 'approved' } }]);
});

describe('an erased person', () => {
	test('is in no delivery as a customer, sent or pending', async () => {
		await service.aWebhook();
		await live();
		await service.call('/api/v1/programs/1/customers/erase', { customer_key: 'new-one' });
		const stored = JSON.stringify(await service.rows('SELECT payload, last_response FROM webhook_deliveries'));
		expect(stored).not.toContain('new-one');
		expect(stored).not.toContain(service.world.newClickIds[0]);
		expect(stored).not.toContain('Broken');
		expect(stored).not.toContain('Own purchase');
		await service.sendAll();
		expect(service.payloads().filter(({ type }) => type === 'sale.created')).toHaveLength(4);
		expect(service.payloads().find(({ type }) => type === 'lead.created')?.data).toMatchObject({ customer_key: null, click_id: null });
	});

	test('is in no delivery as a partner or applicant', async () => {
		await service.aWebhook();
		await live();
		const [row] = await service.rows("SELECT id FROM partners WHERE email = 'new@partner.example'");
		await service.call(`/api/v1/programs/1/partners/${Number(row?.['id'])}`, undefined, 'DELETE');
		await service.call(`/api/v1/programs/1/partners/${Number(row?.['id'])}/erase`, {});
		await service.call('/api/v1/programs/1/partners', { name: 'Apply', email: 'apply@blog.example' });
		const [applicant] = await service.rows("SELECT id FROM partners WHERE email = 'apply@blog.example'");
		await service.settle();
		await service.call(`/api/v1/programs/1/partners/${Number(applicant?.['id'])}`, undefined, 'DELETE');
		await service.call(`/api/v1/programs/1/partners/${Number(applicant?.['id'])}/erase`, {});
		const stored = JSON.stringify(await service.rows('SELECT payload FROM webhook_deliveries'));
		expect(stored).not.toContain('new@partner.example');
		expect(stored).not.toContain('New Partner');
		expect(stored).not.toContain('apply@blog.example');
		expect(stored).toContain('Quinn');
	});
});

/** The names of fields at any depth, including nullable ones. */
function shapeOf(value: unknown): unknown {
	if (value === null || typeof value !== 'object') return 'value';
	return Object.fromEntries(
		Object.entries(value)
			.map(([name, inner]) => [name, shapeOf(inner)])
			.toSorted(),
	);
}
