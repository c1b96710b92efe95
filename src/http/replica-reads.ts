import { createMiddleware } from 'hono/factory';
import { type Context, openContext } from '../context.ts';
import type { AppContext, AppEnv } from './app-env.ts';
import { wantsCsv } from './csv.ts';
import { noteKey } from './key-guesses.ts';
import { placeOf } from './session-cookie.ts';
import { cookieOf } from './visitor.ts';

// Which copy of the database answers people's reads (decision 68). D1 has one thread, so a slow report on the primary would delay a sale.

/** Pages store the newest value of this header in the cookie. */
export const BOOKMARK_HEADER = 'X-D1-Bookmark';
export const BOOKMARK_COOKIE = 'tracker_bookmark';

/** Other values are ignored: D1 would take "first-unconstrained" as permission to read any state. */
const BOOKMARK = /^[0-9a-f]{8}-[0-9a-f]{8}-[0-9a-f]{8}-[0-9a-f]{32}$/;

/** Sets `c.var.ctx` for people's routes. Every response renews the bookmark. */
export const withPerson = createMiddleware<AppEnv>(async (c, next) => {
	// CSV files come from the primary, because people keep them.
	const bookmark = isRead(c) && !wantsCsv(c) ? sentBookmark(c) : undefined;
	const ctx = openContext(c.env, c.executionCtx, Date.now(), { requestId: c.var.requestId, isPerson: true, bookmark });
	c.set('ctx', ctx);
	await next();
	await noteKey(c);
	const renewed = ctx.replica?.bookmark();
	if (renewed !== undefined) c.header(BOOKMARK_HEADER, renewed);
});

/** For routes whose results decide about money or access. Put it before the middleware that finds the caller. */
export const fromPrimary = createMiddleware<AppEnv>(async (c, next) => {
	c.set('readsPrimary', true);
	await next();
});

export function mayReadReplica(c: AppContext): boolean {
	return replicaOf(c) !== undefined;
}

/** The Context for reads after the caller has been found on the primary. */
export function replicaContext(c: AppContext): Context {
	const db = replicaOf(c);
	return db ? { ...c.var.ctx, db } : c.var.ctx;
}

/** For routes that only show people their own data. Put it after requireSession. */
export const thenReplica = createMiddleware<AppEnv>(async (c, next) => {
	c.set('ctx', replicaContext(c));
	await next();
});

function replicaOf(c: AppContext) {
	return c.var.readsPrimary === true ? undefined : c.var.ctx.replica?.db;
}

function sentBookmark(c: AppContext): string | undefined {
	const sent = cookieOf(c, placeOf(c, BOOKMARK_COOKIE).name);
	return sent !== undefined && BOOKMARK.test(sent) ? sent : undefined;
}

function isRead(c: AppContext): boolean {
	return c.req.method === 'GET' || c.req.method === 'HEAD';
}
