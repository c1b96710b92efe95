import type Stripe from 'stripe';
import type { Setting, Wire } from './wire.ts';

export interface SessionData {
	readonly id: string;
	readonly mode: 'payment' | 'subscription' | 'setup';
	readonly status: 'complete' | 'expired';
	readonly paymentStatus: 'paid' | 'unpaid' | 'no_payment_required';
	readonly paymentIntent: string | null;
	readonly subscription: string | null;
	readonly setupIntent: string | null;
	readonly invoice: string | null;
	/** Gross, in Stripe's minor units, tax included. */
	readonly amount: number;
	readonly tax: number;
	readonly shipping: number;
	readonly taxBehavior: 'exclusive' | 'inclusive';
	readonly metadata: Record<string, string>;
	readonly clientReferenceId: string | null;
	readonly createdAt: number;
}

export function sessionObject(setting: Setting, session: SessionData) {
	return setting.shape === 'new' ? newSession(setting, session) : oldSession(setting, session);
}

function newSession(setting: Setting, session: SessionData): Wire<Stripe.Checkout.Session> {
	return {
		...sessionInBoth(setting, session),
		adaptive_pricing: { enabled: true },
		allowed_payment_method_types: null,
		automatic_tax: { ...automaticTax(session), provider: session.tax > 0 ? 'stripe' : null },
		branding_settings: {
			background_color: '#ffffff',
			border_style: 'rounded',
			button_color: '#0074d4',
			display_name: 'Example shop',
			font_family: 'default',
			icon: null,
			logo: null,
		},
		collected_information: { business_name: null, individual_name: null, shipping_details: null },
		customer_account: null,
		customer_details: { ...customerDetails, business_name: null, individual_name: null },
		discounts: [],
		integration_identifier: null,
		managed_payments: { enabled: false },
		origin_context: null,
		permissions: null,
		ui_mode: 'hosted_page',
		wallet_options: null,
	};
}

function oldSession(setting: Setting, session: SessionData) {
	return { ...sessionInBoth(setting, session), automatic_tax: automaticTax(session), shipping_details: null, ui_mode: 'hosted' };
}

const customerDetails = {
	address: { city: null, country: 'US', line1: null, line2: null, postal_code: '94107', state: null },
	email: 'jenny.rosen@example.com',
	name: 'Jenny Rosen',
	phone: null,
	tax_exempt: 'none',
	tax_ids: [],
};

function automaticTax(session: SessionData) {
	return session.tax > 0
		? { enabled: true, liability: { type: 'self' }, status: 'complete' }
		: { enabled: false, liability: null, status: null };
}

function sessionInBoth(setting: Setting, session: SessionData) {
	return {
		id: session.id,
		object: 'checkout.session' as const,
		after_expiration: null,
		allow_promotion_codes: null,
		amount_subtotal: (session.taxBehavior === 'exclusive' ? session.amount - session.tax : session.amount) - session.shipping,
		amount_total: session.amount,
		billing_address_collection: null,
		cancel_url: 'https://shop.example/cart',
		client_reference_id: session.clientReferenceId,
		client_secret: null,
		consent: null,
		consent_collection: null,
		created: session.createdAt,
		currency: setting.currency,
		currency_conversion: null,
		custom_fields: [],
		custom_text: { after_submit: null, shipping_address: null, submit: null, terms_of_service_acceptance: null },
		customer: setting.customer,
		customer_creation: session.mode === 'payment' ? 'always' : null,
		customer_details: customerDetails,
		customer_email: null,
		expires_at: session.createdAt + 86_400,
		invoice: session.invoice,
		invoice_creation: session.mode === 'payment' ? invoiceCreation(session.invoice !== null) : null,
		livemode: setting.livemode,
		locale: null,
		metadata: session.metadata,
		mode: session.mode,
		payment_intent: session.paymentIntent,
		payment_link: null,
		payment_method_collection: session.mode === 'payment' ? 'if_required' : 'always',
		payment_method_configuration_details: null,
		payment_method_options: { card: { request_three_d_secure: 'automatic' as const } },
		payment_method_types: ['card'],
		payment_status: session.paymentStatus,
		phone_number_collection: { enabled: false },
		recovered_from: null,
		saved_payment_method_options: null,
		setup_intent: session.setupIntent,
		shipping_address_collection: null,
		shipping_cost: shippingCost(session.shipping),
		shipping_options: [],
		status: session.status,
		submit_type: null,
		subscription: session.subscription,
		success_url: 'https://shop.example/thanks?session_id={CHECKOUT_SESSION_ID}',
		total_details: { amount_discount: 0, amount_shipping: session.shipping, amount_tax: session.tax },
		url: null,
	};
}

function invoiceCreation(enabled: boolean) {
	return {
		enabled,
		invoice_data: {
			account_tax_ids: null,
			custom_fields: null,
			description: null,
			footer: null,
			issuer: null,
			metadata: {},
			rendering_options: null,
		},
	};
}

/** Null without shipping. */
export function shippingCost(amount: number) {
	return amount === 0 ? null : { amount_subtotal: amount, amount_tax: 0, amount_total: amount, shipping_rate: 'shr_1ExampleRate' };
}
