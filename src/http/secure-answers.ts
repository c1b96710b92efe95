import type { MiddlewareHandler } from 'hono';
import type { AppEnv } from './app-env.ts';

const NO_SNIFFING = 'X-Content-Type-Options';
/** A year, for this very host: the shop's others are its own affair. */
const HTTPS_ONLY = 'max-age=31536000';

/** For every answer, whatever its kind: no browser guesses its type, and one that came by HTTPS asks by HTTPS from then on. */
export const secureAnswers: MiddlewareHandler<AppEnv> = async (c, next) => {
	secure();
	await next();
	// An answer that was not made by the context, as a file is, has none of what was said before it.
	if (!c.res.headers.has(NO_SNIFFING)) secure();

	function secure(): void {
		c.header(NO_SNIFFING, 'nosniff');
		if (c.req.url.startsWith('https:')) c.header('Strict-Transport-Security', HTTPS_ONLY);
	}
};
