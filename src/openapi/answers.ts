import * as z from 'zod/mini';
import { is, named } from './json-schema.ts';

const Success = is(z.literal(true), 'Always true: a refusal has `error` instead.');

/** A row's id. */
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

export const nothing = answerOf(z.null(), 'No warnings.');

export const PageMeta = named(
	'PageMeta',
	'The position of the page in its list.',
	z.object({
		next_cursor: is(z.nullable(z.string()), 'Send it as `cursor` to get the next page; null on the last one.'),
		previous_cursor: is(z.nullable(z.string()), 'Send it as `cursor` to get the page before; null on the first one.'),
		total: is(z.optional(Count), 'Only with `total=true`: how many rows the list has, counted up to 1,000.'),
		total_is_more: is(
			z.optional(z.boolean()),
			'Only with `total=true`: whether the list has more rows than `total`. It is also true if a filter has no index and the list is long: then the newest 1,200 rows are counted.',
		),
		offset: is(
			z.optional(z.nullable(Count)),
			'Only with `total=true`: how many rows come before this page; null if more of them come than are counted.',
		),
	}),
);

/** For a list that only pages forward. */
export const NextMeta = named('NextMeta', 'Where the next page begins.', z.object({ next_cursor: PageMeta.shape.next_cursor }));

export function pageOf<Row extends z.core.$ZodType>(row: Row, description: string, meta: z.core.$ZodType = PageMeta) {
	return successful({ data: is(z.array(row), description), meta: is(meta, 'The pages around it.') });
}

/** For lists with `search`. */
export const SearchComplete = is(
	z.optional(z.boolean()),
	'Only if `search` was sent: whether all that match were found. If false, they are the best matches of many; search for more of the name.',
);

export function searchedPageOf<Row extends z.core.$ZodType>(row: Row, description: string) {
	const meta = z.object({ ...PageMeta.shape, search_complete: SearchComplete });
	return successful({ data: is(z.array(row), description), meta: is(meta, 'The page that follows, and how far the search went.') });
}

/** What `search` finds partners by. */
export const PARTNER_SEARCH =
	'A part of the name or email address, in any letter case, with or without accents. One or two characters match only the beginning of a word.';

export const PAGE_FIELDS = {
	cursor: 'The `next_cursor` of the page before, or the `previous_cursor` of the page after. Left out: the first page.',
	limit: 'Rows of a page, 1 to 200.',
	total: '`true` counts the rows of the list, see `total` in the answer. `false` by default.',
} as const;

/** For a list that only pages forward. */
export const NEXT_FIELDS = {
	cursor: 'The `next_cursor` of the page before. Left out: the first page.',
	limit: PAGE_FIELDS.limit,
} as const;

/** On the tracking routes. */
export const Warnings = is(
	z.optional(z.array(Text)),
	'Only if the body has fields that look like misspelt ones, such as `subscriptionId` or `customerkey`: each with the name that was probably meant. They were ignored.',
);

/** The receipt of a call in test mode. */
export const TestReceipt = named(
	'TestReceipt',
	'What a call in test mode wrote. Nothing real has changed.',
	z.object({
		eventId: is(Id, 'Id of the flagged event.'),
		programId: is(Id, 'Id of the program.'),
		test_mode: is(z.literal(true), 'Always true.'),
	}),
);

/** In answers with an invitation. */
export const Mailed = is(
	z.boolean(),
	'Whether the link is being emailed. False if email is off, if the address has received 3 invitations that day, or if the workspace has sent 200.',
);
