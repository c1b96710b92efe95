/** Anything with headers: a request of the fetch API (Workers, Bun, Deno, Hono, Next.js), or of Node (http, Express, Fastify). */
export interface WithCookies {
	readonly headers: HeadersOfRequest | { readonly cookie?: string | undefined };
}

/** Headers alone, as from Next.js' `headers()`. */
export interface HeadersOfRequest {
	get(name: string): string | null;
}

/** Parsed cookies, as from Next.js' `cookies()`, SvelteKit and Astro. */
export interface CookieStore {
	get(name: string): { readonly value: string } | string | undefined;
}

/** Where a click id may be. A string is a Cookie header, or the value of the cookie itself. */
export type ClickIdSource = WithCookies | HeadersOfRequest | CookieStore | string | null | undefined;

const COOKIE = 'tracker_click_id';

/** The form of a click id. Other values in the cookie would only make a lead fail. */
const CLICK_ID = /^cust_\d{1,16}_\d{1,16}$/;
const IN_COOKIES = /(?:^|;)\s*tracker_click_id="?(cust_\d{1,16}_\d{1,16})"?\s*(?=;|$)/;

/**
 * The click id in the cookie `tracker_click_id` of a request, its headers or its cookies; undefined if there is none. For a promise, such
 * as an unawaited `cookies()` or `headers()` of Next.js, it returns a promise.
 */
export function clickIdFrom(source: ClickIdSource): string | undefined;
export function clickIdFrom(source: PromiseLike<ClickIdSource>): Promise<string | undefined>;
export function clickIdFrom(source: ClickIdSource | PromiseLike<ClickIdSource>): string | undefined | Promise<string | undefined> {
	if (typeof source === 'string') return clickIdIn(source);
	if (typeof source !== 'object' || source === null) return undefined;
	// Checked first: a pending promise may look like cookies, and warns when it is read.
	if ('then' in source) return Promise.resolve(source).then((awaited) => clickIdFrom(awaited));
	if ('headers' in source) return clickIdIn(cookieHeaderOf(source.headers));
	return clickIdIn(cookieIn(source)) ?? clickIdIn(cookieHeaderOf(source));
}

function cookieHeaderOf(headers: WithCookies['headers'] | CookieStore): unknown {
	if ('get' in headers && typeof headers.get === 'function') return headers.get('cookie');
	return 'cookie' in headers ? headers.cookie : undefined;
}

/** The value in a store of cookies; headers have no value with that name. */
function cookieIn(store: HeadersOfRequest | CookieStore): unknown {
	const found = store.get(COOKIE);
	return typeof found === 'object' ? found?.value : found;
}

function clickIdIn(text: unknown): string | undefined {
	if (typeof text !== 'string') return undefined;
	return CLICK_ID.test(text) ? text : IN_COOKIES.exec(text)?.[1];
}
