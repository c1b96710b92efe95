import * as z from 'zod';
import { isTimeZone } from '../../domain/calendar.ts';
import { isCurrency } from '../../domain/money.ts';
import { Identifier } from '../schema.ts';

// The field types of management bodies.

/** An object that names what it does not know: a typo must not pass for a change that was made. */
export function Strict<Shape extends z.ZodRawShape>(shape: Shape) {
	return z.strictObject(shape, {
		error: (issue) => (issue.code === 'unrecognized_keys' ? `Unknown field: ${String(issue.keys[0])}` : 'must be an object'),
	});
}

/** What people call a thing: one line of at most 120 characters, trimmed. */
export const Name = Identifier(120).transform((name) => name.trim());

/** ISO 4217, in any letter case. */
export const Currency = z
	.string('must be a currency code, such as "USD"')
	.transform((code) => code.toUpperCase())
	.refine(isCurrency, 'must be a currency code, such as "USD"');

const ZONE = 'must be the IANA name of a time zone, such as "Europe/Berlin"';

/** An IANA name. Offsets such as +01:00 know no summer time. */
export const TimeZone = z
	.string(ZONE)
	.refine((name) => /^[A-Za-z]/.test(name) && isTimeZone(name), ZONE)
	.transform((name) => (name.toUpperCase() === 'UTC' ? 'UTC' : name));

/** An integer of the range, both ends included. */
export function Whole(least: number, most: number) {
	const message = `must be an integer from ${least} to ${most}`;
	return z.int(message).min(least, message).max(most, message);
}

/** Yes or no. */
export const Flag = z.boolean('must be true or false');
