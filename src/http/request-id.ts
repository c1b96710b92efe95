import type { AppContext } from './app-env.ts';

export const REQUEST_ID = 'X-Request-Id';

const CF_RAY = /^[\da-f]{16}(-[A-Z]{3})?$/;

/**
 * The request's id in logs: Cloudflare's, which no caller can choose, or else our own. A header in another format comes from a caller that
 * bypasses Cloudflare.
 */
export function requestIdOf(c: AppContext): string {
	const ray = c.req.header('CF-Ray');
	return ray !== undefined && CF_RAY.test(ray) ? ray : crypto.randomUUID();
}
