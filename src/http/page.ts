import * as z from 'zod/mini';
import { once } from '../once.ts';
import { parseId } from './validate.ts';

// Lists come in pages.

const LIMIT = 'must be an integer from 1 to 200';

/** `cursor` (of the page before) and `limit` (1 to 200, default 50) of a list. Extend it with the list's filters. */
export const PageQuery = once(() =>
	z.object({
		cursor: z.optional(
			z.pipe(z.string(), z.transform(parseId)).check(z.refine((id) => id !== undefined, 'must be a next_cursor of this list')),
		),
		limit: z._default(
			z
				.pipe(z.string().check(z.regex(/^\d{1,4}$/, LIMIT)), z.transform(Number))
				.check(z.refine((limit) => limit >= 1 && limit <= 200, LIMIT)),
			50,
		),
	}),
);

/** A cursor as `meta.next_cursor`. */
export function metaOf(page: { readonly nextCursor: number | null }): { next_cursor: string | null } {
	return { next_cursor: page.nextCursor === null ? null : String(page.nextCursor) };
}
