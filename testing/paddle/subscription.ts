import { cycleOf, type PriceData, priceObject, productObject } from './price.ts';
import { timestamp, type Setting } from './wire.ts';

export interface SubscriptionData {
	readonly id: string;
	readonly price: PriceData;
	readonly firstTransaction: string;
	readonly createdAt: number;
	/** Undefined without a trial. */
	readonly trialEnd: number | undefined;
}

export interface SubscriptionState {
	readonly status: 'active' | 'canceled' | 'trialing';
	readonly period: { readonly start: number; readonly end: number };
	readonly canceledAt: number | null;
}

/** The subscription in every event; `subscription.created` adds the transaction. */
export function subscriptionObject(setting: Setting, subscription: SubscriptionData, { status, period, canceledAt }: SubscriptionState) {
	const { price, createdAt, trialEnd } = subscription;
	const isOver = status === 'canceled';
	const current = { ends_at: timestamp(period.end), starts_at: timestamp(period.start) };
	return {
		id: subscription.id,
		items: [
			{
				price: priceObject(setting, price),
				product: productObject(price),
				status: isOver ? 'active' : status,
				quantity: 1,
				recurring: true,
				created_at: timestamp(createdAt),
				updated_at: timestamp(createdAt),
				trial_dates: trialEnd === undefined ? null : { ends_at: timestamp(trialEnd), starts_at: timestamp(createdAt) },
				next_billed_at: isOver ? null : timestamp(period.end),
				previously_billed_at: status === 'trialing' ? null : timestamp(period.start),
			},
		],
		status,
		discount: null,
		paused_at: null,
		address_id: `add_${setting.customer.slice(4)}`,
		created_at: timestamp(createdAt),
		started_at: timestamp(createdAt),
		updated_at: timestamp(canceledAt ?? createdAt),
		business_id: null,
		canceled_at: canceledAt === null ? null : timestamp(canceledAt),
		custom_data: setting.customData,
		customer_id: setting.customer,
		import_meta: null,
		billing_cycle: cycleOf(price),
		currency_code: setting.currency,
		next_billed_at: isOver ? null : timestamp(period.end),
		billing_details: null,
		collection_mode: 'automatic',
		first_billed_at: status === 'trialing' ? null : timestamp(trialEnd ?? createdAt),
		scheduled_change: null,
		current_billing_period: isOver ? null : current,
	};
}
