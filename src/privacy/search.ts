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

/** The search for an erased person's remaining data. Stored encrypted until it ends. */
export interface Search {
	readonly customerIds: readonly number[];
	readonly keys: readonly string[];
	readonly emails: readonly string[];
	readonly pseudonyms: readonly (readonly [clickId: string, pseudonym: string])[];
	/** Clicks whose first customer is somebody else. Rows that name only such a click belong to that customer. */
	readonly sharedClickIds: readonly string[];
	/** The processor's ids of the payer, subscriptions and payments. */
	readonly processorIds: readonly string[];
	/** The backend's own ids of the subscriptions and payments. */
	readonly ownIds: readonly string[];
	/** When the person was first recorded. */
	readonly since: number;
	/** The last row searched, by table; null before the first. */
	readonly at: Readonly<Record<'leads' | 'events' | 'letters' | 'notifications', number | null>>;
	/** Whether this round found new ids. */
	readonly hasGrown: boolean;
	/** Whether the new ids include a click. */
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

/** Random, so that nobody can guess a pseudonym. */
export function withPseudonyms(known: Search['pseudonyms'], clickIds: readonly string[]): Search['pseudonyms'] {
	const fresh = clickIds.filter((id) => !known.some(([clickId]) => clickId === id));
	return [...known, ...fresh.map((id) => [id, `erased_${crypto.randomUUID().replaceAll('-', '').slice(0, 24)}`] as const)];
}

/** Whether a body contains a name of the person. `isOwnBody` decides whether it is theirs. */
export function namesInBody(text: SQL, search: Search): SQL {
	return sql`(${hasOne(text, [...namedKeys(search.keys), ...namedIds(search.ownIds), ...idsOf(search)])} OR ${hasAddress(text, search.emails)})`;
}

/**
 * Keys in metadata and payment ids decide whose body it is. A payer id or click counts only without another key, because devices are
 * shared. Email addresses never count, because anybody can type them.
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

/** For messages whose program is known. */
export function isOwnDeadLetter(text: SQL, search: Search): SQL {
	return hasOne(text, idsOf(search));
}

/** For unreadable messages: also searches for keys as complete values. */
export function mayBeOwnDeadLetter(text: SQL, search: Search): SQL {
	return hasOne(text, [...idsOf(search), ...quoted(search.keys)]);
}

function idsOf({ pseudonyms, processorIds }: Search): string[] {
	return [...quoted(processorIds), ...pseudonyms.map(([clickId]) => clickId)];
}

/** A statement allows 100 parameters, so only few words get one each. With json_each, they would be read again for each text. */
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

/** Ignores an address that is part of another. */
export function hasAddress(text: SQL, emails: readonly string[]): SQL {
	if (emails.length === 0) return sql`false`;
	return sql`EXISTS (SELECT 1 FROM json_each(${JSON.stringify(emails)}) AS address
		WHERE instr(lower(${text}), address.value) > 0 AND EXISTS (
			SELECT 1 FROM json_each(${BEFORE}) AS b CROSS JOIN json_each(${AFTER}) AS a
			WHERE instr(lower(${text}), b.value || address.value || a.value) > 0))`;
}

/** The payer ids in the person's own bodies find further bodies. */
export function withPayers(search: Search, bodies: readonly { readonly payload: string }[]): Search {
	const own = bodies.filter(({ payload }) => isOwnBody(payload, search));
	const found = own.flatMap(({ payload }) => payerIdsIn(JSON.parse(payload)));
	return { ...search, processorIds: distinct([...search.processorIds, ...found]) };
}

export function grownFrom(before: Search, grown: Search): Search {
	const hasNewClicks = grown.pseudonyms.length > before.pseudonyms.length;
	const hasNewIds = grown.processorIds.length > before.processorIds.length;
	return { ...grown, hasGrown: before.hasGrown || hasNewClicks || hasNewIds, hasNewClicks: before.hasNewClicks || hasNewClicks };
}

/** The next round searches for new ids. Leads have no processor ids, so they are searched again only for new clicks. */
export function nextRound({ at, hasNewClicks, ...search }: Search): Search {
	return {
		...search,
		at: { ...at, leads: hasNewClicks ? null : at.leads, events: null, letters: null },
		hasGrown: false,
		hasNewClicks: false,
	};
}
