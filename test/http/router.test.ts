import { TrieRouter } from 'hono/router/trie-router';
import { describe, expect, test } from 'vitest';
import { app } from '../../src/http/app.ts';
import { KeepingRouter } from '../../src/http/router.ts';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

describe('the router', () => {
	test('leads every path where the TrieRouter of Hono leads it, the first time and the next', () => {
		const [ours, theirs] = [new KeepingRouter<number>(), new TrieRouter<number>()];
		for (const [index, { method, path }] of app.routes.entries()) {
			ours.add(method, path, index);
			theirs.add(method, path, index);
		}
		const registered = app.routes.map(({ path }) => path.replaceAll(/:\w+/g, '17').replace('*', 'more'));
		const others = ['/', '/none', '/api/v1/me/', '/api/v1/track', '/api/v1/track/click/', '/api/v1/notifications/17', '//', '/r/a/b'];
		for (const path of new Set([...registered, ...others])) {
			for (const method of METHODS) {
				const expected = theirs.match(method, path);
				expect(ours.match(method, path), `${method} ${path}`).toEqual(expected);
				expect(ours.match(method, path), `${method} ${path} again`).toEqual(expected);
			}
		}
	});

	test('keeps apart where the methods of a path lead', () => {
		const router = new KeepingRouter<string>();
		router.add('GET', '/things', 'list');
		router.add('POST', '/things', 'make');
		const handlersOf = (method: string) => router.match(method, '/things')[0].map(([handler]) => handler);
		expect([handlersOf('GET'), handlersOf('POST'), handlersOf('PUT'), handlersOf('GET')]).toEqual([['list'], ['make'], [], ['list']]);
	});
});
