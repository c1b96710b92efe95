import type Stripe from 'stripe';
import { refundObject, type RefundData } from './reversal.ts';
import { listOf, type Setting, type Wire } from './wire.ts';

export interface ChargeData {
	readonly id: string;
	readonly paymentIntent: string;
	readonly invoice: string | null;
	/** Set for a single payment. */
	readonly session: string | null;
	/** The captured amount, gross, in Stripe's minor units. */
	readonly amount: number;
	/** Set if it was captured manually. */
	readonly authorized: number | undefined;
	/** The intent's. */
	readonly metadata: Record<string, string>;
	readonly createdAt: number;
}

/** `refunds` are all refunds so far, and Stripe sends their sum. */
export function chargeObject(setting: Setting, charge: ChargeData, refunds: readonly RefundData[]) {
	return setting.shape === 'new' ? newCharge(setting, charge, refunds) : oldCharge(setting, charge, refunds);
}

/** A charge with the list of its refunds, as Stripe sent it before 2022-11. */
export function chargeWithRefunds(setting: Setting, charge: ChargeData, refunds: readonly RefundData[]) {
	const objects = refunds.map((refund) => refundObject(setting, refund, { status: 'succeeded' }));
	return { ...oldCharge(setting, charge, refunds), refunds: listOf(`/v1/charges/${charge.id}/refunds`, objects) };
}

function newCharge(setting: Setting, charge: ChargeData, refunds: readonly RefundData[]): Wire<Stripe.Charge> {
	const both = chargeInBoth(setting, charge, refunds);
	return {
		...both,
		billing_details: { ...both.billing_details, tax_id: null },
		payment_method_details: {
			card: {
				...card(charge),
				authorization_code: '123456',
				electronic_commerce_indicator: null,
				network_transaction_id: '104557651805572',
				regulated_status: 'unregulated',
				transaction_link_id: null,
			},
			type: 'card',
		},
	};
}

function oldCharge(setting: Setting, charge: ChargeData, refunds: readonly RefundData[]) {
	return {
		...chargeInBoth(setting, charge, refunds),
		invoice: charge.invoice,
		payment_method_details: { card: card(charge), type: 'card' },
	};
}

function chargeInBoth(setting: Setting, charge: ChargeData, refunds: readonly RefundData[]) {
	const refunded = refunds.reduce((sum, refund) => sum + refund.amount, 0);
	return {
		id: charge.id,
		object: 'charge' as const,
		amount: charge.authorized ?? charge.amount,
		amount_captured: charge.amount,
		// Stripe counts the authorized but uncaptured amount as refunded.
		amount_refunded: refunded + (charge.authorized ?? charge.amount) - charge.amount,
		application: null,
		application_fee: null,
		application_fee_amount: null,
		balance_transaction: `txn_${charge.id.slice(3)}`,
		billing_details: {
			address: { city: null, country: 'US', line1: null, line2: null, postal_code: '94107', state: null },
			email: 'jenny.rosen@example.com',
			name: 'Jenny Rosen',
			phone: null,
		},
		calculated_statement_descriptor: 'EXAMPLE SHOP',
		captured: true,
		created: charge.createdAt,
		currency: setting.currency,
		customer: setting.customer,
		description: charge.invoice === null ? null : 'Subscription update',
		disputed: false,
		failure_balance_transaction: null,
		failure_code: null,
		failure_message: null,
		fraud_details: {},
		livemode: setting.livemode,
		metadata: {},
		on_behalf_of: null,
		outcome: {
			advice_code: null,
			network_advice_code: null,
			network_decline_code: null,
			network_status: 'approved_by_network',
			reason: null,
			risk_level: 'normal',
			risk_score: 23,
			seller_message: 'Payment complete.',
			type: 'authorized',
		},
		paid: true,
		payment_intent: charge.paymentIntent,
		payment_method: `pm_${charge.id.slice(3)}`,
		radar_options: {},
		receipt_email: null,
		receipt_number: null,
		receipt_url: `https://pay.stripe.com/receipts/payment/${charge.id}`,
		refunded: refunded === charge.amount,
		review: null,
		shipping: null,
		source: null,
		source_transfer: null,
		statement_descriptor: null,
		statement_descriptor_suffix: null,
		status: 'succeeded' as const,
		transfer_data: null,
		transfer_group: null,
	};
}

function card(charge: ChargeData) {
	return {
		amount_authorized: charge.amount,
		brand: 'visa',
		checks: { address_line1_check: null, address_postal_code_check: 'pass', cvc_check: 'pass' },
		country: 'US',
		exp_month: 8,
		exp_year: 2030,
		extended_authorization: { status: 'disabled' as const },
		fingerprint: 'mToisGZ01V71BCos',
		funding: 'credit',
		incremental_authorization: { status: 'unavailable' as const },
		installments: null,
		last4: '4242',
		mandate: null,
		multicapture: { status: 'unavailable' as const },
		network: 'visa',
		network_token: { used: false },
		overcapture: { maximum_amount_capturable: charge.amount, status: 'unavailable' as const },
		three_d_secure: null,
		wallet: null,
	};
}

export function paymentIntentObject(setting: Setting, charge: ChargeData) {
	return setting.shape === 'new' ? newPaymentIntent(setting, charge) : { ...intentInBoth(setting, charge), invoice: charge.invoice };
}

function newPaymentIntent(setting: Setting, charge: ChargeData): Wire<Stripe.PaymentIntent> {
	return {
		...intentInBoth(setting, charge),
		allowed_payment_method_types: null,
		customer_account: null,
		excluded_payment_method_types: null,
		managed_payments: { enabled: false },
		payment_record: null,
		payment_details: { customer_reference: null, order_reference: charge.session ?? charge.invoice },
	};
}

function intentInBoth(setting: Setting, charge: ChargeData) {
	return {
		id: charge.paymentIntent,
		object: 'payment_intent' as const,
		amount: charge.authorized ?? charge.amount,
		amount_capturable: 0,
		amount_details: { tip: {} },
		amount_received: charge.amount,
		application: null,
		application_fee_amount: null,
		automatic_payment_methods: null,
		canceled_at: null,
		cancellation_reason: null,
		capture_method: charge.authorized === undefined ? ('automatic' as const) : ('manual' as const),
		client_secret: `${charge.paymentIntent}_secret_Example`,
		confirmation_method: 'automatic' as const,
		created: charge.createdAt,
		currency: setting.currency,
		customer: setting.customer,
		description: charge.invoice === null ? null : 'Subscription update',
		last_payment_error: null,
		latest_charge: charge.id,
		livemode: setting.livemode,
		metadata: charge.metadata,
		next_action: null,
		on_behalf_of: null,
		payment_method: `pm_${charge.id.slice(3)}`,
		payment_method_configuration_details: null,
		payment_method_options: {},
		payment_method_types: ['card'],
		processing: null,
		receipt_email: null,
		review: null,
		setup_future_usage: null,
		shipping: null,
		source: null,
		statement_descriptor: null,
		statement_descriptor_suffix: null,
		status: 'succeeded' as const,
		transfer_data: null,
		transfer_group: null,
	};
}

/** Links an invoice to its payment in API versions in which neither names the other. */
export function invoicePaymentObject(setting: Setting, id: string, invoice: string, charge: ChargeData): Wire<Stripe.InvoicePayment> {
	return {
		id,
		object: 'invoice_payment',
		amount_paid: charge.amount,
		amount_requested: charge.amount,
		created: charge.createdAt,
		currency: setting.currency,
		invoice,
		is_default: true,
		livemode: setting.livemode,
		payment: { payment_intent: charge.paymentIntent, type: 'payment_intent' },
		status: 'paid',
		status_transitions: { canceled_at: null, paid_at: charge.createdAt },
	};
}
