import type { Binding } from './statement.ts';

// D1's sessions (decision 68). A bookmark names a state of the database: a session that is opened with it reads no older one.

export interface Bookmarked extends Binding {
	/** The newest state that the trips so far have seen. Undefined before the first. */
	readonly bookmark: () => string | undefined;
}

/**
 * Each trip asks the primary. D1 sends only the first trip of a session there, and a decision about money must not rest on a later
 * one: so each trip has a session of its own.
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
	/** Whether anything was asked of it. */
	readonly isRead: () => boolean;
}

/** Any copy of the database that has reached the bookmark answers. Writes go to the primary. */
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

/** Bookmarks sort as texts. */
function newestOf(bookmarks: readonly (string | undefined)[]): string | undefined {
	return bookmarks
		.filter((bookmark) => bookmark !== undefined)
		.toSorted()
		.at(-1);
}
