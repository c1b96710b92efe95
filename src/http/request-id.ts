import type { AppContext } from './app-env.ts';

export const REQUEST_ID = 'X-Request-Id';

const CF_RAY = /^[\da-f]{16}(-[A-Z]{3})?$/;

/**
 * Cloudflare's id, which no caller can choose, or else our own. A caller that bypasses Cloudflare could send the header in another format.
 */
export function requestIdOf(c: AppContext): string {
	const ray = c.req.header('CF-Ray');
	return ray !== undefined && CF_RAY.test(ray) ? ray : crypto.randomUUID();
}
