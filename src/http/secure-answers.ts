import type { MiddlewareHandler } from 'hono';
import type { AppEnv } from './app-env.ts';
import { REQUEST_ID, requestIdOf } from './request-id.ts';

const NO_SNIFFING = 'X-Content-Type-Options';
/** One year, for this host only: the shop's other hosts are its own affair. */
const HTTPS_ONLY = 'max-age=31536000';

/** On every answer: no type guessing, HTTPS from then on if it came by HTTPS, and the request's id. */
export const secureAnswers: MiddlewareHandler<AppEnv> = async (c, next) => {
	const requestId = requestIdOf(c);
	c.set('requestId', requestId);
	secure();
	await next();
	// Answers that were not made by the context, such as files, lack earlier headers.
	if (!c.res.headers.has(NO_SNIFFING)) secure();

	function secure(): void {
		c.header(NO_SNIFFING, 'nosniff');
		c.header(REQUEST_ID, requestId);
		if (c.req.url.startsWith('https:')) c.header('Strict-Transport-Security', HTTPS_ONLY);
	}
};
