import { isoOf } from '../instant.ts';
import type { WebhookType } from './webhook-type.ts';

/** `data` has the format of the management API, with money in minor units of `currency`. */
export interface WebhookPayload {
	readonly type: WebhookType;
	readonly timestamp: string;
	/** Set for a test event, which reports nothing that happened. */
	readonly test: boolean;
	readonly data: Readonly<Record<string, unknown>>;
}

export function testPayload(type: WebhookType, { now, currency }: { readonly now: number; readonly currency: string }): WebhookPayload {
	return { type, timestamp: isoOf(now), test: true, data: dataOf(type, isoOf(now), currency) };
}

function samples(at: string, currency: string) {
	const customer = { id: 1, customer_key: 'user-1001' };
	const partner = { id: 1, name: 'Pat Partner' };
	const sale = { id: 1, transaction_id: 'order-1001', amount_cents: 9900, refunded_cents: 0, currency, product_id: 'pro', created_at: at };
	const terms = { id: 1, status: 'approved', amount_cents: 1980, deducted_cents: 0, currency };
	const state = { rejection_reason: null, hold_until: at, created_at: at };
	const none = { sent_at: null, reference: null, failed_at: null, failure_reason: null };
	return {
		lead: { ...customer, status: 'lead', click_id: null, partner, created_at: at },
		sale: { ...sale, subscription_id: null, customer, partner, commission: terms },
		commission: { ...terms, partner, customer, sale, ...state },
		refund: {
			id: 1,
			refund_id: 'refund-1001',
			amount_cents: 9900,
			currency,
			deduction_cents: 1980,
			outcome: 'reversed',
			reason: 'Returned',
		},
		ofRefund: { source: 'endpoint', sale: { ...sale, refunded_cents: 9900 }, customer, partner, created_at: at },
		payout: { id: 1, status: 'made', partner, currency, amount_cents: 1980, recovered_cents: 0, surplus_cents: 0, created_at: at, ...none },
		application: { id: 1, status: 'open', name: 'Pat Partner', email: 'pat@partner.example', website: null, created_at: at },
		member: { ...partner, partner_program_id: 1, email: 'pat@partner.example', created_at: at },
	};
}

function dataOf(type: WebhookType, at: string, currency: string): Readonly<Record<string, unknown>> {
	const { lead, sale, commission, refund, ofRefund, payout, application, member } = samples(at, currency);
	switch (type) {
		case 'lead.created':
			return lead;
		case 'sale.created':
			return sale;
		case 'commission.created':
		case 'commission.approved':
			return commission;
		case 'commission.rejected':
			return { ...commission, status: 'rejected', rejection_reason: 'Own purchase' };
		case 'commission.reversed':
			return { ...commission, status: 'reversed', deducted_cents: 1980, sale: ofRefund.sale, refund };
		case 'commission.reinstated':
			return { ...commission, refund: { ...refund, outcome: 'reinstated', reason: 'The refund failed' } };
		case 'refund.created':
			return { ...refund, ...ofRefund };
		case 'payout.created':
			return payout;
		case 'payout.sent':
			return { ...payout, status: 'sent', sent_at: at, reference: 'transfer-1001' };
		case 'payout.failed':
			return { ...payout, status: 'failed', failed_at: at, failure_reason: 'The account is closed' };
		case 'partner.applied':
			return application;
		case 'partner.created':
			return { ...member, status: 'active', status_reason: null };
		case 'partner.suspended':
			return { ...member, status: 'suspended', status_reason: 'Own purchases' };
	}
}
