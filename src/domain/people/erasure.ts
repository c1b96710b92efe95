import { DAY_MS, MINUTE_MS } from '../calendar.ts';

/** How long an erased id stays blocked: over a year, to cover yearly renewals. */
export const ERASED_ID_DAYS = 400;

/** How long queues may still hold an erased person's data. */
const SEARCHED_DAYS = 15;

/** When to search again. The interval doubles each time; null once the search is over. */
export function nextSweepAt(requestedAt: number, now: number): number | null {
	if (now >= requestedAt + SEARCHED_DAYS * DAY_MS) return null;
	return Math.min(now + Math.max(MINUTE_MS, now - requestedAt), requestedAt + SEARCHED_DAYS * DAY_MS);
}

/** Shorter ids occur inside other words by chance, so only a whole text can match them. */
export const LEAST_PART = 5;

/** Whether a text written by a shop (such as an order number) equals one of the ids, or contains one as a word. */
export function containsId(text: string, ids: readonly string[]): boolean {
	return ids.some((id) => id === text || (id.length >= LEAST_PART && hasWord(text, id)));
}

function hasWord(text: string, word: string): boolean {
	for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1)) {
		const [before, after] = [text.slice(0, at), text.slice(at + word.length)];
		if (!/[\p{L}\p{N}]$/u.test(before) && !/^[\p{L}\p{N}]/u.test(after)) return true;
	}
	return false;
}

/** The JSON spellings of these strings, both plain and with everything but ASCII escaped. */
export function quoted(ids: readonly string[]): string[] {
	return [...new Set(ids.flatMap((id) => [JSON.stringify(id), escaped(JSON.stringify(id))]))];
}

/** Metadata fields that hold a customer key. */
const KEY_NAMES = ['tracker_customer_key', 'customer_key'] as const;
/** Anybody who opens a payment link can set this field. */
const REFERENCE = 'client_reference_id';

/**
 * The JSON spellings of these customer keys or references with the field's name, because a key could be `usd`, which is in every payment.
 */
export function namedKeys(keys: readonly string[]): string[] {
	const texts = quoted(keys);
	// Custom data may hold a key of digits as a number. A match may be part of a longer number, so keysIn decides.
	const numbers = keys.filter((key) => /^\d+$/.test(key));
	return [...KEY_NAMES.flatMap((name) => underName(name, [...texts, ...numbers])), ...underName(REFERENCE, texts)];
}

function underName(name: string, json: readonly string[]): string[] {
	return json.flatMap((value) => [`"${name}":${value}`, `"${name}": ${value}`]);
}

function escaped(json: string): string {
	return json.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** The customer keys in a body. */
export function keysIn(body: unknown): string[] {
	return valuesUnder(KEY_NAMES, body);
}

/** More than any legitimate body has. */
const MOST_NAMES = 50;

/** The values in a body that may identify somebody: customer keys in their fields, and click ids anywhere. */
export function namesIn(body: unknown): { readonly keys: readonly string[]; readonly clickIds: readonly string[] } {
	const clickIds = textsIn(body).flatMap((text) => text.match(/cust_\d+_\d+/g) ?? []);
	const keys = valuesUnder([...KEY_NAMES, REFERENCE], body);
	return { keys: [...new Set(keys)].slice(0, MOST_NAMES), clickIds: [...new Set(clickIds)].slice(0, MOST_NAMES) };
}

/** A processor's id for the payer. */
const PAYER = /^(cus|acct|ctm)_\w+$/;
/** Stripe's and Paddle's fields that hold it. */
const PAYER_NAMES = ['customer', 'customer_account', 'customer_id'];
/** Fields that shops write themselves. */
const WRITTEN_BY_SHOPS = ['metadata', 'custom_data'];

export function isPayerId(id: string): boolean {
	return PAYER.test(id);
}

/** Whether an id can be a processor's. An order number such as 10115 cannot: it may also be a postal code. */
export function isProcessorId(id: string): boolean {
	return /^[a-z]+_\w{6,}$/.test(id);
}

/** The processor's ids for the payer. Excludes email addresses, which anybody may type, and metadata. */
export function payerIdsIn(body: unknown): string[] {
	return valuesUnder(PAYER_NAMES, body, WRITTEN_BY_SHOPS).filter(isPayerId);
}

/** Fields of the custom webhook that hold the backend's own ids. These may be any text. */
const OWN_ID_NAMES = ['payment_id', 'subscription_id'];

/** The JSON spellings of these payment or subscription ids, with the field's name. */
export function namedIds(ids: readonly string[]): string[] {
	return OWN_ID_NAMES.flatMap((name) => underName(name, quoted(ids)));
}

/** The backend's own ids of payments and subscriptions in a body. */
export function ownIdsIn(body: unknown): string[] {
	return valuesUnder(OWN_ID_NAMES, body, WRITTEN_BY_SHOPS);
}

export function textsIn(body: unknown): string[] {
	if (typeof body === 'string') return [body];
	return typeof body === 'object' && body !== null ? Object.values(body).flatMap(textsIn) : [];
}

/** The ids of the programs in a message. */
export function programsIn(body: unknown): number[] {
	const programFields = fieldsIn(body).filter(([name]) => name === 'programId' || name === 'program_id');
	return programFields.flatMap(([, value]) => (typeof value === 'number' ? [value] : []));
}

function valuesUnder(names: readonly string[], body: unknown, except: readonly string[] = []): string[] {
	const values = fieldsIn(body, except).flatMap(([name, value]) => (names.includes(name) ? [value] : []));
	return values.flatMap((value) => (typeof value === 'string' ? [value] : typeof value === 'number' ? [String(value)] : []));
}

/** All named values of a body, at any depth. */
function fieldsIn(body: unknown, except: readonly string[] = []): [string, unknown][] {
	if (typeof body !== 'object' || body === null) return [];
	const own = Object.entries(body).filter(([name]) => !except.includes(name));
	return own.flatMap(([name, value]): [string, unknown][] => [[name, value], ...fieldsIn(value, except)]);
}

/** Characters that may surround a complete address: in `maria@shop.example`, `a@shop.example` does not match. */
export const AROUND_ADDRESS = { before: '" <(:=/,;', after: '" >)&#,;\\' } as const;

/** A person's identifiers, to be removed from a text about somebody else. */
export interface Blanked {
	readonly keys: readonly string[];
	readonly emails: readonly string[];
	/** Each click id with its pseudonym. */
	readonly pseudonyms: readonly (readonly [clickId: string, pseudonym: string])[];
}

/** The JSON text without these identifiers; it stays valid JSON. */
export function withoutNames(text: string, { keys, emails, pseudonyms }: Blanked): string {
	let left = text;
	for (const [clickId, pseudonym] of pseudonyms) left = left.replace(new RegExp(`${literally(clickId)}(?!\\d)`, 'g'), pseudonym);
	for (const word of underName(REFERENCE, quoted(keys))) left = left.replaceAll(word, `"${REFERENCE}":"erased"`);
	const [before, after] = [AROUND_ADDRESS.before, AROUND_ADDRESS.after].map(literally);
	for (const email of emails) left = left.replace(new RegExp(`(?<=[${before}])${literally(email)}(?=[${after}])`, 'gi'), ERASED_ADDRESS);
	return left;
}

/** The JSON text without these values; it stays valid JSON. */
export function withoutValues(text: string, values: readonly string[]): string {
	return JSON.stringify(
		JSON.parse(text, (name, value: unknown) => (typeof value === 'string' && name !== 'kind' && values.includes(value) ? 'erased' : value)),
	);
}

const ERASED_DOMAIN = '@erased.invalid';
const ERASED_ADDRESS = `erased${ERASED_DOMAIN}`;

/** Whether it is the pseudonym of an erased address. */
export function isErasedAddress(email: string): boolean {
	return email.endsWith(ERASED_DOMAIN);
}

function literally(text: string): string {
	return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}
