import { type SQL, sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { once } from '../once.ts';
import {
	AROUND_ADDRESS,
	isPayerId,
	isProcessorId,
	keysIn,
	namedIds,
	namedKeys,
	ownIdsIn,
	payerIdsIn,
	quoted,
	textsIn,
} from '../domain/people/erasure.ts';
import { distinct, type Person } from './person.ts';

/** What of an erased person is still looked for, and how far. Kept sealed, until the search is over. */
export interface Search {
	readonly customerIds: readonly number[];
	readonly keys: readonly string[];
	readonly emails: readonly string[];
	/** Each click id with what stands for it. */
	readonly pseudonyms: readonly (readonly [clickId: string, pseudonym: string])[];
	/** Those of them by which others came first: what names but the click is theirs. */
	readonly sharedClickIds: readonly string[];
	/** Ids of a processor: of the payer, the subscriptions and the payments. */
	readonly processorIds: readonly string[];
	/** A backend's own ids of the person's subscriptions and payments. */
	readonly ownIds: readonly string[];
	/** When the person became known. */
	readonly since: number;
	/** The last row that was looked at, by table; null where none was yet. */
	readonly at: Readonly<Record<'leads' | 'events' | 'letters' | 'notifications', number | null>>;
	/** Whether something new to look for was found on this round through the tables. */
	readonly hasGrown: boolean;
	/** And whether it was a click. */
	readonly hasNewClicks: boolean;
}

export const StoredSearch = once(() =>
	z.object({
		customerIds: z.array(z.number()),
		keys: z.array(z.string()),
		emails: z.array(z.string()),
		pseudonyms: z.array(z.tuple([z.string(), z.string()])),
		sharedClickIds: z._default(z.array(z.string()), []),
		processorIds: z.array(z.string()),
		ownIds: z._default(z.array(z.string()), []),
		since: z.number(),
		at: z.object({
			leads: z.nullable(z.number()),
			events: z.nullable(z.number()),
			letters: z.nullable(z.number()),
			notifications: z.nullable(z.number()),
		}),
		hasGrown: z.boolean(),
		hasNewClicks: z._default(z.boolean(), false),
	}),
);

export function beginSearch(person: Person): Search {
	const paidBy = distinct([...person.subscriptionIds, ...person.paymentIds]);
	return {
		customerIds: person.customers.map(({ id }) => id),
		keys: person.keys,
		emails: person.emails,
		pseudonyms: withPseudonyms([], person.clickIds),
		sharedClickIds: person.sharedClickIds,
		processorIds: paidBy.filter(isProcessorId),
		ownIds: paidBy.filter((id) => !isProcessorId(id)),
		since: Math.min(
			...person.customers.map(({ createdAt }) => createdAt),
			...person.clicks.map(({ clickedAt }) => clickedAt),
			...person.refusals.map((row) => row.first_at),
		),
		at: { leads: null, events: null, letters: null, notifications: null },
		hasGrown: false,
		hasNewClicks: false,
	};
}

/** Random, so that nobody comes by one. */
export function withPseudonyms(known: Search['pseudonyms'], clickIds: readonly string[]): Search['pseudonyms'] {
	const fresh = clickIds.filter((id) => !known.some(([clickId]) => clickId === id));
	return [...known, ...fresh.map((id) => [id, `erased_${crypto.randomUUID().replaceAll('-', '').slice(0, 24)}`] as const)];
}

/**
 * Whether the body of a processor's event has a name of the person: a key or a backend's own id under its name, an id of the processor's
 * as a whole value, a click id or an address. Whether it is theirs, `isOwnBody` tells.
 */
export function namesInBody(text: SQL, search: Search): SQL {
	return sql`(${hasOne(text, [...namedKeys(search.keys), ...namedIds(search.ownIds), ...idsOf(search)])} OR ${hasAddress(text, search.emails)})`;
}

/**
 * Whether a body is about the person: anybody types what address they like, and who shares a device shares its click. A key in metadata
 * says who pays, and the ids of the person's payments do; an id of the payer or the click where no other key stands beside it.
 */
export function isOwnBody(payload: string, { keys, pseudonyms, sharedClickIds, processorIds, ownIds }: Search): boolean {
	const body: unknown = JSON.parse(payload);
	const [named, values] = [keysIn(body), new Set(textsIn(body))];
	const has = (ids: readonly string[]) => ids.some((id) => values.has(id));
	if (named.some((key) => keys.includes(key)) || has(processorIds.filter((id) => !isPayerId(id)))) return true;
	if (ownIdsIn(body).some((id) => ownIds.includes(id))) return true;
	const clickIds = pseudonyms.map(([clickId]) => clickId).filter((id) => !sharedClickIds.includes(id));
	return named.length === 0 && (has(processorIds.filter(isPayerId)) || clickIds.some((id) => payload.includes(id)));
}

/** Whether a message of a queue, which is of the program, is about the person. */
export function isOwnLetter(text: SQL, search: Search): SQL {
	return hasOne(text, idsOf(search));
}

/** Whether a message of nobody knows what may be: then a key is looked for, as a whole value. */
export function mayBeOwnLetter(text: SQL, search: Search): SQL {
	return hasOne(text, [...idsOf(search), ...quoted(search.keys)]);
}

function idsOf({ pseudonyms, processorIds }: Search): string[] {
	return [...quoted(processorIds), ...pseudonyms.map(([clickId]) => clickId)];
}

/** So many words are parameters of their own, of which a statement has 100: the rows of json_each would be read for each text. */
const FEW_WORDS = 24;

function hasOne(text: SQL, words: readonly string[]): SQL {
	if (words.length === 0) return sql`false`;
	if (words.length <= FEW_WORDS)
		return sql`(${sql.join(
			words.map((word) => sql`instr(${text}, ${word}) > 0`),
			sql` OR `,
		)})`;
	return sql`EXISTS (SELECT 1 FROM json_each(${JSON.stringify(words)}) AS word WHERE instr(${text}, word.value) > 0)`;
}

const [BEFORE, AFTER] = [AROUND_ADDRESS.before, AROUND_ADDRESS.after].map((marks) => JSON.stringify(Array.from(marks)));

/** Whether the text has one of the addresses, and not only as a part of another. */
export function hasAddress(text: SQL, emails: readonly string[]): SQL {
	if (emails.length === 0) return sql`false`;
	return sql`EXISTS (SELECT 1 FROM json_each(${JSON.stringify(emails)}) AS address
		WHERE instr(lower(${text}), address.value) > 0 AND EXISTS (
			SELECT 1 FROM json_each(${BEFORE}) AS b CROSS JOIN json_each(${AFTER}) AS a
			WHERE instr(lower(${text}), b.value || address.value || a.value) > 0))`;
}

/** The search with the processor's ids of who pays, as the person's own bodies have them: by these others are found. */
export function withPayers(search: Search, bodies: readonly { readonly payload: string }[]): Search {
	const own = bodies.filter(({ payload }) => isOwnBody(payload, search));
	const found = own.flatMap(({ payload }) => payerIdsIn(JSON.parse(payload)));
	return { ...search, processorIds: distinct([...search.processorIds, ...found]) };
}

/** The search as it has grown, by what is new to look for. */
export function grownFrom(before: Search, grown: Search): Search {
	const hasNewClicks = grown.pseudonyms.length > before.pseudonyms.length;
	const hasNewIds = grown.processorIds.length > before.processorIds.length;
	return { ...grown, hasGrown: before.hasGrown || hasNewClicks || hasNewIds, hasNewClicks: before.hasNewClicks || hasNewClicks };
}

/** The next round, through what was looked at before the search had grown. Leads have no processor's ids. */
export function nextRound({ at, hasNewClicks, ...search }: Search): Search {
	return {
		...search,
		at: { ...at, leads: hasNewClicks ? null : at.leads, events: null, letters: null },
		hasGrown: false,
		hasNewClicks: false,
	};
}
