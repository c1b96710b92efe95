import * as z from 'zod/mini';

// Payloads are verified, but their fields vary by API version. So each field is read separately: a missing or invalid one is undefined and
// affects no other.

const CONTROL = /\p{Cc}/u;
/** The end of the year 9999. */
const LAST_SECOND = 253_402_300_799;

/** Undefined if it is not JSON. `fatal` also refuses invalid UTF-8. */
export function jsonIn(body: Uint8Array, { fatal = false } = {}): unknown {
	try {
		return JSON.parse(new TextDecoder('utf-8', { fatal, ignoreBOM: false }).decode(body));
	} catch {
		return undefined;
	}
}

/** Accepts a missing field, null or another type as undefined. */
export function loose<Output>(schema: z.ZodMiniType<Output>) {
	return z.pipe(
		z.optional(z.unknown()),
		z.transform((value) => (value === null || value === undefined ? undefined : read(schema, value))),
	);
}

export const Text = loose(z.string());
export const Flag = loose(z.boolean());
/** In the processor's minor units, or a count. */
export const Whole = loose(z.int());
/** A time in seconds. */
export const Seconds = loose(z.int().check(z.minimum(0), z.maximum(LAST_SECOND)));

/** An object that is sent as its id or as a whole. */
export const Ref = z.pipe(z.optional(z.unknown()), z.transform(idOf));

/** An identifier as it is stored: trimmed, 1 to 255 characters, without control characters. Otherwise undefined. */
export function identifierIn(value: unknown): string | undefined {
	if (typeof value !== 'string') return undefined;
	const text = value.trim();
	return text !== '' && text.length <= 255 && text.isWellFormed() && !CONTROL.test(text) ? text : undefined;
}

/** As in Stripe's lists. */
export function List<Output>(item: z.ZodMiniType<Output>) {
	return loose(z.object({ data: z.array(loose(item)), has_more: Flag }));
}

/** Undefined if the value does not fit the schema. */
export function read<Output>(schema: z.ZodMiniType<Output>, value: unknown): Output | undefined {
	const result = z.safeParse(schema, value);
	return result.success ? result.data : undefined;
}

export function present(ids: readonly (string | undefined)[]): string[] {
	return [...new Set(ids.filter((id) => id !== undefined))];
}

function idOf(value: unknown): string | undefined {
	return identifierIn(typeof value === 'object' && value !== null && 'id' in value ? value.id : value);
}

/** `requested_by_customer` becomes "requested by customer". */
export function wordsOf(code: string | undefined): string | undefined {
	return identifierIn(code?.replaceAll('_', ' '));
}
