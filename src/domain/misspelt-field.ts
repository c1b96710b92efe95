import { DAY_MS } from './calendar.ts';

/** An ignored field of a tracking call, and the field that was probably meant. */
export interface MisspeltField {
	readonly field: string;
	readonly meant: string;
	/** Whether the right field was sent too, so that its value counts. */
	readonly isSentToo: boolean;
}

export const MISSPELT_MS = DAY_MS;

/** A longer name is not a typo. */
const NAME_LIMIT = 64;
/** In shorter names, one changed letter makes a different word. */
const SHORTEST_FOR_TYPOS = 6;
/** Limits, because a body may have any number of fields. */
const MOST = 5;
const LOOKED_AT = 100;

const SWITCHES = 'additional_data';
const SWITCH = 'test_mode';

/** Fields in another naming style (`subscriptionId`) or with one wrong letter. */
export function misspeltFields(body: unknown, known: readonly string[]): MisspeltField[] {
	if (!isRecord(body)) return [];
	const own = misspeltAmong(body, known);
	const sentSwitches = Object.hasOwn(body, SWITCHES) ? body[SWITCHES] : undefined;
	const switches = isRecord(sentSwitches) ? sentSwitches : {};
	const inside = misspeltAmong(switches, [SWITCH]);
	const outside = Object.keys(body).filter((field) => plain(field) === plain(SWITCH));
	return [
		...own,
		...inside.map((found) => ({ ...found, field: `${SWITCHES}.${found.field}`, meant: `${SWITCHES}.${found.meant}` })),
		...outside.map((field) => ({ field, meant: `${SWITCHES}.${SWITCH}`, isSentToo: isSent(switches, SWITCH) })),
	].slice(0, MOST);
}

export function warningOf({ field, meant, isSentToo }: MisspeltField): string {
	return `${field} is not a field of this call and was ignored: ${isSentToo ? `${meant} was used.` : `did you mean ${meant}?`}`;
}

type Body = Readonly<Record<string, unknown>>;

function misspeltAmong(body: Body, known: readonly string[]): MisspeltField[] {
	// A field that was not sent is the more likely one.
	const candidates = [...known].sort((one, other) => Number(isSent(body, one)) - Number(isSent(body, other)));
	const unknown = Object.keys(body)
		.slice(0, LOOKED_AT)
		.filter((field) => !known.includes(field) && field.length <= NAME_LIMIT);
	return unknown.flatMap((field) => {
		const meant =
			candidates.find((other) => plain(other) === plain(field)) ?? candidates.find((other) => isTypoOf(plain(field), plain(other)));
		return meant === undefined ? [] : [{ field, meant, isSentToo: isSent(body, meant) }];
	});
}

/** `null` counts as omitted (decision 30). */
function isSent(body: Body, field: string): boolean {
	return Object.hasOwn(body, field) && body[field] !== null;
}

function plain(field: string): string {
	return field.replaceAll(/[^a-z0-9]/gi, '').toLowerCase();
}

/** Whether one letter is missing, extra, wrong, or swapped with its neighbour. */
function isTypoOf(field: string, known: string): boolean {
	if (known.length < SHORTEST_FOR_TYPOS || Math.abs(field.length - known.length) > 1) return false;
	let start = 0;
	while (start < known.length && field[start] === known[start]) start += 1;
	const [rest, knownRest] = [field.slice(start), known.slice(start)];
	if (rest.length !== knownRest.length) return rest.slice(1) === knownRest || rest === knownRest.slice(1);
	const isSwapped = rest[0] === knownRest[1] && rest[1] === knownRest[0] && rest.slice(2) === knownRest.slice(2);
	return isSwapped || rest.slice(1) === knownRest.slice(1);
}

function isRecord(value: unknown): value is Body {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}
