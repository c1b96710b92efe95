import type { MiddlewareHandler } from 'hono';
import { Rejection } from '../domain/rejection.ts';
import { isListedAnywhere } from '../programs/find-origin.ts';
import { cacheGet } from '../isolate-cache.ts';
import type { AppContext, AppEnv } from './app-env.ts';
import { clientNetwork, requireWithinLimit } from './limits.ts';
import { REQUEST_ID } from './request-id.ts';

/**
 * For the browser routes. An answer to a page of a listed origin, errors included, can be read by that page; whether its
 * program lists it is decided by the verb (decision 27). A success in browser mode needs no look-up: the verb has allowed
 * its origin; with a key it has not asked for it.
 */
export const crossOrigin: MiddlewareHandler<AppEnv> = async (c, next) => {
	const origin = c.req.header('Origin');
	if (origin === undefined) return next();
	// Before there is an answer: a header that is added to it later costs a copy of it.
	const isBrowser = c.req.header('Authorization') === undefined;
	c.header('Vary', 'Origin');
	c.header('Access-Control-Expose-Headers', REQUEST_ID);
	if (isBrowser) c.header('Access-Control-Allow-Origin', origin);
	await next();
	if (isBrowser && c.res.ok) return;
	c.header('Access-Control-Allow-Origin', (await mayRead(c, origin)) ? origin : undefined);
};

/** The preflight: has no body, so that any origin that some active program lists may go on. */
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

/** A flood that is answered 429 must not reach D1: there the origin is asked of the cache only. */
async function mayRead(c: AppContext, origin: string): Promise<boolean> {
	const ctx = c.get('ctx');
	if (c.res.status === 429) return cacheGet(ctx.origins, origin, ctx.now) ?? false;
	return isListedAnywhere(ctx, origin);
}
