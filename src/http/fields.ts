import * as z from 'zod/mini';
import { bareHost } from '../domain/bare-host.ts';
import { isTimeZone } from '../domain/calendar.ts';
import { couponCodeOf } from '../domain/attribution/coupon-code.ts';
import { emailAddressOf } from '../domain/people/email-address.ts';
import { parseDayOrInstant } from '../domain/moment.ts';
import { isCurrency } from '../domain/money.ts';
import { normaliseOrigin } from '../domain/origin.ts';
import { once } from '../once.ts';
import { Parsed } from '../parsed.ts';

// Field types that requests share. firstProblem puts the field's name before a message in lower case. zod/mini is a quarter of zod's size.

export const Id = once(() => z.int('must be an integer').check(z.positive('must be a positive integer')));

const NO_CONTROL = /^\P{Cc}*$/u;

/** Not blank, without control characters. `wrongType` is the message if the value is no string. */
export function Identifier(limit = 255, wrongType: string | z.core.$ZodStringParams = 'must be a string') {
	return z.string(wrongType).check(
		z.refine((text) => text.isWellFormed(), 'must be well-formed Unicode'),
		z.regex(NO_CONTROL, 'must not contain control characters'),
		z.maxLength(limit, `must be at most ${limit} characters`),
		z.regex(/\S/, 'must not be blank'),
	);
}

export function FreeText(limit: number) {
	return z.string('must be a string').check(
		z.refine((text) => text.isWellFormed() && !text.includes('\u0000'), 'must be well-formed Unicode without NUL'),
		z.maxLength(limit, `must be at most ${limit} characters`),
	);
}

export const Email = once(() => Parsed('must be an email address', emailAddressOf, 'must be a string'));

/** Rejects unknown fields, so that nobody mistakes a typo for a change. */
export function Strict<Shape extends z.core.$ZodLooseShape>(shape: Shape) {
	return z.strictObject(shape, {
		error: (issue) => (issue.code === 'unrecognized_keys' ? `Unknown field: ${String(issue.keys[0])}` : 'must be an object'),
	});
}

export const Name = once(() =>
	z.pipe(
		Identifier(120),
		z.transform((name) => name.trim()),
	),
);

/** ISO 4217, in any letter case. */
export const Currency = once(() => Parsed('must be a currency code, such as "USD"', currencyOf));

export function currencyOf(text: string): string | undefined {
	const code = text.toUpperCase();
	return isCurrency(code) ? code : undefined;
}

/** An IANA name. Offsets such as +01:00 ignore daylight saving time, so they are refused. */
export const TimeZone = once(() =>
	Parsed('must be the IANA name of a time zone, such as "Europe/Berlin"', (name) => {
		if (!/^[A-Za-z]/.test(name) || !isTimeZone(name)) return undefined;
		return name.toUpperCase() === 'UTC' ? 'UTC' : name;
	}),
);

/** Both ends are included. */
export function Whole(least: number, most: number) {
	const message = `must be an integer from ${least} to ${most}`;
	return z.int(message).check(z.minimum(least, message), z.maximum(most, message));
}

export const Flag = once(() => z.boolean('must be true or false'));

/** A host name without scheme, port or path. Other scripts become punycode. */
export const Domain = once(() => Parsed('must be a domain, such as "shop.example"', (text) => hostOf(bareHost(text.trim().toLowerCase()))));

/** Undefined if it is no host name, or if a browser would read it as an IP address: "12345" is 0.0.48.57. */
function hostOf(text: string): string | undefined {
	if (!/^[\p{L}\p{N}-]+(\.[\p{L}\p{N}-]+)*$/u.test(text)) return undefined;
	const host = URL.parse(`https://${text}`)?.hostname;
	if (host === undefined || host.length > 253 || (host !== text && !host.includes('xn--'))) return undefined;
	return normaliseOrigin(`https://${host}`) && host;
}

const ORIGIN = 'must be an origin, such as "https://shop.example", "https://*.shop.example" or "http://localhost:*"';

export const Origins = once(() =>
	z.array(Parsed(ORIGIN, normaliseOrigin), 'must be a list of origins').check(z.maxLength(100, 'must list at most 100 origins')),
);

const PERCENT = 'must be a number from 0 to 100 with at most two decimals';

/** Parses a percentage to basis points. Shifts the digits as text, because 0.29 * 100 is not 29 in floating point. */
export const Percent = once(() =>
	z.pipe(
		z.number(PERCENT).check(z.refine((percent) => percent >= 0 && percent <= 100 && /^\d+(\.\d{1,2})?$/.test(String(percent)), PERCENT)),
		z.transform((percent) => Number(`${percent}e2`)),
	),
);

export function percentOf(basisPoints: number): number {
	return Number(`${basisPoints}e-2`);
}

/** The value of `aff`. */
export const ShortLink = once(() =>
	z.string('must be a string').check(z.regex(/^[A-Za-z0-9_-]{1,64}$/, 'must be 1 to 64 of the characters A-Z a-z 0-9 _ -')),
);

export const CouponCode = once(() => Parsed('must be 1 to 64 characters, without line breaks', couponCodeOf, 'must be a string'));

/** An object with at least one of its fields. */
export function Changes<Shape extends z.core.$ZodLooseShape>(shape: Shape, message: string) {
	return Strict(shape).check(z.refine((changes) => Object.values(changes).some((change) => change !== undefined), message));
}

export const IdList = once(() =>
	z.array(Id(), 'must be a list of ids').check(z.minLength(1, 'must name at least one id'), z.maxLength(500, 'must name at most 500 ids')),
);

/** The password is required again before an irreversible action or revealing a secret. */
export const PasswordRequest = once(() => Strict({ password: FreeText(200) }));

export const QueryId = once(() => z.pipe(z.string().check(z.regex(/^[1-9]\d{0,14}$/, 'must be a positive integer')), z.transform(Number)));

export const QueryIdList = once(() =>
	Parsed('must be 1 to 500 ids, separated by commas', (text) =>
		/^[1-9]\d{0,14}(,[1-9]\d{0,14}){0,499}$/.test(text) ? text.split(',').map(Number) : undefined,
	),
);

export const QueryFlag = once(() => z.enum(['true', 'false'], 'must be true or false'));

export function QueryCount(most: number) {
	return Parsed(`must be an integer from 1 to ${most}`, (text) => {
		const count = /^\d{1,4}$/.test(text) ? Number(text) : 0;
		return count >= 1 && count <= most ? count : undefined;
	});
}

/** Days, and times without an offset, are in the program's time zone. */
export const IsoDayOrInstant = once(() =>
	Parsed('must be an ISO 8601 date (2026-01-31) or time (2026-01-31T12:00:00Z)', parseDayOrInstant),
);

/** In the program's time zone. */
export const IsoDay = once(() =>
	Parsed('must be an ISO 8601 date (2026-01-31)', (text) => {
		const parsed = parseDayOrInstant(text);
		return parsed?.kind === 'day' ? parsed.day : undefined;
	}),
);

export const CountryCode = once(() =>
	Parsed('must be the two letters of a country, such as DE', (text) => (/^[A-Za-z0-9]{2}$/.test(text) ? text.toUpperCase() : undefined)),
);
