import type Stripe from 'stripe';
import { type Interval, type PriceData, planObject, priceObject } from './price.ts';
import { listOf, type Setting, type Wire } from './wire.ts';

export interface SubscriptionData {
	readonly id: string;
	readonly itemId: string;
	readonly price: PriceData & { readonly interval: Interval };
	readonly quantity: number;
	readonly metadata: Record<string, string>;
	readonly createdAt: number;
	readonly trialEnd: number | null;
	readonly latestInvoice: string;
}

export interface SubscriptionState {
	readonly status: 'trialing' | 'active' | 'canceled';
	readonly period: { readonly start: number; readonly end: number };
	readonly endedAt: number | null;
}

export function subscriptionObject(setting: Setting, subscription: SubscriptionData, state: SubscriptionState) {
	return setting.shape === 'new' ? newSubscription(setting, subscription, state) : oldSubscription(setting, subscription, state);
}

function newSubscription(setting: Setting, subscription: SubscriptionData, state: SubscriptionState): Wire<Stripe.Subscription> {
	const both = subscriptionInBoth(setting, subscription, state);
	return {
		...both,
		cancellation_details: { ...both.cancellation_details, feedback_option: null },
		trial_settings: { end_behavior: { billing_cycle_anchor: null, missing_payment_method: 'create_invoice' } },
		automatic_tax: { disabled_reason: null, enabled: false, liability: null },
		billing_mode: { flexible: null, type: 'classic' },
		billing_schedules: [],
		customer_account: null,
		invoice_settings: { account_tax_ids: null, custom_fields: null, description: null, footer: null, issuer: { type: 'self' } },
		items: itemsOf(subscription, {
			...itemInBoth(setting, subscription),
			current_period_end: state.period.end,
			current_period_start: state.period.start,
			current_trial: null,
		}),
		managed_payments: { enabled: false },
	};
}

function oldSubscription(setting: Setting, subscription: SubscriptionData, state: SubscriptionState) {
	return {
		...subscriptionInBoth(setting, subscription, state),
		automatic_tax: { enabled: false, liability: null },
		current_period_end: state.period.end,
		current_period_start: state.period.start,
		discount: null,
		invoice_settings: { account_tax_ids: null, issuer: { type: 'self' } },
		items: itemsOf(subscription, itemInBoth(setting, subscription)),
		plan: planObject(setting, subscription.price, subscription.price.interval),
		quantity: subscription.quantity,
	};
}

function itemsOf<Item>(subscription: SubscriptionData, item: Item) {
	return listOf(`/v1/subscription_items?subscription=${subscription.id}`, [item]);
}

function itemInBoth(setting: Setting, subscription: SubscriptionData) {
	return {
		id: subscription.itemId,
		object: 'subscription_item' as const,
		billing_thresholds: null,
		created: subscription.createdAt,
		discounts: [],
		metadata: {},
		plan: planObject(setting, subscription.price, subscription.price.interval),
		price: priceObject(setting, subscription.price),
		quantity: subscription.quantity,
		subscription: subscription.id,
		tax_rates: [],
	};
}

function subscriptionInBoth(setting: Setting, subscription: SubscriptionData, state: SubscriptionState) {
	return {
		id: subscription.id,
		object: 'subscription' as const,
		application: null,
		application_fee_percent: null,
		billing_cycle_anchor: subscription.trialEnd ?? subscription.createdAt,
		billing_cycle_anchor_config: null,
		billing_thresholds: null,
		cancel_at: null,
		cancel_at_period_end: false,
		canceled_at: state.endedAt,
		cancellation_details: { comment: null, feedback: null, reason: state.endedAt === null ? null : ('cancellation_requested' as const) },
		collection_method: 'charge_automatically' as const,
		created: subscription.createdAt,
		currency: setting.currency,
		customer: setting.customer,
		days_until_due: null,
		default_payment_method: `pm_${subscription.id.slice(4)}`,
		default_source: null,
		default_tax_rates: [],
		description: null,
		discounts: [],
		ended_at: state.endedAt,
		latest_invoice: subscription.latestInvoice,
		livemode: setting.livemode,
		metadata: subscription.metadata,
		next_pending_invoice_item_invoice: null,
		on_behalf_of: null,
		pause_collection: null,
		payment_settings: {
			payment_method_options: null,
			payment_method_types: null,
			save_default_payment_method: 'off' as const,
		},
		pending_invoice_item_interval: null,
		pending_setup_intent: null,
		pending_update: null,
		schedule: null,
		start_date: subscription.createdAt,
		status: state.status,
		test_clock: null,
		transfer_data: null,
		trial_end: subscription.trialEnd,
		trial_settings: { end_behavior: { missing_payment_method: 'create_invoice' as const } },
		trial_start: subscription.trialEnd === null ? null : subscription.createdAt,
	};
}
