import type { Hono } from 'hono';
import type { ExtractSchema } from 'hono/types';
import type { AppEnv } from './app-env.ts';
import type { peopleApp } from './people-app.ts';
import { onceImported } from '../once.ts';
import { trackingApp } from './tracking-app.ts';

/** All routes, so that hc<App> knows every answer. */
export type App = Hono<AppEnv, ExtractSchema<typeof trackingApp | typeof peopleApp>>;

const forPeople = onceImported(() => import('./people-app.ts'));

/**
 * The whole service. Tracking loads at the start. Routes for people are a separate module (testing/built-worker.ts) that their first call
 * loads, because most isolates never serve a person.
 */
export const app = {
	fetch: async (...call: Parameters<typeof trackingApp.fetch>): Promise<Response> => {
		const half = isForPeople(trackingApp.getPath(call[0])) ? (await forPeople()).peopleApp : trackingApp;
		return half.fetch(...call);
	},
};

export function isForPeople(path: string): boolean {
	return /^\/(api\/(v1\/(?!track\/)|tracking\/(events|performance)\/)|unsubscribe\/|p\/|health$)/.test(path);
}
