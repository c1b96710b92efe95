import * as z from 'zod/mini';
import { catch as orElse } from 'zod/mini';
import { isPreset, type Preset } from '../ui/range.ts';

// What may stand in a page's address after the "?": texts all. What somebody typed there and is no such thing counts as not there.

export function lenient<Schema extends z.core.SomeType>(schema: Schema) {
	return orElse(z.optional(schema), undefined);
}

export const Text = lenient(z.string());

/** The days of a report. */
export const RangeSearch = { period: lenient(z.custom<Preset>(isPreset)), from: lenient(z.iso.date()), to: lenient(z.iso.date()) };

/** A page of a list. */
export const ListSearch = { cursor: Text };
