import { describe, expect, test } from 'vitest';
import { testPayload } from '../../../src/domain/webhooks/webhook-payload.ts';
import { WEBHOOK_TYPES, webhookIdOf } from '../../../src/domain/webhooks/webhook-type.ts';

const NOW = Date.parse('2026-01-31T12:00:00Z');

test('an event id is built from its subject, and has no separator of the signature', () => {
	const event = { operation: '0b7e4c1a-9f6e-4f6b-8b0a-2f1d3c5e7a90:commission_created', type: 'commission.created', subjectId: 17 };
	expect(webhookIdOf(event)).toBe('msg_commission_created_17_0b7e4c1a-9f6e-4f6b-8b0a-2f1d3c5e7a90_commission_created');
	expect(webhookIdOf({ ...event, type: 'commission.approved' })).not.toBe(webhookIdOf(event));
	expect(webhookIdOf({ ...event, subjectId: 18 })).not.toBe(webhookIdOf(event));
});

describe('a test event', () => {
	test.each(WEBHOOK_TYPES)('of %s says that it is one, in the currency of the program', (type) => {
		const payload = testPayload(type, { now: NOW, currency: 'EUR' });
		expect(payload).toMatchObject({ type, timestamp: '2026-01-31T12:00:00.000Z', test: true });
		expect(Object.keys(payload)).toEqual(['type', 'timestamp', 'test', 'data']);
		const text = JSON.stringify(payload.data);
		expect(text).not.toContain('USD');
		expect(text.includes('_cents')).toBe(text.includes('"currency":"EUR"'));
		expect(payload.data['created_at']).toBe(payload.timestamp);
	});

	test('has the status of its type', () => {
		const statuses = WEBHOOK_TYPES.map((type) => [type, testPayload(type, { now: NOW, currency: 'USD' }).data['status']]);
		expect(Object.fromEntries(statuses)).toMatchObject({
			'lead.created': 'lead',
			'commission.approved': 'approved',
			'commission.rejected': 'rejected',
			'commission.reversed': 'reversed',
			'commission.reinstated': 'approved',
			'payout.created': 'made',
			'payout.sent': 'sent',
			'payout.failed': 'failed',
			'partner.applied': 'open',
			'partner.created': 'active',
			'partner.suspended': 'suspended',
		});
	});
});
