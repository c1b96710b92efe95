import * as z from 'zod/mini';
import { is, named } from './json-schema.ts';

const Success = is(z.literal(true), 'Always true; errors have `error` instead.');

export const Id = z.int().check(z.minimum(1));

/** Integer minor units. */
export const Cents = z.int();

/** `2026-01-31T12:00:00.000Z` */
export const Instant = z.iso.datetime();

export const Count = z.int().check(z.minimum(0));

export const Text = z.string();

export const CurrencyCode = z.string().check(z.regex(/^[A-Z]{3}$/));

export const Day = z.iso.date();

/** `{"success": true, ...}` */
export function successful<Shape extends Record<string, z.core.$ZodType>>(shape: Shape) {
	return z.object({ success: Success, ...shape });
}

/** `{"success": true, "data": ...}` */
export function answerOf<Data extends z.core.$ZodType>(data: Data, description: string) {
	return successful({ data: is(data, description) });
}

export const nothing = answerOf(z.null(), 'Always null.');

export const PageMeta = named(
	'PageMeta',
	"The page's position in the list.",
	z.object({
		next_cursor: is(z.nullable(z.string()), 'Send it as `cursor` to get the next page; null on the last page.'),
		previous_cursor: is(z.nullable(z.string()), 'Send it as `cursor` to get the previous page; null on the first page.'),
		total: is(z.optional(Count), 'The number of rows in the list, counted up to 1,000. Only with `total=true`.'),
		total_is_more: is(
			z.optional(z.boolean()),
			'Whether the list has more rows than `total`. Also true if a filter has no index and the list is long: then only the newest 1,200 rows are counted. Only with `total=true`.',
		),
		offset: is(
			z.optional(z.nullable(Count)),
			'The number of rows before this page; null if there are more than are counted. Only with `total=true`.',
		),
	}),
);

export const NextMeta = named('NextMeta', 'The cursor of the next page.', z.object({ next_cursor: PageMeta.shape.next_cursor }));

export function pageOf<Row extends z.core.$ZodType>(row: Row, description: string) {
	return pageWith(PageMeta, row, description);
}

/** A page whose `meta` has other fields. */
export function pageWith<Meta extends z.core.$ZodType, Row extends z.core.$ZodType>(meta: Meta, row: Row, description: string) {
	return successful({ data: is(z.array(row), description), meta: is(meta, 'Pagination details.') });
}

export const SearchComplete = is(
	z.optional(z.boolean()),
	'Whether all matches were found. If false, these are the best of many matches; search for a longer part of the name. Only with `search`.',
);

export function searchedPageOf<Row extends z.core.$ZodType>(row: Row, description: string) {
	const meta = z.object({ ...PageMeta.shape, search_complete: SearchComplete });
	return successful({ data: is(z.array(row), description), meta: is(meta, 'Pagination details, and whether the search is complete.') });
}

export const PARTNER_SEARCH = 'A part of the name or email address, ignoring case and accents.';

export const PAGE_FIELDS = {
	cursor: 'The `next_cursor` of the previous page or the `previous_cursor` of the next one. If omitted, the first page.',
	limit: 'Rows per page, 1 to 200.',
	total: '`true` to count the rows of the list, see `meta.total`. Defaults to `false`.',
} as const;

export const NEXT_FIELDS = {
	cursor: 'The `next_cursor` of the previous page. If omitted, the first page.',
	limit: PAGE_FIELDS.limit,
} as const;

export const Warnings = is(
	z.optional(z.array(Text)),
	'Ignored fields that look misspelt, such as `subscriptionId` or `customerkey`, each with the name that was probably meant. Omitted if there are none.',
);

export const TestReceipt = named(
	'TestReceipt',
	'The record that a call in test mode wrote. Nothing real has changed.',
	z.object({
		eventId: is(Id, "The flagged event's id."),
		programId: is(Id, "The program's id."),
		test_mode: is(z.literal(true), 'Always true.'),
	}),
);

export const Mailed = is(
	z.boolean(),
	'Whether the link is emailed. False if email is off, or if the address already had 3 invitations or the workspace 200 within 24 hours.',
);
