import { Hono } from 'hono';
import { RegExpRouter } from 'hono/router/reg-exp-router';
import { openContext } from '../context.ts';
import type { AppEnv } from './app-env.ts';
import { answerAsset } from './asset.ts';
import { answerError, answerUnknownRoute } from './errors.ts';
import { cli } from './cli.ts';
import { docs, home } from './docs.ts';
import { events } from './events.ts';
import { noteKey } from './key-guesses.ts';
import { management } from './management/management.ts';
import { performance } from './performance.ts';
import { readiness } from './readiness.ts';
import { redirect } from './redirect.ts';
import { scripts } from './scripts.ts';
import { secureAnswers } from './secure-answers.ts';
import { tracking } from './tracking.ts';
import { webhooks } from './webhooks.ts';

/** Its type is what hc<typeof app> calls, so that pages know the answer of each route. */
export const app = new Hono<AppEnv>({ router: new RegExpRouter() })
	.use(secureAnswers)

	// Before the Context is opened: they need none.
	.route('/', scripts)
	.route('/', home)
	.route('/docs', docs)

	.use(async (c, next) => {
		c.set('ctx', openContext(c.env, c.executionCtx));
		await next();
		await noteKey(c);
	})

	.route('/r', redirect)
	.route('/api/v1/track', tracking)
	.route('/api/tracking', tracking)
	.route('/api/tracking/events', events)
	.route('/api/tracking/performance', performance)
	.route('/api/v1/cli', cli)
	.route('/api/v1/programs/:id/readiness', readiness)
	.route('/api/v1', management)
	.route('/webhooks', webhooks)
	// Contract, section 9. Made by `npm run openapi`.
	.get('/api/openapi.json', answerAsset);

app.notFound(answerUnknownRoute(app));
app.onError(answerError);
