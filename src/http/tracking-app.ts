import { answerAsset } from './asset.ts';
import { answerLlms, docs } from './docs.ts';
import { newApp, withContext } from './new-app.ts';
import { pages } from './pages.ts';
import { redirect } from './redirect.ts';
import { scripts } from './scripts.ts';
import { tracking } from './tracking.ts';
import { webhooks } from './webhooks.ts';

/** Serves visitors' browsers, backends and processors. */
export const trackingApp = newApp()
	// These need no Context.
	.route('/', scripts)
	.route('/', pages)
	.route('/docs', docs)
	.get('/llms.txt', answerLlms)

	.use(withContext)
	.route('/r', redirect)
	.route('/api/v1/track', tracking)
	.route('/api/tracking', tracking)
	.route('/webhooks', webhooks)
	// Contract, section 9. Built by `npm run openapi`.
	.get('/api/openapi.json', answerAsset);
