import { type SQL, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { isStale, refusedWith, type Statement } from '../db/client.ts';
import { programsIn, withoutNames, withoutValues } from '../domain/people/erasure.ts';
import { listed } from './erased-rows.ts';
import { isOwnBody, type Search } from './search.ts';

// What a search has found of an erased person, where no index leads to it.

export interface FoundBody {
	readonly id: number;
	readonly state: string;
	readonly payload: string;
	readonly revision: number;
}

export interface FoundReference {
	readonly processor_id: string;
}

export interface FoundLead {
	readonly id: number;
	readonly click_id: string | null;
	/** Or of somebody else who came by the same click. */
	readonly is_own: number;
}

export interface FoundLetter {
	readonly id: number;
	/** Null: nobody knows what the message was. */
	readonly program_id: number | null;
	/** Or it only has their address. */
	readonly is_named: number;
	/** Null where it is about the person for certain. */
	readonly body: string | null;
}

export interface Found {
	readonly leads: readonly FoundLead[];
	readonly bindings: readonly FoundReference[];
	readonly bodies: readonly FoundBody[];
	readonly letters: readonly FoundLetter[];
	readonly notifications: readonly Numbered[];
}

interface Numbered {
	readonly id: number;
}

/** What is the person's, and what of others' has their names: as it was read, and what is left of it. */
export type SortedFound = ReturnType<typeof sortFound>;

export function sortFound(programId: number, found: Omit<Found, 'bindings'>, search: Search) {
	const [leads, othersLeads] = parted(found.leads, (lead) => lead.is_own === 1);
	const [bodies, othersBodies] = parted(found.bodies, ({ payload }) => isOwnBody(payload, search));
	const [letters, othersLetters] = parted(found.letters, (letter) => isOwn(programId, letter));
	return {
		leads,
		bodies,
		letters,
		notifications: found.notifications,
		othersLeads,
		othersBodies: othersBodies
			.map((body) => ({ ...body, left: withoutNames(body.payload, search) }))
			.filter(({ payload, left }) => left !== payload),
		othersLetters: othersLetters.flatMap(({ id, program_id: known, body }) => {
			if (body === null || (known === null && isOfAnother(programId, body))) return [];
			const unnamed = known === null ? withoutValues(body, [...search.keys, ...search.processorIds]) : body;
			return [{ id, body, left: withoutNames(unnamed, search) }];
		}),
	};
}

/** Of a message of nobody knows what only where it says that it is of the program: others' customers may have the same keys. */
function isOwn(programId: number, { is_named: isNamed, body }: FoundLetter): boolean {
	return body === null || (isNamed === 1 && programsIn(JSON.parse(body)).includes(programId));
}

function isOfAnother(programId: number, body: string): boolean {
	const programs = programsIn(JSON.parse(body));
	return programs.length > 0 && !programs.includes(programId);
}

/** What is the person's; what is somebody else's loses their names alone. */
export function eraseFound(ctx: Context, found: SortedFound): Statement[] {
	const of = (rows: readonly Numbered[], statement: (ids: SQL) => SQL) =>
		rows.length === 0 ? [] : [ctx.db.run(statement(listed(rows.map(({ id }) => id))))];
	return [
		...of(found.leads, (ids) => sql`UPDATE affiliate_lead_events SET click_id = NULL, customer_key = NULL WHERE id IN ${ids}`),
		...of(found.othersLeads, (ids) => sql`UPDATE affiliate_lead_events SET click_id = NULL WHERE id IN ${ids}`),
		...of(
			found.bodies,
			(ids) => sql`
				UPDATE processor_events SET payload = NULL, state = iif(settled_at IS NULL, 'refused', state),
					reason = iif(settled_at IS NULL, ${ERASED_REASON}, reason), next_attempt_at = NULL, settled_at = coalesce(settled_at, ${ctx.now}),
					revision = revision + 1
				WHERE id IN ${ids}`,
		),
		...of(found.bodies, (ids) => sql`DELETE FROM processor_event_waits WHERE processor_event_id IN ${ids}`),
		...of(found.letters, (ids) => sql`UPDATE dead_letters SET body = '"erased"' WHERE id IN ${ids}`),
		...of(found.notifications, (ids) => sql`UPDATE notifications SET detail = json_set(detail, '$.reason', NULL) WHERE id IN ${ids}`),
		// Of what was read: where another erase has written it since, this one looks again.
		...found.othersBodies.map(({ id, revision, left }) =>
			ctx.db.run(sql`
				UPDATE processor_events SET payload = ${left}, revision = ${revision + 1} WHERE id = ${id} AND payload IS NOT NULL`),
		),
		...found.othersLetters.map(({ id, body, left }) =>
			ctx.db.run(sql`UPDATE dead_letters SET body = iif(body = ${body}, ${left}, NULL) WHERE id = ${id}`),
		),
	];
}

/** Whether another one has written, between read and write, what this one found; a letter, which has no revision, refuses to be null. */
export function isOvertaken(error: unknown): boolean {
	return isStale(error) || refusedWith(error, 'NOT NULL constraint failed: dead_letters.body');
}

function parted<Row>(rows: readonly Row[], isFirst: (row: Row) => boolean): [Row[], Row[]] {
	return [rows.filter(isFirst), rows.filter((row) => !isFirst(row))];
}

const ERASED_REASON = 'Refused: its customer was erased';
