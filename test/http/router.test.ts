import type { Result, Router } from 'hono/router';
import { RegExpRouter } from 'hono/router/reg-exp-router';
import { TrieRouter } from 'hono/router/trie-router';
import { expect, test } from 'vitest';
import { app } from '../../src/http/app.ts';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

// The one expression that it makes of all routes is fast, and takes not every set of them.
test('the router leads every path where the TrieRouter of Hono leads it', () => {
	expect(app.router).toBeInstanceOf(RegExpRouter);
	const [ours, theirs] = [new RegExpRouter<number>(), new TrieRouter<number>()];
	for (const [index, { method, path }] of app.routes.entries()) {
		ours.add(method, path, index);
		theirs.add(method, path, index);
	}
	const registered = app.routes.map(({ path }) => path.replaceAll(/:\w+/g, '17').replace('*', 'more'));
	const others = ['/', '/none', '/api/v1/me/', '/api/v1/track', '/api/v1/track/click/', '/api/v1/notifications/17', '//', '/r/a/b'];
	for (const path of new Set([...registered, ...others]))
		for (const method of METHODS) expect(ledBy(ours, method, path), `${method} ${path}`).toEqual(ledBy(theirs, method, path));
});

/** The handlers in their order, each with its parameters. */
function ledBy(router: Router<number>, method: string, path: string): [handler: number, params: object][] {
	const [found, values]: Result<number> = router.match(method, path);
	return found.map(([handler, params]) => [
		handler,
		Object.fromEntries(Object.entries(params).map(([name, value]) => [name, typeof value === 'number' ? values?.[value] : value])),
	]);
}
