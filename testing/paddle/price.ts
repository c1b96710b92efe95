import { timestamp, type Setting } from './wire.ts';

export type Interval = 'monthly' | 'quarterly' | 'annual';

const CYCLES = {
	monthly: { interval: 'month', frequency: 1 },
	quarterly: { interval: 'month', frequency: 3 },
	annual: { interval: 'year', frequency: 1 },
} as const;

const DAYS = { monthly: 30, quarterly: 91, annual: 365 } as const;

export interface PriceData {
	readonly id: string;
	readonly product: string;
	/** In minor units, without tax. */
	readonly amount: number;
	/** Undefined for a single payment. */
	readonly interval: Interval | undefined;
	readonly trialDays: number | undefined;
	readonly createdAt: number;
}

export function priceObject({ currency }: Setting, price: PriceData) {
	return {
		id: price.id,
		name: 'Example plan',
		type: 'standard',
		status: 'active',
		quantity: { maximum: 100, minimum: 1 },
		tax_mode: 'account_setting',
		product_id: price.product,
		unit_price: { amount: String(price.amount), currency_code: currency },
		description: 'Example plan',
		custom_data: null,
		import_meta: null,
		trial_period: price.trialDays === undefined ? null : { interval: 'day', frequency: price.trialDays },
		billing_cycle: cycleOf(price),
		unit_price_overrides: [],
		created_at: timestamp(price.createdAt),
		updated_at: timestamp(price.createdAt),
	};
}

export function productObject(price: PriceData) {
	return {
		id: price.product,
		name: 'Example plan',
		type: 'standard',
		status: 'active',
		image_url: null,
		custom_data: null,
		description: null,
		import_meta: null,
		tax_category: 'standard',
		created_at: timestamp(price.createdAt),
		updated_at: timestamp(price.createdAt),
	};
}

export function cycleOf({ interval }: Pick<PriceData, 'interval'>) {
	return interval === undefined ? null : CYCLES[interval];
}

/** In ms. */
export function periodEnd(start: number, interval: Interval): number {
	return start + DAYS[interval] * 86_400_000;
}
