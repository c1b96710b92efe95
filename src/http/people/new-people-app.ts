import { createMiddleware } from 'hono/factory';
import type { AppEnv } from '../app-env.ts';
import { newApp } from '../new-app.ts';
import { withPerson } from '../replica-reads.ts';

/** Routes for people and their tools. Each area is a module of its own, because an isolate usually serves one area. */
export const newPeopleApp = () => newApp().use(withPerson);

/** Responses contain keys, sessions and personal data, so no cache may store them. */
export const noStore = createMiddleware<AppEnv>(async (c, next) => {
	await next();
	c.header('Cache-Control', 'no-store');
});
