import type Stripe from 'stripe';
import { type PriceData, planObject, priceObject } from './price.ts';
import { shippingCost } from './session.ts';
import { listOf, type Setting, type Wire } from './wire.ts';

export interface InvoiceData {
	readonly id: string;
	readonly billingReason: 'subscription_create' | 'subscription_cycle' | 'subscription_update' | 'subscription_threshold' | 'manual';
	readonly subscription: string | null;
	readonly subscriptionMetadata: Record<string, string>;
	readonly metadata: Record<string, string>;
	/** Gross, in Stripe's minor units, tax included. */
	readonly total: number;
	readonly tax: number;
	readonly shipping: number;
	/** Its line pays for the rest of a period. */
	readonly isProration: boolean;
	/** The customer's balance pays this part of the total. */
	readonly paidFromBalance: number;
	readonly paymentIntent: string | null;
	readonly charge: string | null;
	readonly price: PriceData;
	readonly quantity: number;
	readonly lineId: string;
	readonly itemId: string;
	readonly period: { readonly start: number; readonly end: number };
	readonly createdAt: number;
	readonly paidAt: number;
}

export function invoiceObject(setting: Setting, invoice: InvoiceData) {
	return setting.shape === 'new' ? newInvoice(setting, invoice) : oldInvoice(setting, invoice);
}

function newInvoice(setting: Setting, invoice: InvoiceData): Wire<Stripe.Invoice> {
	return {
		...invoiceInBoth(setting, invoice),
		amount_overpaid: 0,
		automatic_tax: { ...automaticTax(invoice), disabled_reason: null, provider: invoice.tax > 0 ? 'stripe' : null },
		automatically_finalizes_at: null,
		customer_account: null,
		lines: listOf(`/v1/invoices/${invoice.id}/lines`, [newLine(setting, invoice)]),
		parent:
			invoice.subscription === null
				? null
				: {
						quote_details: null,
						subscription_details: { metadata: invoice.subscriptionMetadata, subscription: invoice.subscription },
						type: 'subscription_details',
					},
		total_pretax_credit_amounts: [],
		total_taxes: invoice.tax > 0 ? [newTax(invoice)] : [],
	};
}

function oldInvoice(setting: Setting, invoice: InvoiceData) {
	return {
		...invoiceInBoth(setting, invoice),
		application_fee_amount: null,
		automatic_tax: automaticTax(invoice),
		charge: invoice.charge,
		discount: null,
		lines: listOf(`/v1/invoices/${invoice.id}/lines`, [oldLine(setting, invoice)]),
		paid: true,
		paid_out_of_band: false,
		payment_intent: invoice.paymentIntent,
		quote: null,
		subscription: invoice.subscription,
		subscription_details: { metadata: invoice.subscription === null ? null : invoice.subscriptionMetadata },
		tax: invoice.tax > 0 ? invoice.tax : null,
		total_tax_amounts: invoice.tax > 0 ? [oldTax(invoice)] : [],
		transfer_data: null,
	};
}

function invoiceInBoth(setting: Setting, invoice: InvoiceData) {
	const due = invoice.total - invoice.paidFromBalance;
	return {
		id: invoice.id,
		object: 'invoice' as const,
		account_country: 'US',
		account_name: 'Example shop',
		account_tax_ids: null,
		amount_due: due,
		amount_paid: due,
		amount_remaining: 0,
		amount_shipping: invoice.shipping,
		application: null,
		attempt_count: 1,
		attempted: true,
		auto_advance: false,
		billing_reason: invoice.billingReason,
		collection_method: 'charge_automatically' as const,
		created: invoice.createdAt,
		currency: setting.currency,
		custom_fields: null,
		customer: setting.customer,
		customer_address: { city: null, country: 'US', line1: null, line2: null, postal_code: '94107', state: null },
		customer_email: 'jenny.rosen@example.com',
		customer_name: 'Jenny Rosen',
		customer_phone: null,
		customer_shipping: null,
		customer_tax_exempt: 'none' as const,
		customer_tax_ids: [],
		default_payment_method: null,
		default_source: null,
		default_tax_rates: [],
		description: null,
		discounts: [],
		due_date: null,
		effective_at: invoice.createdAt,
		ending_balance: 0,
		footer: null,
		from_invoice: null,
		hosted_invoice_url: `https://invoice.stripe.com/i/acct_1Example/live_${invoice.id}?s=ap`,
		invoice_pdf: `https://pay.stripe.com/invoice/acct_1Example/live_${invoice.id}/pdf?s=ap`,
		issuer: { type: 'self' as const },
		last_finalization_error: null,
		latest_revision: null,
		livemode: setting.livemode,
		metadata: invoice.metadata,
		next_payment_attempt: null,
		number: 'C9F1A2B3-0001',
		on_behalf_of: null,
		payment_settings: { default_mandate: null, payment_method_options: null, payment_method_types: null },
		period_end: invoice.createdAt,
		period_start: invoice.createdAt,
		post_payment_credit_notes_amount: 0,
		pre_payment_credit_notes_amount: 0,
		receipt_number: null,
		rendering: null,
		shipping_cost: shippingCost(invoice.shipping),
		shipping_details: null,
		starting_balance: -invoice.paidFromBalance,
		statement_descriptor: null,
		status: 'paid' as const,
		status_transitions: {
			finalized_at: invoice.createdAt,
			marked_uncollectible_at: null,
			paid_at: invoice.paidAt,
			voided_at: null,
		},
		subtotal: lineAmount(invoice),
		subtotal_excluding_tax: invoice.total - invoice.tax,
		test_clock: null,
		total: invoice.total,
		total_discount_amounts: [],
		total_excluding_tax: invoice.total - invoice.tax,
		webhooks_delivered_at: invoice.createdAt,
	};
}

/** The amount of a line excludes tax if the price's tax is exclusive. */
function lineAmount(invoice: InvoiceData): number {
	return (invoice.price.taxBehavior === 'exclusive' ? invoice.total - invoice.tax : invoice.total) - invoice.shipping;
}

function automaticTax(invoice: InvoiceData) {
	return invoice.tax > 0
		? { enabled: true, liability: { type: 'self' as const }, status: 'complete' as const }
		: { enabled: false, liability: null, status: null };
}

function lineInBoth(setting: Setting, invoice: InvoiceData) {
	return {
		id: invoice.lineId,
		object: 'line_item' as const,
		amount: lineAmount(invoice),
		currency: setting.currency,
		description: `${invoice.quantity} × Example plan`,
		discount_amounts: [],
		discountable: true,
		discounts: [],
		invoice: invoice.id,
		livemode: setting.livemode,
		metadata: invoice.subscription === null ? {} : invoice.subscriptionMetadata,
		period: invoice.period,
		quantity: invoice.quantity,
	};
}

function newLine(setting: Setting, invoice: InvoiceData): Wire<Stripe.InvoiceLineItem> {
	return {
		...lineInBoth(setting, invoice),
		parent:
			invoice.subscription === null
				? {
						invoice_item_details: { invoice_item: invoice.itemId, proration: false, proration_details: null, subscription: null },
						subscription_item_details: null,
						type: 'invoice_item_details',
					}
				: {
						invoice_item_details: null,
						subscription_item_details: {
							invoice_item: null,
							proration: invoice.isProration,
							proration_details: { credited_items: null },
							subscription: invoice.subscription,
							subscription_item: invoice.itemId,
						},
						type: 'subscription_item_details',
					},
		pretax_credit_amounts: [],
		pricing: {
			price_details: { price: invoice.price.id, product: invoice.price.product },
			type: 'price_details',
			unit_amount_decimal: String(invoice.price.unitAmount),
		},
		quantity_decimal: String(invoice.quantity),
		subscription: invoice.subscription,
		subtotal: lineAmount(invoice),
		taxes: invoice.tax > 0 ? [newTax(invoice)] : [],
	};
}

function oldLine(setting: Setting, invoice: InvoiceData) {
	return {
		...lineInBoth(setting, invoice),
		amount_excluding_tax: invoice.total - invoice.tax,
		plan: invoice.price.interval === undefined ? null : planObject(setting, invoice.price, invoice.price.interval),
		price: priceObject(setting, invoice.price),
		proration: invoice.isProration,
		proration_details: { credited_items: null },
		subscription: invoice.subscription,
		...(invoice.subscription === null ? { invoice_item: invoice.itemId } : { subscription_item: invoice.itemId }),
		tax_amounts: invoice.tax > 0 ? [oldTax(invoice)] : [],
		tax_rates: [],
		type: invoice.subscription === null ? 'invoiceitem' : 'subscription',
		unit_amount_excluding_tax: String(invoice.total - invoice.tax),
	};
}

function newTax(invoice: InvoiceData) {
	return {
		amount: invoice.tax,
		tax_behavior: invoice.price.taxBehavior,
		tax_rate_details: { tax_rate: 'txr_1ExampleRate' },
		taxability_reason: 'standard_rated' as const,
		taxable_amount: invoice.total - invoice.tax,
		type: 'tax_rate_details' as const,
	};
}

function oldTax(invoice: InvoiceData) {
	return {
		amount: invoice.tax,
		inclusive: invoice.price.taxBehavior === 'inclusive',
		tax_rate: 'txr_1ExampleRate',
		taxability_reason: 'standard_rated',
		taxable_amount: invoice.total - invoice.tax,
	};
}
