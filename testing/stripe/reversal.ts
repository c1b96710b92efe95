import type Stripe from 'stripe';
import type { Setting, Wire } from './wire.ts';

export interface RefundData {
	readonly id: string;
	readonly charge: string;
	readonly paymentIntent: string;
	readonly amount: number;
	readonly reason: 'duplicate' | 'fraudulent' | 'requested_by_customer' | null;
	readonly createdAt: number;
}

export interface RefundState {
	readonly status: 'pending' | 'requires_action' | 'succeeded' | 'failed' | 'canceled';
	readonly failureReason?: string;
}

export function refundObject(setting: Setting, refund: RefundData, state: RefundState) {
	return setting.shape === 'new' ? newRefund(setting, refund, state) : refundInBoth(setting, refund, state);
}

function newRefund(setting: Setting, refund: RefundData, state: RefundState): Wire<Stripe.Refund> {
	return {
		...refundInBoth(setting, refund, state),
		customer: setting.customer,
		customer_account: null,
		payment_method: `pm_${refund.charge.slice(3)}`,
	};
}

function refundInBoth(setting: Setting, refund: RefundData, state: RefundState) {
	return {
		id: refund.id,
		object: 'refund' as const,
		amount: refund.amount,
		balance_transaction: `txn_${refund.id.slice(3)}`,
		charge: refund.charge,
		created: refund.createdAt,
		currency: setting.currency,
		destination_details: {
			card: { reference_status: 'pending', reference_type: 'acquirer_reference_number', type: 'refund' as const },
			type: 'card',
		},
		...(state.status === 'failed' && {
			failure_balance_transaction: `txn_f${refund.id.slice(3)}`,
			failure_reason: state.failureReason ?? 'expired_or_canceled_card',
		}),
		metadata: {},
		payment_intent: refund.paymentIntent,
		reason: refund.reason,
		receipt_number: null,
		source_transfer_reversal: null,
		status: state.status,
		transfer_reversal: null,
	};
}

export interface DisputeData {
	readonly id: string;
	readonly charge: string;
	readonly paymentIntent: string;
	readonly amount: number;
	readonly reason: string;
	readonly createdAt: number;
}

export type DisputeStatus =
	| 'needs_response'
	| 'under_review'
	| 'won'
	| 'lost'
	| 'prevented'
	| 'warning_needs_response'
	| 'warning_under_review'
	| 'warning_closed';

/** `movements` are the amounts withdrawn from the account (negative) or reinstated so far. */
export function disputeObject(setting: Setting, dispute: DisputeData, status: DisputeStatus, movements: readonly number[]) {
	return setting.shape === 'new' ? newDispute(setting, dispute, status, movements) : disputeInBoth(setting, dispute, status, movements);
}

function newDispute(setting: Setting, dispute: DisputeData, status: DisputeStatus, movements: readonly number[]): Wire<Stripe.Dispute> {
	const both = disputeInBoth(setting, dispute, status, movements);
	return {
		...both,
		balance_transactions: both.balance_transactions.map((movement) => ({ ...movement, balance_type: 'payments' })),
		enhanced_eligibility_types: [],
		evidence: { ...both.evidence, enhanced_evidence: {} },
		evidence_details: { ...both.evidence_details, enhanced_eligibility: {}, submission_method: 'not_submitted' },
		intended_submission_method: null,
		payment_method_details: {
			card: { ...both.payment_method_details.card, network: 'visa' },
			type: 'card',
		},
	};
}

function disputeInBoth(setting: Setting, dispute: DisputeData, status: DisputeStatus, movements: readonly number[]) {
	return {
		id: dispute.id,
		object: 'dispute' as const,
		amount: dispute.amount,
		balance_transactions: movements.map((amount, index) => movementObject(setting, dispute, amount, index)),
		charge: dispute.charge,
		created: dispute.createdAt,
		currency: setting.currency,
		evidence: noEvidence,
		evidence_details: { due_by: dispute.createdAt + 7 * 86_400, has_evidence: false, past_due: false, submission_count: 0 },
		is_charge_refundable: status.startsWith('warning'),
		livemode: setting.livemode,
		metadata: {},
		network_reason_code: '10.4',
		payment_intent: dispute.paymentIntent,
		payment_method_details: {
			card: {
				brand: 'visa',
				case_type: status.startsWith('warning') ? ('inquiry' as const) : ('chargeback' as const),
				network_reason_code: '10.4',
			},
			type: 'card' as const,
		},
		reason: dispute.reason,
		status,
	};
}

const noEvidence = {
	access_activity_log: null,
	billing_address: null,
	cancellation_policy: null,
	cancellation_policy_disclosure: null,
	cancellation_rebuttal: null,
	customer_communication: null,
	customer_email_address: 'jenny.rosen@example.com',
	customer_name: 'Jenny Rosen',
	customer_purchase_ip: null,
	customer_signature: null,
	duplicate_charge_documentation: null,
	duplicate_charge_explanation: null,
	duplicate_charge_id: null,
	product_description: null,
	receipt: null,
	refund_policy: null,
	refund_policy_disclosure: null,
	refund_refusal_explanation: null,
	service_date: null,
	service_documentation: null,
	shipping_address: null,
	shipping_carrier: null,
	shipping_date: null,
	shipping_documentation: null,
	shipping_tracking_number: null,
	uncategorized_file: null,
	uncategorized_text: null,
};

function movementObject(setting: Setting, dispute: DisputeData, amount: number, index: number) {
	const fee = amount < 0 ? 1500 : 0;
	return {
		id: `txn_${index}${dispute.id.slice(3)}`,
		object: 'balance_transaction' as const,
		amount,
		available_on: dispute.createdAt,
		created: dispute.createdAt,
		currency: setting.currency,
		description: `${amount < 0 ? 'Chargeback withdrawal' : 'Chargeback reversal'} for ${dispute.charge}`,
		exchange_rate: null,
		fee,
		fee_details:
			fee > 0
				? [{ amount: fee, application: null, currency: setting.currency, description: 'Dispute fee', type: 'stripe_fee' as const }]
				: [],
		net: amount - fee,
		reporting_category: amount < 0 ? 'dispute' : 'dispute_reversal',
		source: dispute.id,
		status: 'available' as const,
		type: 'adjustment' as const,
	};
}
