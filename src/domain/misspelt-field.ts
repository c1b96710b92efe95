import { DAY_MS } from './calendar.ts';

/** An ignored field of a tracking call, and the field that was probably meant. */
export interface MisspeltField {
	readonly field: string;
	readonly meant: string;
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

/** Fields in another naming style (`subscriptionId`) or with one wrong letter. Ignored if the right name is there too. */
export function misspeltFields(body: unknown, known: readonly string[]): MisspeltField[] {
	if (!isRecord(body)) return [];
	const own = misspeltAmong(Object.keys(body), known);
	const switches = Object.hasOwn(body, SWITCHES) ? body[SWITCHES] : undefined;
	const inside = isRecord(switches) ? misspeltAmong(Object.keys(switches), [SWITCH]) : [];
	const outside = Object.keys(body).filter((field) => plain(field) === plain(SWITCH));
	return [
		...own,
		...inside.map(({ field, meant }) => ({ field: `${SWITCHES}.${field}`, meant: `${SWITCHES}.${meant}` })),
		...outside.map((field) => ({ field, meant: `${SWITCHES}.${SWITCH}` })),
	].slice(0, MOST);
}

export function warningOf({ field, meant }: MisspeltField): string {
	return `${field} is not a field of this call and was ignored: did you mean ${meant}?`;
}

function misspeltAmong(sent: readonly string[], known: readonly string[]): MisspeltField[] {
	const missing = known.filter((field) => !sent.includes(field));
	const unknown = sent.slice(0, LOOKED_AT).filter((field) => !known.includes(field) && field.length <= NAME_LIMIT);
	return unknown.flatMap((field) => {
		const meant = missing.find((other) => plain(other) === plain(field)) ?? missing.find((other) => isTypoOf(plain(field), plain(other)));
		return meant === undefined ? [] : [{ field, meant }];
	});
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

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}
