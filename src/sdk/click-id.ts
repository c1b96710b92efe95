/** What holds the Cookie header of a request: one of the fetch API (Workers, Bun, Deno, Hono), or one of Node (http, Express, Fastify). */
export interface WithCookies {
	readonly headers: { get(name: string): string | null } | { readonly cookie?: string | undefined };
}

/** The form of a click id; anything else in the cookie is not one, and would only make a lead fail. */
const CLICK_ID = /(?:^|;)\s*tracker_click_id="?(cust_\d{1,16}_\d{1,16})"?\s*(?=;|$)/;

/** The click id in the cookie `tracker_click_id` of a request, or of a Cookie header; undefined where there is none. */
export function clickIdFrom(source: WithCookies | string | null | undefined): string | undefined {
	return CLICK_ID.exec(cookiesOf(source) ?? '')?.[1];
}

function cookiesOf(source: WithCookies | string | null | undefined): string | null | undefined {
	if (typeof source !== 'object' || source === null) return source;
	const { headers } = source;
	return 'get' in headers && typeof headers.get === 'function' ? headers.get('cookie') : 'cookie' in headers ? headers.cookie : undefined;
}
