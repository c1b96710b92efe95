import type { Binding } from './statement.ts';

// D1 sessions (decision 68). A session that is opened with a bookmark never reads a state older than that.

export interface Bookmarked extends Binding {
	/** The newest state seen so far; undefined before the first query. */
	readonly bookmark: () => string | undefined;
}

/**
 * Decisions about money must not depend on a replica. D1 sends only a session's first query to the primary, so each query opens a new
 * session.
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
	readonly isRead: () => boolean;
}

/** Reads from any copy that has reached the bookmark. Writes go to the primary. */
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

/** Bookmarks can be compared as strings. */
function newestOf(bookmarks: readonly (string | undefined)[]): string | undefined {
	return bookmarks
		.filter((bookmark) => bookmark !== undefined)
		.toSorted()
		.at(-1);
}
