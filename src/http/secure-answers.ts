import type { MiddlewareHandler } from 'hono';
import type { AppEnv } from './app-env.ts';
import { REQUEST_ID, requestIdOf } from './request-id.ts';

const NO_SNIFFING = 'X-Content-Type-Options';
/** A year, for this very host: the shop's others are its own affair. */
const HTTPS_ONLY = 'max-age=31536000';

/**
 * For every answer, whatever its kind: no browser guesses its type, one that came by HTTPS asks by HTTPS from then on, and it says by
 * which name the logs have its request.
 */
export const secureAnswers: MiddlewareHandler<AppEnv> = async (c, next) => {
	const requestId = requestIdOf(c);
	c.set('requestId', requestId);
	secure();
	await next();
	// An answer that was not made by the context, as a file is, has none of what was said before it.
	if (!c.res.headers.has(NO_SNIFFING)) secure();

	function secure(): void {
		c.header(NO_SNIFFING, 'nosniff');
		c.header(REQUEST_ID, requestId);
		if (c.req.url.startsWith('https:')) c.header('Strict-Transport-Security', HTTPS_ONLY);
	}
};
