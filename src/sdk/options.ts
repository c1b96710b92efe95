import { environmentVariable, type Fetch, type Signal } from './platform.ts';
import type { Transport } from './service.ts';

export interface TrackerOptions {
	/** The URL of the service, for example `https://track.shop.example`. Default: the environment variable TRACKER_URL. */
	readonly baseUrl?: string | undefined;
	/**
	 * The program key, `prg_...`. Keep it on the server; the SDK sends it to the service only. Default: the environment variable
	 * TRACKER_KEY.
	 */
	readonly apiKey?: string | undefined;
	/** A person's session token. Only `performance` needs it. */
	readonly sessionToken?: string | undefined;
	/** The timeout of one attempt. Default: 10,000. */
	readonly timeoutMs?: number | undefined;
	/** The most retries without a clear response. Default: 3. */
	readonly retries?: number | undefined;
	/**
	 * The longest wait before the first retry; it doubles with each further retry. The actual wait is a random part of it. Default: 500.
	 */
	readonly retryDelayMs?: number | undefined;
	/** Default: the platform's `fetch`. */
	readonly fetch?: Fetch | undefined;
}

export interface CallOptions {
	/** Aborting it ends the call with a TrackerError of kind `aborted`. */
	readonly signal?: Signal | undefined;
}

const MAX_MS = 2 ** 31 - 1;

/** Throws TypeError for invalid options. */
export function transportOf({ baseUrl, timeoutMs = 10_000, retries = 3, retryDelayMs = 500, fetch }: TrackerOptions): Transport {
	requireInteger('timeoutMs', timeoutMs, 1, MAX_MS);
	requireInteger('retries', retries, 0, 100);
	requireInteger('retryDelayMs', retryDelayMs, 0, MAX_MS);
	return { baseUrl: checkedUrl(baseUrl), timeoutMs, retries, retryDelayMs, fetch: fetch ?? platformFetch() };
}

/** Throws TypeError if neither the option nor the environment has a key. */
export function checkedKey(apiKey: unknown): string {
	return checkedToken('apiKey', requireSet('apiKey', apiKey, 'the program key (prg_...)', 'TRACKER_KEY'));
}

/** Throws TypeError, whose message does not contain the token. */
export function checkedToken(option: 'apiKey' | 'sessionToken', token: unknown): string {
	const trimmed = typeof token === 'string' ? token.trim() : '';
	// fetch refuses other characters in a header, and its error message would reveal the token.
	if (!/^[\u0021-\u007e]+$/.test(trimmed)) throw new TypeError(`${option} must be a string of visible ASCII characters`);
	return trimmed;
}

/** What an unset variable becomes in templates. */
const UNSET = ['', 'undefined', 'null'];

function requireSet(option: string, value: unknown, meaning: string, variable: string): unknown {
	const found = isSet(value) ? value : environmentVariable(variable);
	if (isSet(found)) return found;
	throw new TypeError(`${option} is not set: pass ${meaning} as the option ${option}, or in the environment variable ${variable}`);
}

function isSet(value: unknown): boolean {
	return value !== undefined && value !== null && !(typeof value === 'string' && UNSET.includes(value.trim()));
}

function checkedUrl(value: unknown): string {
	const text = requireSet('baseUrl', value, 'the address of the service, e.g. https://track.shop.example,', 'TRACKER_URL');
	const url = typeof text === 'string' ? parseUrl(text.trim()) : undefined;
	const isAddress = url && /^https?:$/.test(url.protocol) && `${url.username}${url.password}${url.search}${url.hash}` === '';
	if (!isAddress) throw new TypeError('baseUrl must be the address of the service, e.g. https://track.shop.example');
	// Not `href`, which keeps a bare ? or #.
	return url.origin + url.pathname.replace(/\/+$/, '');
}

function parseUrl(text: string): URL | undefined {
	try {
		return new URL(text);
	} catch {
		return undefined;
	}
}

function requireInteger(option: string, value: number, min: number, max: number): void {
	if (!Number.isInteger(value) || value < min || value > max) throw new TypeError(`${option} must be an integer from ${min} to ${max}`);
}

/** Looks up `fetch` at each call, so that later replacements apply. Workers require a call without `this`. */
function platformFetch(): Fetch {
	return (...request) => globalThis.fetch(...request);
}
