import type { Result, Router } from 'hono/router';
import { TrieRouter } from 'hono/router/trie-router';

/**
 * Hono's TrieRouter, and beside it where each path without parameters led the first time: clicks and sales ask for those.
 * (Hono's RegExpRouter would need no such help, but takes no `/notifications/read-all` beside `/notifications/:id/read`.)
 */
export class KeepingRouter<Handler> implements Router<Handler> {
	readonly name = 'KeepingRouter';
	readonly #routes = new TrieRouter<Handler>();
	/** By path, then by method; a path without parameters has an entry from the start, and no other ever gets one. */
	readonly #kept = new Map<string, Map<string, Result<Handler>>>();

	add(method: string, path: string, handler: Handler): void {
		this.#routes.add(method, path, handler);
		if (!/[:*]/.test(path)) this.#kept.set(path, new Map());
	}

	match(method: string, path: string): Result<Handler> {
		const kept = this.#kept.get(path);
		const known = kept?.get(method);
		if (known) return known;
		const found = this.#routes.match(method, path);
		kept?.set(method, found);
		return found;
	}
}
