import { cli } from './cli.ts';
import { events } from './events.ts';
import { health } from './health.ts';
import { management } from './management/management.ts';
import { newApp } from './new-app.ts';
import { performance } from './performance.ts';
import { programPages } from './program-pages.ts';
import { readiness } from './readiness.ts';
import { withPerson } from './replica-reads.ts';
import { unsubscribe } from './unsubscribe.ts';

/** The routes for people and their tools. */
export const peopleApp = newApp()
	.use(withPerson)
	.route('/health', health)
	.route('/api/tracking/events', events)
	.route('/api/tracking/performance', performance)
	.route('/api/v1/cli', cli)
	.route('/api/v1/programs/me/readiness', readiness)
	.route('/api/v1', management)
	.route('/unsubscribe', unsubscribe)
	.route('/p', programPages);
