import { DAY_MS, MINUTE_MS } from './calendar.ts';

/** So long an id that was erased counts as unknown: longer than a year, for the renewals of a yearly subscription. */
export const ERASED_ID_DAYS = 400;

/** So long queues may still hold something of who was erased: it is looked for again until then. */
const SEARCHED_DAYS = 15;

/** When an erasure is looked after again, each time after twice as long; null: it is over. */
export function nextSweepAt(requestedAt: number, now: number): number | null {
	if (now >= requestedAt + SEARCHED_DAYS * DAY_MS) return null;
	return Math.min(now + Math.max(MINUTE_MS, now - requestedAt), requestedAt + SEARCHED_DAYS * DAY_MS);
}

/** Shorter ones are parts of other words by chance: only what is the very id counts. */
export const LEAST_PART = 5;

/** Whether a text that a shop made up (an order number) tells one of the ids: as a whole, or as a word of its own in it. */
export function tells(text: string, ids: readonly string[]): boolean {
	return ids.some((id) => id === text || (id.length >= LEAST_PART && hasWord(text, id)));
}

function hasWord(text: string, word: string): boolean {
	for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1)) {
		const [before, after] = [text.slice(0, at), text.slice(at + word.length)];
		if (!/[\p{L}\p{N}]$/u.test(before) && !/^[\p{L}\p{N}]/u.test(after)) return true;
	}
	return false;
}

/** What a JSON text has where it has one of these strings as a value, as it is mostly written: also with all but ASCII escaped. */
export function quoted(ids: readonly string[]): string[] {
	return [...new Set(ids.flatMap((id) => [JSON.stringify(id), escaped(JSON.stringify(id))]))];
}

/** The names under which bodies have the key of a customer. */
const KEY_NAMES = ['tracker_customer_key', 'client_reference_id', 'customer_key'] as const;

/**
 * What a JSON text has where a customer's key is one of these. Under its name: anybody may choose a key, and `usd` is a value in the
 * bodies of everybody's payments.
 */
export function namedKeys(keys: readonly string[]): string[] {
	return quoted(keys).flatMap((key) => KEY_NAMES.flatMap((name) => [`"${name}":${key}`, `"${name}": ${key}`]));
}

function escaped(json: string): string {
	return json.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** The names of fields in which payment processors say who pays. */
const TELLING = new Set(['customer', 'customer_account', 'email', 'customer_email', 'receipt_email', 'payer_email']);

/** The processor's ids of the payer and the e-mail addresses that a body has. */
export function payerIdsIn(body: unknown): string[] {
	if (Array.isArray(body)) return body.flatMap(payerIdsIn);
	if (typeof body !== 'object' || body === null) return [];
	return Object.entries(body).flatMap(([name, value]) =>
		typeof value === 'string' ? (TELLING.has(name) && value !== '' ? [value] : []) : payerIdsIn(value),
	);
}
