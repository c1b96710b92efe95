import type { Fetch, Signal } from './platform.ts';
import type { Reach } from './service.ts';

export interface TrackerOptions {
	/** The address of the service: `https://track.shop.example`. */
	readonly baseUrl: string;
	/** The program key, `prg_...`. Keep it on the server; the SDK shows it to nobody but the service. */
	readonly apiKey: string;
	/** The token of a signed-in person, which only `performance` needs. */
	readonly sessionToken?: string | undefined;
	/** How long one try may take. Left out: 10,000. */
	readonly timeoutMs?: number | undefined;
	/** Tries after the first where no clear answer came. Left out: 3. */
	readonly retries?: number | undefined;
	/** The longest wait before the second try; it doubles with each further one. What is waited is a random part of it. Left out: 500. */
	readonly retryDelayMs?: number | undefined;
	/** Left out: the platform's. */
	readonly fetch?: Fetch | undefined;
}

/** For one call. */
export interface CallOptions {
	/** Ends the call with a TrackerError of kind `aborted`. */
	readonly signal?: Signal | undefined;
}

const MAX_MS = 2 ** 31 - 1;

/** Throws TypeError for what cannot be. */
export function reachOf({ baseUrl, timeoutMs = 10_000, retries = 3, retryDelayMs = 500, fetch }: TrackerOptions): Reach {
	requireInteger('timeoutMs', timeoutMs, 1, MAX_MS);
	requireInteger('retries', retries, 0, 100);
	requireInteger('retryDelayMs', retryDelayMs, 0, MAX_MS);
	return { baseUrl: checkedUrl(baseUrl), timeoutMs, retries, retryDelayMs, fetch: fetch ?? platformFetch() };
}

/** Throws TypeError, without the token in it. */
export function checkedToken(option: 'apiKey' | 'sessionToken', token: unknown): string {
	const trimmed = typeof token === 'string' ? token.trim() : '';
	// A header with anything else would be refused by fetch, whose message shows it.
	if (!/^[\u0021-\u007e]+$/.test(trimmed)) throw new TypeError(`${option} must be a string of visible ASCII characters`);
	return trimmed;
}

function checkedUrl(text: unknown): string {
	const url = typeof text === 'string' ? parseUrl(text.trim()) : undefined;
	const isAddress = url && /^https?:$/.test(url.protocol) && `${url.username}${url.password}${url.search}${url.hash}` === '';
	if (!isAddress) throw new TypeError('baseUrl must be the address of the service, e.g. https://track.shop.example');
	// Not href, which keeps a bare ? or #.
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

/** Looked up at each call, so that what replaces it later is used; and called on its own, as Workers want it. */
function platformFetch(): Fetch {
	return (...request) => globalThis.fetch(...request);
}
