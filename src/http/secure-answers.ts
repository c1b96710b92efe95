import type { MiddlewareHandler } from 'hono';
import type { AppEnv } from './app-env.ts';
import { REQUEST_ID, requestIdOf } from './request-id.ts';

const NO_SNIFFING = 'X-Content-Type-Options';
/** One year, only for this host: the shop decides about its other hosts. */
const HTTPS_ONLY = 'max-age=31536000';

/** Headers of every response: no type sniffing, the request's id, and HTTPS from then on if the request used it. */
export const secureAnswers: MiddlewareHandler<AppEnv> = async (c, next) => {
	const requestId = requestIdOf(c);
	c.set('requestId', requestId);
	secure();
	await next();
	// Responses that the context did not create, such as files, lack the headers set above.
	if (!c.res.headers.has(NO_SNIFFING)) secure();

	function secure(): void {
		c.header(NO_SNIFFING, 'nosniff');
		c.header(REQUEST_ID, requestId);
		if (c.req.url.startsWith('https:')) c.header('Strict-Transport-Security', HTTPS_ONLY);
	}
};
