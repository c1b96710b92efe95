import type Stripe from 'stripe';
import type { Setting, Wire } from './wire.ts';

export type Interval = 'monthly' | 'quarterly' | 'annual';

export interface PriceData {
	readonly id: string;
	readonly product: string;
	/** In Stripe's minor units. */
	readonly unitAmount: number;
	readonly taxBehavior: 'exclusive' | 'inclusive';
	/** Undefined for a single payment. */
	readonly interval: Interval | undefined;
	readonly createdAt: number;
}

/** Intervals as Stripe represents them. It has no quarters. */
const RECURRING = {
	monthly: { interval: 'month', interval_count: 1 },
	quarterly: { interval: 'month', interval_count: 3 },
	annual: { interval: 'year', interval_count: 1 },
} as const;

const MONTHS = { monthly: 1, quarterly: 3, annual: 12 } as const;

export function priceObject(setting: Setting, price: PriceData): Wire<Stripe.Price> {
	return {
		id: price.id,
		object: 'price',
		active: true,
		billing_scheme: 'per_unit',
		created: price.createdAt,
		currency: setting.currency,
		custom_unit_amount: null,
		livemode: setting.livemode,
		lookup_key: null,
		metadata: {},
		nickname: null,
		product: price.product,
		recurring:
			(price.interval && {
				...RECURRING[price.interval],
				...(setting.shape === 'old' && { aggregate_usage: null }),
				meter: null,
				trial_period_days: null,
				usage_type: 'licensed',
			}) ||
			null,
		tax_behavior: price.taxBehavior,
		tiers_mode: null,
		transform_quantity: null,
		type: price.interval === undefined ? 'one_time' : 'recurring',
		unit_amount: price.unitAmount,
		unit_amount_decimal: String(price.unitAmount),
	};
}

/** An older form of the recurring price, which Stripe still sends. */
export function planObject(setting: Setting, price: PriceData, interval: Interval): Wire<Stripe.Plan> {
	return {
		id: price.id,
		object: 'plan',
		active: true,
		...(setting.shape === 'old' && { aggregate_usage: null }),
		amount: price.unitAmount,
		amount_decimal: String(price.unitAmount),
		billing_scheme: 'per_unit',
		created: price.createdAt,
		currency: setting.currency,
		...RECURRING[interval],
		livemode: setting.livemode,
		metadata: {},
		meter: null,
		nickname: null,
		product: price.product,
		tiers_mode: null,
		transform_usage: null,
		trial_period_days: null,
		usage_type: 'licensed',
	};
}

/**
 * The end of a period that starts at this time, in seconds. It is whole calendar months later, at the latest on the last day of the month.
 */
export function periodEnd(start: number, interval: Interval): number {
	const from = new Date(start * 1000);
	const month = from.getUTCMonth() + MONTHS[interval];
	const lastDay = new Date(Date.UTC(from.getUTCFullYear(), month + 1, 0)).getUTCDate();
	const to = new Date(from);
	to.setUTCDate(1);
	to.setUTCMonth(month);
	to.setUTCDate(Math.min(from.getUTCDate(), lastDay));
	return to.getTime() / 1000;
}
