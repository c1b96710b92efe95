import { type SQL, sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { once } from '../once.ts';
import { namedKeys, payerIdsIn, quoted } from '../domain/erasure.ts';
import { distinct, type Person } from './person.ts';

/** What of an erased person is still looked for, and how far. Kept sealed, until the search is over. */
export interface Search {
	readonly customerIds: readonly number[];
	readonly keys: readonly string[];
	readonly emails: readonly string[];
	/** Each click id with what stands for it. */
	readonly pseudonyms: readonly (readonly [clickId: string, pseudonym: string])[];
	/** Ids of a processor: of the payer, the subscriptions and the payments. */
	readonly processorIds: readonly string[];
	/** When the person became known. */
	readonly since: number;
	/** The last row that was looked at, by table; null where none was yet. */
	readonly at: Readonly<Record<'leads' | 'events' | 'letters' | 'notifications', number | null>>;
	/** Whether something new to look for was found on this round through the events. */
	readonly hasGrown: boolean;
}

export const StoredSearch = once(() =>
	z.object({
		customerIds: z.array(z.number()),
		keys: z.array(z.string()),
		emails: z.array(z.string()),
		pseudonyms: z.array(z.tuple([z.string(), z.string()])),
		processorIds: z.array(z.string()),
		since: z.number(),
		at: z.object({
			leads: z.nullable(z.number()),
			events: z.nullable(z.number()),
			letters: z.nullable(z.number()),
			notifications: z.nullable(z.number()),
		}),
		hasGrown: z.boolean(),
	}),
);

export function beginSearch(person: Person): Search {
	return {
		customerIds: person.customers.map(({ id }) => id),
		keys: person.keys,
		emails: person.emails,
		pseudonyms: withPseudonyms([], person.clickIds),
		processorIds: distinct([...person.subscriptionIds, ...person.paymentIds]),
		since: Math.min(
			...person.customers.map(({ createdAt }) => createdAt),
			...person.clicks.map(({ clickedAt }) => clickedAt),
			...person.refusals.map((row) => row.first_at),
		),
		at: { leads: null, events: null, letters: null, notifications: null },
		hasGrown: false,
	};
}

/** Random, so that nobody comes by one. */
export function withPseudonyms(known: Search['pseudonyms'], clickIds: readonly string[]): Search['pseudonyms'] {
	const fresh = clickIds.filter((id) => !known.some(([clickId]) => clickId === id));
	return [...known, ...fresh.map((id) => [id, `erased_${crypto.randomUUID().replaceAll('-', '').slice(0, 24)}`] as const)];
}

/** Whether the body of a processor's event tells the person: by a key under its name, an id of the processor's as a whole value, a click id or an address. */
export function tellsInBody(text: SQL, search: Search): SQL {
	return sql`(${hasOne(text, [...namedKeys(search.keys), ...idsOf(search)])} OR ${hasAddress(text, search.emails)})`;
}

/** The same of a message of a queue. A key is looked for, as a whole value, where nobody knows what the message was. */
export function tellsInLetter(text: SQL, isUnknown: SQL, search: Search): SQL {
	return sql`(${hasOne(text, idsOf(search))} OR ${hasAddress(text, search.emails)} OR (${isUnknown} AND ${hasOne(text, quoted(search.keys))}))`;
}

function idsOf({ pseudonyms, processorIds }: Search): string[] {
	return [...quoted(processorIds), ...pseudonyms.map(([clickId]) => clickId)];
}

function hasOne(text: SQL, words: readonly string[]): SQL {
	return sql`EXISTS (SELECT 1 FROM json_each(${JSON.stringify(words)}) AS word WHERE instr(${text}, word.value) > 0)`;
}

const [BEFORE, AFTER] = ['" <(:=/,;', '" >)&#,;\\'].map((marks) => JSON.stringify(Array.from(marks)));

/** Whether the text has one of the addresses, and not only as a part: `a@shop.example` ends `maria@shop.example`. */
function hasAddress(text: SQL, emails: readonly string[]): SQL {
	return sql`EXISTS (SELECT 1 FROM json_each(${JSON.stringify(emails)}) AS address
		WHERE instr(lower(${text}), address.value) > 0 AND EXISTS (
			SELECT 1 FROM json_each(${BEFORE}) AS b CROSS JOIN json_each(${AFTER}) AS a
			WHERE instr(lower(${text}), b.value || address.value || a.value) > 0))`;
}

/** The search with what the bodies of the person's payments call the payer: by these others are found. */
export function withPayers(search: Search, bodies: readonly { readonly payload: string }[]): Search {
	const found = distinct(bodies.flatMap(({ payload }) => payerIdsIn(JSON.parse(payload))));
	const [addresses, ids] = [found.filter((id) => id.includes('@')), found.filter((id) => !id.includes('@'))];
	return {
		...search,
		emails: distinct([...search.emails, ...addresses.map((address) => address.toLowerCase())]),
		processorIds: distinct([...search.processorIds, ...ids]),
	};
}

/** How much is looked for. */
export function sizeOf({ emails, processorIds, pseudonyms }: Search): number {
	return emails.length + processorIds.length + pseudonyms.length;
}
