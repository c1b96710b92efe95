// In Paddle's notifications, amounts are strings and times are RFC 3339 with microseconds.

export interface PaddleEvent {
	readonly event_id: string;
	readonly event_type: string;
	readonly occurred_at: string;
	readonly notification_id: string;
	readonly data: object;
}

/** Shared by all objects in a story. */
export interface Setting {
	/** In upper case. */
	readonly currency: string;
	readonly customer: string;
	readonly customData: Readonly<Record<string, unknown>> | null;
}

export const DAY = 86_400_000;

/** A new id in Paddle's format: `txn_01h8...`. */
export function paddleId(prefix: string): string {
	return `${prefix}_01${crypto.randomUUID().replaceAll('-', '').slice(0, 24)}`;
}

/** `at` is in ms. */
export function eventOf(type: string, at: number, data: object): PaddleEvent {
	return {
		event_id: paddleId('evt'),
		event_type: type,
		occurred_at: timestamp(at),
		notification_id: paddleId('ntf'),
		data,
	};
}

export function timestamp(at: number): string {
	return new Date(at).toISOString().replace('Z', '366Z');
}

/** The amount includes `tax`. */
export function totals(amount: number, tax: number) {
	return { tax: String(tax), total: String(amount), discount: '0', subtotal: String(amount - tax) };
}
