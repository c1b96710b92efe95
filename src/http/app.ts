import type { Hono } from 'hono';
import type { ExtractSchema } from 'hono/types';
import type { AppEnv } from './app-env.ts';
import type { peopleApp } from './people-app.ts';
import { onceImported } from '../once.ts';
import { trackingApp } from './tracking-app.ts';

/** All routes, as hc<App> calls them, so that pages know the answer of each. */
export type App = Hono<AppEnv, ExtractSchema<typeof trackingApp | typeof peopleApp>>;

const forPeople = onceImported(() => import('./people-app.ts'));

/**
 * The whole service. What a visitor waits for is there from the start. Most isolates never meet a person: what people call is a
 * module of its own (testing/built-worker.ts), which runs once one of them calls.
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
