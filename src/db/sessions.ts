import type { Binding } from './statement.ts';

// D1 sessions (decision 68). A session opened with a bookmark reads nothing older than it.

export interface Bookmarked extends Binding {
	/** The newest state that trips have read; undefined before the first. */
	readonly bookmark: () => string | undefined;
}

/**
 * Every trip queries the primary. D1 sends only the first trip of a session there, so each trip opens its own session: decisions about
 * money must not depend on a replica.
 */
export function openPrimary(binding: D1Database): Bookmarked {
	const sessions: D1DatabaseSession[] = [];
	const session = () => {
		const opened = binding.withSession('first-primary');
		sessions.push(opened);
		return opened;
	};
	return {
		prepare: (query) => session().prepare(query),
		batch: (statements) => session().batch(statements),
		bookmark: () => newestOf(sessions.map((opened) => opened.getBookmark() ?? undefined)),
	};
}

export interface Replica extends Bookmarked {
	/** Whether anything was read from it. */
	readonly isRead: () => boolean;
}

/** Reads any copy that has reached the bookmark. Writes go to the primary. */
export function openReplica(binding: D1Database, bookmark: string): Replica {
	const session = binding.withSession(bookmark);
	let isRead = false;
	return {
		prepare: (query) => {
			isRead = true;
			return session.prepare(query);
		},
		batch: (statements) => session.batch(statements),
		bookmark: () => session.getBookmark() ?? undefined,
		isRead: () => isRead,
	};
}

/** Bookmarks are sorted as strings. */
function newestOf(bookmarks: readonly (string | undefined)[]): string | undefined {
	return bookmarks
		.filter((bookmark) => bookmark !== undefined)
		.toSorted()
		.at(-1);
}
