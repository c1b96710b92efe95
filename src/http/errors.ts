import type { ErrorHandler, Hono, NotFoundHandler } from 'hono';
import { HTTPException } from 'hono/http-exception';
import { describeFault, writeLog } from '../context.ts';
import { Fault } from '../domain/fault.ts';
import { Rejection } from '../domain/rejection.ts';
import { Overtaken } from '../overtaken.ts';
import type { AppContext, AppEnv } from './app-env.ts';
import { clientNetwork } from './limits.ts';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** Sends every error as `{"error": string}`. A fault is logged with its request id and never shown to the caller. */
export const answerError: ErrorHandler<AppEnv> = async (error, c) => {
	if (error instanceof Rejection) {
		if (error.retryAfterSeconds !== undefined) c.header('Retry-After', String(error.retryAfterSeconds));
		if (error.status === 401) c.header('WWW-Authenticate', 'Bearer');
		if (error.status === 403 || error.status === 429) await logRefusal(c, error);
		return c.json({ error: error.message, ...error.fields }, error.status);
	}
	if (error instanceof HTTPException && error.status < 500) return c.json({ error: error.message || 'Bad request' }, error.status);
	if (error instanceof Overtaken) {
		writeLog({ level: 'warn', event: 'request_overtaken', ...requestOf(c), ...describeFault(error) });
		c.header('Retry-After', String(error.retryAfterSeconds));
		return c.json({ error: error.message }, 503);
	}
	// Not ctx.log, because opening the Context may have failed.
	writeLog({ level: 'error', event: 'request_failed', ...requestOf(c), ...describeFault(error) });
	const message =
		error instanceof Fault
			? error.message
			: (c.get('faultMessage') ?? 'Internal error. Try again. If it persists, send the X-Request-Id to the operator.');
	return c.json({ error: message }, 500);
};

function requestOf(c: AppContext) {
	return { requestId: c.get('requestId'), method: c.req.method, route: c.req.routePath };
}

/** Frequent refusals may be an attack. They are logged with a pseudonym of the client, never its address. */
async function logRefusal(c: AppContext, { status, code }: Rejection): Promise<void> {
	const ctx = c.get('ctx');
	const client = await ctx.secrets.pseudonym(await clientNetwork(c));
	ctx.log({ level: 'warn', event: 'refused', status, code, method: c.req.method, route: c.req.routePath, client });
}

export function answerUnknownRoute(app: Hono<AppEnv>): NotFoundHandler<AppEnv> {
	return (c) => {
		const allowed = METHODS.filter((method) => app.router.match(method, c.req.path)[0].some(([[, route]]) => route.method !== 'ALL'));
		if (allowed.length === 0) return c.json({ error: `No such path: ${c.req.path}` }, 404);
		c.header('Allow', allowed.join(', '));
		return c.json({ error: `Method ${c.req.method} is not allowed here. Use ${allowed.join(' or ')}.` }, 405);
	};
}
