/** A fetch API request (Workers, Bun, Deno, Hono, Next.js) or a Node request (http, Express, Fastify). */
export interface WithCookies {
	readonly headers: HeadersOfRequest | { readonly cookie?: string | undefined };
}

/** Headers alone, for example from Next.js' `headers()`. */
export interface HeadersOfRequest {
	get(name: string): string | null;
}

/** Parsed cookies, for example from Next.js' `cookies()`, SvelteKit or Astro. */
export interface CookieStore {
	get(name: string): { readonly value: string } | string | undefined;
}

/** A string is a Cookie header, or the value of the cookie itself. */
export type ClickIdSource = WithCookies | HeadersOfRequest | CookieStore | string | null | undefined;

const COOKIE = 'tracker_click_id';

/** Any other value in the cookie would make a lead fail. */
const CLICK_ID = /^cust_\d{1,16}_\d{1,16}$/;
const IN_COOKIES = /(?:^|;)\s*tracker_click_id="?(cust_\d{1,16}_\d{1,16})"?\s*(?=;|$)/;

/**
 * Reads the click id from the cookie `tracker_click_id`; undefined if there is none. Given a promise, such as Next.js' `cookies()` without
 * `await`, it returns a promise.
 */
export function clickIdFrom(source: ClickIdSource): string | undefined;
export function clickIdFrom(source: PromiseLike<ClickIdSource>): Promise<string | undefined>;
export function clickIdFrom(source: ClickIdSource | PromiseLike<ClickIdSource>): string | undefined | Promise<string | undefined> {
	if (typeof source === 'string') return clickIdIn(source);
	if (typeof source !== 'object' || source === null) return undefined;
	// Checked first, because a pending promise may look like cookies, and reading those logs a warning.
	if ('then' in source) return Promise.resolve(source).then((awaited) => clickIdFrom(awaited));
	if ('headers' in source) return clickIdIn(cookieHeaderOf(source.headers));
	return clickIdIn(cookieIn(source)) ?? clickIdIn(cookieHeaderOf(source));
}

function cookieHeaderOf(headers: WithCookies['headers'] | CookieStore): unknown {
	if ('get' in headers && typeof headers.get === 'function') return headers.get('cookie');
	return 'cookie' in headers ? headers.cookie : undefined;
}

/** Headers have no value with that name. */
function cookieIn(store: HeadersOfRequest | CookieStore): unknown {
	const found = store.get(COOKIE);
	return typeof found === 'object' ? found?.value : found;
}

function clickIdIn(text: unknown): string | undefined {
	if (typeof text !== 'string') return undefined;
	return CLICK_ID.test(text) ? text : IN_COOKIES.exec(text)?.[1];
}
