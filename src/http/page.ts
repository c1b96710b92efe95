import * as z from 'zod/mini';
import type { Cursor, Page } from '../domain/page.ts';
import { once } from '../once.ts';
import { Parsed } from '../parsed.ts';
import { QueryCount, QueryFlag } from './fields.ts';
import { parseId } from './validate.ts';

/** A `next_cursor`, or a `previous_cursor`, which has a leading minus. */
export function PageCursor<Position>(parse: (text: string) => Position | undefined) {
	return Parsed('must be a next_cursor or previous_cursor of this list', (text): Cursor<Position> | undefined => {
		const isBack = text.startsWith('-');
		const position = parse(isBack ? text.slice(1) : text);
		return position === undefined ? undefined : { position, isBack };
	});
}

export function NextCursor<Position>(parse: (text: string) => Position | undefined) {
	return Parsed('must be a next_cursor of this list', parse);
}

/** The query of a list. Lists add their filters. */
export const PageQuery = once(() =>
	z.object({
		cursor: z.optional(PageCursor(parseId)),
		limit: z._default(QueryCount(200), 50),
		total: z.optional(TotalFlag()),
	}),
);

export const TotalFlag = once(() =>
	z.pipe(
		QueryFlag(),
		z.transform((flag) => flag === 'true'),
	),
);

interface PageMeta {
	readonly next_cursor: string | null;
	readonly previous_cursor: string | null;
	readonly total?: number;
	readonly total_is_more?: boolean;
	readonly offset?: number | null;
}

export function metaOf(page: Omit<Page<unknown>, 'rows'>): PageMeta {
	return metaAt(page, String);
}

export function metaAt<Position>(
	{ nextCursor, previousCursor, total }: Omit<Page<unknown, Position>, 'rows'>,
	format: (position: Position) => string,
): PageMeta {
	return {
		next_cursor: nextCursor === null ? null : format(nextCursor),
		previous_cursor: previousCursor === null ? null : `-${format(previousCursor)}`,
		...(total && { total: total.count, total_is_more: total.isMore, offset: total.offset }),
	};
}

/** Includes whether a search found all matches. */
export function foundMetaOf(page: Omit<Page<unknown>, 'rows'> & { readonly isComplete?: boolean | undefined }) {
	return { ...metaOf(page), ...searchMetaOf(page) };
}

export function searchMetaOf({ isComplete }: { readonly isComplete?: boolean | undefined }): { search_complete?: boolean } {
	return isComplete === undefined ? {} : { search_complete: isComplete };
}
