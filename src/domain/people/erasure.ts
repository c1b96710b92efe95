import { DAY_MS, MINUTE_MS } from '../calendar.ts';

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

/** The names under which metadata, which a shop's backend writes, have the key of a customer. */
const KEY_NAMES = ['tracker_customer_key', 'customer_key'] as const;
/** What anybody may choose who follows a link to pay. */
const REFERENCE = 'client_reference_id';

/**
 * What a JSON text has where a customer's key is one of these, or a reference is. Under its name: anybody may choose a key, and `usd` is
 * a value in the bodies of everybody's payments.
 */
export function namedKeys(keys: readonly string[]): string[] {
	const texts = quoted(keys);
	// Custom data may have a key of digits as a number; of a longer number it is a part, which keysIn tells.
	const numbers = keys.filter((key) => /^\d+$/.test(key));
	return [...KEY_NAMES.flatMap((name) => underName(name, [...texts, ...numbers])), ...underName(REFERENCE, texts)];
}

function underName(name: string, json: readonly string[]): string[] {
	return json.flatMap((value) => [`"${name}":${value}`, `"${name}": ${value}`]);
}

function escaped(json: string): string {
	return json.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** The customers' keys that a body names. */
export function keysIn(body: unknown): string[] {
	return valuesUnder(KEY_NAMES, body);
}

/** More of them no honest body has. */
const MOST_NAMES = 50;

/** All by which a body may name somebody: keys, where one stands for the person, and click ids, wherever they stand. */
export function namesIn(body: unknown): { readonly keys: readonly string[]; readonly clickIds: readonly string[] } {
	const clickIds = textsIn(body).flatMap((text) => text.match(/cust_\d+_\d+/g) ?? []);
	const keys = valuesUnder([...KEY_NAMES, REFERENCE], body);
	return { keys: [...new Set(keys)].slice(0, MOST_NAMES), clickIds: [...new Set(clickIds)].slice(0, MOST_NAMES) };
}

/** A processor's id of who pays. */
const PAYER = /^(cus|acct|ctm)_\w+$/;
/** Under which a body has it: Stripe's names, and Paddle's. */
const PAYER_NAMES = ['customer', 'customer_account', 'customer_id'];
/** What shops write into bodies themselves. */
const WRITTEN_BY_SHOPS = ['metadata', 'custom_data'];

export function isPayerId(id: string): boolean {
	return PAYER.test(id);
}

/** Whether an id can be a processor's: an order number such as 10115 is somebody else's postal code. */
export function isProcessorId(id: string): boolean {
	return /^[a-z]+_\w{6,}$/.test(id);
}

/** The processor's ids of who pays; never an address, which is whatever was typed, nor what metadata call so. */
export function payerIdsIn(body: unknown): string[] {
	return valuesUnder(PAYER_NAMES, body, WRITTEN_BY_SHOPS).filter(isPayerId);
}

/** Under which a backend tells of payments in the custom webhook: its ids are any text, and count nowhere else. */
const OWN_ID_NAMES = ['payment_id', 'subscription_id'];

/** What a JSON text has where it tells of one of these payments or subscriptions by a backend's own id. */
export function namedIds(ids: readonly string[]): string[] {
	return OWN_ID_NAMES.flatMap((name) => underName(name, quoted(ids)));
}

/** The payments and subscriptions that a body tells of by a backend's own ids. */
export function ownIdsIn(body: unknown): string[] {
	return valuesUnder(OWN_ID_NAMES, body, WRITTEN_BY_SHOPS);
}

/** All texts that a body has as values. */
export function textsIn(body: unknown): string[] {
	if (typeof body === 'string') return [body];
	return typeof body === 'object' && body !== null ? Object.values(body).flatMap(textsIn) : [];
}

/** The programs that a message says it is of. */
export function programsIn(body: unknown): number[] {
	const told = fieldsIn(body).filter(([name]) => name === 'programId' || name === 'program_id');
	return told.flatMap(([, value]) => (typeof value === 'number' ? [value] : []));
}

function valuesUnder(names: readonly string[], body: unknown, except: readonly string[] = []): string[] {
	const values = fieldsIn(body, except).flatMap(([name, value]) => (names.includes(name) ? [value] : []));
	return values.flatMap((value) => (typeof value === 'string' ? [value] : typeof value === 'number' ? [String(value)] : []));
}

/** All that has a name in a body, however deep. */
function fieldsIn(body: unknown, except: readonly string[] = []): [string, unknown][] {
	if (typeof body !== 'object' || body === null) return [];
	const own = Object.entries(body).filter(([name]) => !except.includes(name));
	return own.flatMap(([name, value]): [string, unknown][] => [[name, value], ...fieldsIn(value, except)]);
}

/** What stands before and behind an address, so that it is not only a part of another: `a@shop.example` ends `maria@shop.example`. */
export const AROUND_ADDRESS = { before: '" <(:=/,;', after: '" >)&#,;\\' } as const;

/** Names of a person in a text that is about somebody else. */
export interface Blanked {
	readonly keys: readonly string[];
	readonly emails: readonly string[];
	/** Each click id with what stands for it. */
	readonly pseudonyms: readonly (readonly [clickId: string, pseudonym: string])[];
}

/** A JSON text without the names: it stays what it is, and still is JSON. */
export function withoutNames(text: string, { keys, emails, pseudonyms }: Blanked): string {
	let left = text;
	for (const [clickId, pseudonym] of pseudonyms) left = left.replace(new RegExp(`${literally(clickId)}(?!\\d)`, 'g'), pseudonym);
	for (const word of underName(REFERENCE, quoted(keys))) left = left.replaceAll(word, `"${REFERENCE}":"erased"`);
	const [before, after] = [AROUND_ADDRESS.before, AROUND_ADDRESS.after].map(literally);
	for (const email of emails) left = left.replace(new RegExp(`(?<=[${before}])${literally(email)}(?=[${after}])`, 'gi'), ERASED_ADDRESS);
	return left;
}

/** A JSON text without these values; it stays of the kind that it is. */
export function withoutValues(text: string, values: readonly string[]): string {
	return JSON.stringify(
		JSON.parse(text, (name, value: unknown) => (typeof value === 'string' && name !== 'kind' && values.includes(value) ? 'erased' : value)),
	);
}

const ERASED_DOMAIN = '@erased.invalid';
const ERASED_ADDRESS = `erased${ERASED_DOMAIN}`;

/** Whether it stands for an address that was erased: nobody has it. */
export function isErasedAddress(email: string): boolean {
	return email.endsWith(ERASED_DOMAIN);
}

function literally(text: string): string {
	return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}
