import type { MiddlewareHandler } from 'hono';
import { Rejection } from '../domain/rejection.ts';
import { isListedAnywhere } from '../programs/find-origin.ts';
import { cacheGet } from '../isolate-cache.ts';
import type { AppContext, AppEnv } from './app-env.ts';
import { clientNetwork, requireWithinLimit } from './limits.ts';
import { REQUEST_ID } from './request-id.ts';

/**
 * Pages of listed origins can read every response, including errors (decision 27). A successful call without a key needs no look-up,
 * because the operation has checked its origin.
 */
export const crossOrigin: MiddlewareHandler<AppEnv> = async (c, next) => {
	const origin = c.req.header('Origin');
	if (origin === undefined) return next();
	// Set first, because a header added later copies the response.
	const isBrowser = c.req.header('Authorization') === undefined;
	c.header('Vary', 'Origin');
	c.header('Access-Control-Expose-Headers', REQUEST_ID);
	if (isBrowser) c.header('Access-Control-Allow-Origin', origin);
	await next();
	if (isBrowser && c.res.ok) return;
	c.header('Access-Control-Allow-Origin', (await mayRead(c, origin)) ? origin : undefined);
};

/** A preflight names no program, so every origin that an active program lists is allowed. */
export async function answerPreflight(c: AppContext): Promise<Response> {
	await requireWithinLimit(c.env.BROWSER_LIMIT, await clientNetwork(c));
	const origin = c.req.header('Origin');
	if (origin === undefined || !(await isListedAnywhere(c.get('ctx'), origin))) throw new Rejection('origin_not_allowed');
	c.header('Access-Control-Allow-Origin', origin);
	c.header('Access-Control-Allow-Methods', 'POST');
	c.header('Access-Control-Allow-Headers', 'Content-Type');
	c.header('Access-Control-Max-Age', '7200');
	c.header('Vary', 'Origin');
	return c.body(null, 204);
}

/** After a 429, reads only the cache to keep floods away from D1. */
async function mayRead(c: AppContext, origin: string): Promise<boolean> {
	const ctx = c.get('ctx');
	if (c.res.status === 429) return cacheGet(ctx.origins, origin, ctx.now) ?? false;
	return isListedAnywhere(ctx, origin);
}
