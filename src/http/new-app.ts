import { Hono } from 'hono';
import { createMiddleware } from 'hono/factory';
import { TrieRouter } from 'hono/router/trie-router';
import { openContext } from '../context.ts';
import type { AppEnv } from './app-env.ts';
import { answerError, answerUnknownRoute } from './errors.ts';
import { noteKey } from './key-guesses.ts';
import { secureAnswers } from './secure-answers.ts';

/**
 * Routes that answer as every route does, errors included. (Hono's RegExpRouter would find a path in 0.02 µs instead of 0.7, and
 * each isolate would start 7 ms later.)
 */
export function newApp() {
	const app = new Hono<AppEnv>({ router: new TrieRouter() }).use(secureAnswers);
	app.notFound(answerUnknownRoute(app));
	app.onError(answerError);
	return app;
}

/** `c.var.ctx` is there for the routes behind it. */
export const withContext = createMiddleware<AppEnv>(async (c, next) => {
	c.set('ctx', openContext(c.env, c.executionCtx, Date.now(), { requestId: c.var.requestId }));
	await next();
	await noteKey(c);
});
