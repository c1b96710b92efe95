// What all of Paddle's notifications have in common: every amount is a string, every moment RFC 3339 to the microsecond.

export interface PaddleEvent {
	readonly event_id: string;
	readonly event_type: string;
	readonly occurred_at: string;
	readonly notification_id: string;
	readonly data: object;
}

/** What is the same for all objects of one story. */
export interface Setting {
	/** In upper case. */
	readonly currency: string;
	readonly customer: string;
	readonly customData: Readonly<Record<string, unknown>> | null;
}

export const DAY = 86_400_000;

/** A new id in the form of Paddle's: `txn_01h8...`. */
export function paddleId(prefix: string): string {
	return `${prefix}_01${crypto.randomUUID().replaceAll('-', '').slice(0, 24)}`;
}

/** The envelope of an event. `at` is ms. */
export function eventOf(type: string, at: number, data: object): PaddleEvent {
	return {
		event_id: paddleId('evt'),
		event_type: type,
		occurred_at: moment(at),
		notification_id: paddleId('ntf'),
		data,
	};
}

export function moment(at: number): string {
	return new Date(at).toISOString().replace('Z', '366Z');
}

/** What an amount comes to, tax included, of which `tax` is tax. */
export function totals(amount: number, tax: number) {
	return { tax: String(tax), total: String(amount), discount: '0', subtotal: String(amount - tax) };
}
