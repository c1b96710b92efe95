import * as z from 'zod/mini';
import { isTimeZone } from '../../domain/calendar.ts';
import { isCurrency } from '../../domain/money.ts';
import { normaliseOrigin } from '../../domain/origin.ts';
import { once } from '../../once.ts';
import { Identifier } from '../schema.ts';

// The field types of management bodies.

/** An object that names what it does not know: a typo must not pass for a change that was made. */
export function Strict<Shape extends z.core.$ZodLooseShape>(shape: Shape) {
	return z.strictObject(shape, {
		error: (issue) => (issue.code === 'unrecognized_keys' ? `Unknown field: ${String(issue.keys[0])}` : 'must be an object'),
	});
}

/** What people call a thing: one line of at most 120 characters, trimmed. */
export const Name = once(() =>
	z.pipe(
		Identifier(120),
		z.transform((name) => name.trim()),
	),
);

const CURRENCY = 'must be a currency code, such as "USD"';

/** ISO 4217, in any letter case. */
export const Currency = once(() =>
	z
		.pipe(
			z.string(CURRENCY),
			z.transform((code: string) => code.toUpperCase()),
		)
		.check(z.refine(isCurrency, CURRENCY)),
);

const ZONE = 'must be the IANA name of a time zone, such as "Europe/Berlin"';

/** An IANA name. Offsets such as +01:00 know no summer time. */
export const TimeZone = once(() =>
	z.pipe(
		z.string(ZONE).check(z.refine((name) => /^[A-Za-z]/.test(name) && isTimeZone(name), ZONE)),
		z.transform((name) => (name.toUpperCase() === 'UTC' ? 'UTC' : name)),
	),
);

/** An integer of the range, both ends included. */
export function Whole(least: number, most: number) {
	const message = `must be an integer from ${least} to ${most}`;
	return z.int(message).check(z.minimum(least, message), z.maximum(most, message));
}

/** Yes or no. */
export const Flag = once(() => z.boolean('must be true or false'));

const DOMAIN = 'must be a domain, such as "shop.example"';

/** A host name without scheme, port or path; other scripts become punycode. */
export const Domain = once(() =>
	z.pipe(
		z
			.pipe(
				z.string(DOMAIN),
				z.transform((text: string) => hostOf(text.trim().toLowerCase())),
			)
			.check(z.refine((host) => host !== undefined, DOMAIN)),
		z.transform(String),
	),
);

/** Undefined for what is no host name, or would be read as an address: "12345" is 0.0.48.57 to a browser. */
function hostOf(text: string): string | undefined {
	if (!/^[\p{L}\p{N}-]+(\.[\p{L}\p{N}-]+)*$/u.test(text)) return undefined;
	const host = URL.parse(`https://${text}`)?.hostname;
	if (host === undefined || host.length > 253 || (host !== text && !host.includes('xn--'))) return undefined;
	return normaliseOrigin(`https://${host}`) && host;
}

const ORIGIN = 'must be an origin, such as "https://shop.example", "https://*.shop.example" or "http://localhost:*"';

const Origin = once(() =>
	z.pipe(
		z
			.pipe(
				z.string(ORIGIN),
				z.transform((text: string) => normaliseOrigin(text)),
			)
			.check(z.refine((origin) => origin !== undefined, ORIGIN)),
		z.transform(String),
	),
);

/** Origins whose pages may call the browser routes. */
export const Origins = once(() => z.array(Origin(), 'must be a list of origins').check(z.maxLength(100, 'must list at most 100 origins')));

const PERCENT = 'must be a number from 0 to 100 with at most two decimals';

/** A percentage as basis points. Its decimals are moved as text: 0.29 * 100 is not 29 in floating point. */
export const Percent = once(() =>
	z.pipe(
		z.number(PERCENT).check(z.refine((percent) => percent >= 0 && percent <= 100 && /^\d+(\.\d{1,2})?$/.test(String(percent)), PERCENT)),
		z.transform((percent) => Number(`${percent}e2`)),
	),
);

/** Basis points as the percentage that was sent. */
export function percentOf(basisPoints: number): number {
	return Number(`${basisPoints}e-2`);
}
