import type { AppContext } from './app-env.ts';

/** The header that tells it. */
export const REQUEST_ID = 'X-Request-Id';

const CF_RAY = /^[\da-f]{16}(-[A-Z]{3})?$/;

/**
 * What names a request in the logs: as Cloudflare does, which lets no caller choose it, else a name of our own. A header of another
 * shape is somebody's who calls without Cloudflare between.
 */
export function requestIdOf(c: AppContext): string {
	const ray = c.req.header('CF-Ray');
	return ray !== undefined && CF_RAY.test(ray) ? ray : crypto.randomUUID();
}
