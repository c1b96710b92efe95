import { DAY_MS, MINUTE_MS } from '../calendar.ts';

/** How long an erased id stays blocked: over a year, to cover yearly renewals. */
export const ERASED_ID_DAYS = 400;

const SEARCHED_DAYS = 15;

/** The interval doubles each time. Null once the search is over. */
export function nextSweepAt(requestedAt: number, now: number): number | null {
	if (now >= requestedAt + SEARCHED_DAYS * DAY_MS) return null;
	return Math.min(now + Math.max(MINUTE_MS, now - requestedAt), requestedAt + SEARCHED_DAYS * DAY_MS);
}

/** Shorter ids occur inside other words by chance, so only a whole text can match them. */
export const LEAST_PART = 5;

/** Whether a text written by a shop equals one of the ids, or contains one as a word. */
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

/** The JSON spellings of these strings, with and without escapes. */
export function quoted(ids: readonly string[]): string[] {
	return [...new Set(ids.flatMap((id) => [JSON.stringify(id), escaped(JSON.stringify(id))]))];
}

/** Metadata fields that hold a customer key. */
const KEY_NAMES = ['tracker_customer_key', 'customer_key'] as const;
/** Anybody who opens a payment link can set this field. */
const REFERENCE = 'client_reference_id';

/** The JSON spellings with the field's name, because a key such as `usd` occurs in every payment. */
export function namedKeys(keys: readonly string[]): string[] {
	const texts = quoted(keys);
	// A key of digits may be stored as a number and match a part of a longer one, so keysIn decides.
	const numbers = keys.filter((key) => /^\d+$/.test(key));
	return [...KEY_NAMES.flatMap((name) => underName(name, [...texts, ...numbers])), ...underName(REFERENCE, texts)];
}

function underName(name: string, json: readonly string[]): string[] {
	return json.flatMap((value) => [`"${name}":${value}`, `"${name}": ${value}`]);
}

function escaped(json: string): string {
	return json.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

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

/** Excludes metadata and email addresses, because anybody may type those. */
export function payerIdsIn(body: unknown): string[] {
	return valuesUnder(PAYER_NAMES, body, WRITTEN_BY_SHOPS).filter(isPayerId);
}

/** These may be any text. */
const OWN_ID_NAMES = ['payment_id', 'subscription_id'];

export function namedIds(ids: readonly string[]): string[] {
	return OWN_ID_NAMES.flatMap((name) => underName(name, quoted(ids)));
}

export function ownIdsIn(body: unknown): string[] {
	return valuesUnder(OWN_ID_NAMES, body, WRITTEN_BY_SHOPS);
}

export function textsIn(body: unknown): string[] {
	if (typeof body === 'string') return [body];
	return typeof body === 'object' && body !== null ? Object.values(body).flatMap(textsIn) : [];
}

export function programsIn(body: unknown): number[] {
	const programFields = fieldsIn(body).filter(([name]) => name === 'programId' || name === 'program_id');
	return programFields.flatMap(([, value]) => (typeof value === 'number' ? [value] : []));
}

function valuesUnder(names: readonly string[], body: unknown, except: readonly string[] = []): string[] {
	const values = fieldsIn(body, except).flatMap(([name, value]) => (names.includes(name) ? [value] : []));
	return values.flatMap((value) => (typeof value === 'string' ? [value] : typeof value === 'number' ? [String(value)] : []));
}

/** At any depth. */
function fieldsIn(body: unknown, except: readonly string[] = []): [string, unknown][] {
	if (typeof body !== 'object' || body === null) return [];
	const own = Object.entries(body).filter(([name]) => !except.includes(name));
	return own.flatMap(([name, value]): [string, unknown][] => [[name, value], ...fieldsIn(value, except)]);
}

/** Characters that may surround a complete address: in `maria@shop.example`, `a@shop.example` does not match. */
export const AROUND_ADDRESS = { before: '" <(:=/,;', after: '" >)&#,;\\' } as const;

/** Identifiers of a person to remove from a text about somebody else. */
export interface Blanked {
	readonly keys: readonly string[];
	readonly emails: readonly string[];
	readonly pseudonyms: readonly (readonly [clickId: string, pseudonym: string])[];
}

/** The result stays valid JSON. */
export function withoutNames(text: string, { keys, emails, pseudonyms }: Blanked): string {
	let left = text;
	for (const [clickId, pseudonym] of pseudonyms) left = left.replace(new RegExp(`${literally(clickId)}(?!\\d)`, 'g'), pseudonym);
	for (const word of underName(REFERENCE, quoted(keys))) left = left.replaceAll(word, `"${REFERENCE}":"erased"`);
	const [before, after] = [AROUND_ADDRESS.before, AROUND_ADDRESS.after].map(literally);
	for (const email of emails) left = left.replace(new RegExp(`(?<=[${before}])${literally(email)}(?=[${after}])`, 'gi'), ERASED_ADDRESS);
	return left;
}

/** The result stays valid JSON. */
export function withoutValues(text: string, values: readonly string[]): string {
	return JSON.stringify(
		JSON.parse(text, (name, value: unknown) => (typeof value === 'string' && name !== 'kind' && values.includes(value) ? 'erased' : value)),
	);
}

const ERASED_DOMAIN = '@erased.invalid';
const ERASED_ADDRESS = `erased${ERASED_DOMAIN}`;

export function isErasedAddress(email: string): boolean {
	return email.endsWith(ERASED_DOMAIN);
}

function literally(text: string): string {
	return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}
