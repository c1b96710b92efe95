import { Hono } from 'hono';
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
import { KeepingRouter } from './router.ts';
import { scripts } from './scripts.ts';
import { secureAnswers } from './secure-answers.ts';
import { tracking } from './tracking.ts';
import { webhooks } from './webhooks.ts';

export const app = new Hono<AppEnv>({ router: new KeepingRouter() });

app.use(secureAnswers);

// Before the Context is opened: they need none.
app.route('/', scripts);
app.route('/', home);
app.route('/docs', docs);

app.use(async (c, next) => {
	c.set('ctx', openContext(c.env, c.executionCtx));
	await next();
	await noteKey(c);
});

app.route('/r', redirect);
app.route('/api/v1/track', tracking);
app.route('/api/tracking', tracking);
app.route('/api/tracking/events', events);
app.route('/api/tracking/performance', performance);
app.route('/api/v1/cli', cli);
app.route('/api/v1/programs/me/readiness', readiness);
app.route('/api/v1', management);
app.route('/webhooks', webhooks);
/** Contract, section 9. Made by `npm run openapi`. */
app.get('/api/openapi.json', answerAsset);

app.notFound(answerUnknownRoute(app));
app.onError(answerError);
