import { cycleOf, type PriceData, priceObject, productObject } from './price.ts';
import { moment, type Setting } from './wire.ts';

export interface SubscriptionData {
	readonly id: string;
	readonly price: PriceData;
	readonly firstTransaction: string;
	readonly createdAt: number;
	/** Undefined: without a trial. */
	readonly trialEnd: number | undefined;
}

export interface SubscriptionState {
	readonly status: 'active' | 'canceled' | 'trialing';
	readonly period: { readonly start: number; readonly end: number };
	readonly canceledAt: number | null;
}

/** As all but `subscription.created` have it. */
export function subscriptionObject(setting: Setting, subscription: SubscriptionData, { status, period, canceledAt }: SubscriptionState) {
	const { price, createdAt, trialEnd } = subscription;
	const isOver = status === 'canceled';
	const current = { ends_at: moment(period.end), starts_at: moment(period.start) };
	return {
		id: subscription.id,
		items: [
			{
				price: priceObject(setting, price),
				product: productObject(price),
				status: isOver ? 'active' : status,
				quantity: 1,
				recurring: true,
				created_at: moment(createdAt),
				updated_at: moment(createdAt),
				trial_dates: trialEnd === undefined ? null : { ends_at: moment(trialEnd), starts_at: moment(createdAt) },
				next_billed_at: isOver ? null : moment(period.end),
				previously_billed_at: status === 'trialing' ? null : moment(period.start),
			},
		],
		status,
		discount: null,
		paused_at: null,
		address_id: `add_${setting.customer.slice(4)}`,
		created_at: moment(createdAt),
		started_at: moment(createdAt),
		updated_at: moment(canceledAt ?? createdAt),
		business_id: null,
		canceled_at: canceledAt === null ? null : moment(canceledAt),
		custom_data: setting.customData,
		customer_id: setting.customer,
		import_meta: null,
		billing_cycle: cycleOf(price),
		currency_code: setting.currency,
		next_billed_at: isOver ? null : moment(period.end),
		billing_details: null,
		collection_mode: 'automatic',
		first_billed_at: status === 'trialing' ? null : moment(trialEnd ?? createdAt),
		scheduled_change: null,
		current_billing_period: isOver ? null : current,
	};
}
