import * as z from 'zod/mini';
import { loose } from '../reading/fields.ts';

// Every field is read separately: a missing or invalid one is undefined and affects no other.

/** Paddle sends amounts as strings. */
export const Amount = loose(
	z.pipe(
		z.string().check(z.regex(/^-?\d{1,15}$/)),
		z.transform((text) => Number(text)),
	),
);

/** RFC 3339, in ms. Undefined for the year 1, which Paddle sends for a time that was never set. */
export const Instant = loose(
	z.pipe(
		z.string().check(z.regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/)),
		z.pipe(
			z.transform((text: string) => Date.parse(text)),
			z.int().check(z.minimum(0)),
		),
	),
);
