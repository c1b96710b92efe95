import * as z from 'zod/mini';
import { loose } from '../reading/fields.ts';

// As of Stripe's payloads every field is read by itself: what is missing or of another type is undefined and spoils nothing else.

/** An amount of money: Paddle writes it as a string, in the lowest denomination of its currency. */
export const Amount = loose(
	z.pipe(
		z.string().check(z.regex(/^-?\d{1,15}$/)),
		z.transform((text) => Number(text)),
	),
);

/** A moment of RFC 3339, to the nanosecond or less, as ms; what was never filled in is the year 1. */
export const Instant = loose(
	z.pipe(
		z.string().check(z.regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/)),
		z.pipe(
			z.transform((text: string) => Date.parse(text)),
			z.int().check(z.minimum(0)),
		),
	),
);
