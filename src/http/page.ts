import * as z from 'zod/mini';
import { once } from '../once.ts';
import { Parsed } from '../parsed.ts';
import { QueryCount } from './fields.ts';
import { parseId } from './validate.ts';

// Lists come in pages.

/** The `next_cursor` of the page before. */
export function Cursor<Position>(parse: (text: string) => Position | undefined) {
	return Parsed('must be a next_cursor of this list', parse);
}

/** `cursor` (of the page before) and `limit` (1 to 200, default 50) of a list. Extend it with the list's filters. */
export const PageQuery = once(() =>
	z.object({
		cursor: z.optional(Cursor(parseId)),
		limit: z._default(QueryCount(200), 50),
	}),
);

/** A cursor as `meta.next_cursor`. */
export function metaOf(page: { readonly nextCursor: number | null }): { next_cursor: string | null } {
	return { next_cursor: page.nextCursor === null ? null : String(page.nextCursor) };
}

/** The same of a list that was searched: whether the search found all that match. */
export function foundMetaOf(page: { readonly nextCursor: number | null; readonly isComplete?: boolean | undefined }) {
	return { ...metaOf(page), ...searchMetaOf(page) };
}

export function searchMetaOf({ isComplete }: { readonly isComplete?: boolean | undefined }): { search_complete?: boolean } {
	return isComplete === undefined ? {} : { search_complete: isComplete };
}
