import type Stripe from 'stripe';

/**
 * The API version of events. `new` is 2025-03 ("basil") or later: an invoice names its subscription under `parent` but no longer its
 * payment intent or charge, nor do they name the invoice.
 */
export type Shape = 'old' | 'new';

export const API_VERSIONS = { old: '2024-06-20', new: '2026-10-28.endive' } as const satisfies {
	old: string;
	new: Stripe.LatestApiVersion;
};

/** An object as JSON. Stripe's types describe what its client parses, where some strings have become decimals. */
export type Wire<T> = T extends Stripe.Decimal
	? string
	: T extends string
		? T
		: T extends readonly (infer Item)[]
			? Wire<Item>[]
			: T extends object
				? { [Key in keyof T]: Wire<T[Key]> }
				: T;

export interface StripeEvent {
	readonly id: string;
	readonly object: 'event';
	readonly api_version: string;
	/** In seconds. */
	readonly created: number;
	readonly data: { readonly object: object; readonly previous_attributes?: object };
	readonly livemode: boolean;
	readonly pending_webhooks: number;
	readonly request: { readonly id: string | null; readonly idempotency_key: string | null };
	readonly type: Stripe.Event.Type;
}

/** A new id in Stripe's format: `pi_3f0c...`. */
export function stripeId(prefix: string): string {
	return `${prefix}_${crypto.randomUUID().replaceAll('-', '').slice(0, 24)}`;
}

/** Shared by all objects in a story. */
export interface Setting {
	readonly shape: Shape;
	readonly livemode: boolean;
	readonly currency: string;
	readonly customer: string;
}

/** `created` is in seconds. */
export function eventOf(setting: Setting, type: Stripe.Event.Type, created: number, object: object, previous?: object): StripeEvent {
	return {
		id: stripeId('evt'),
		object: 'event',
		api_version: API_VERSIONS[setting.shape],
		created,
		data: previous === undefined ? { object } : { object, previous_attributes: previous },
		livemode: setting.livemode,
		pending_webhooks: 1,
		request: { id: null, idempotency_key: null },
		type,
	};
}

export function listOf<Item>(url: string, data: Item[]): { object: 'list'; data: Item[]; has_more: boolean; url: string } {
	return { object: 'list', data, has_more: false, url };
}

export function withObject(event: StripeEvent, fields: object): StripeEvent {
	return { ...event, data: { ...event.data, object: { ...event.data.object, ...fields } } };
}

/** One line for each of the changes, copied from the event's first line. */
export function withLines(event: StripeEvent, ...changes: object[]): StripeEvent {
	const { object } = event.data;
	const lines =
		'lines' in object && typeof object.lines === 'object' && object.lines !== null && 'data' in object.lines ? object.lines.data : [];
	const [line] = Array.isArray(lines) ? lines : [];
	return withObject(event, { lines: { object: 'list', has_more: false, data: changes.map((change) => ({ ...line, ...change })) } });
}
