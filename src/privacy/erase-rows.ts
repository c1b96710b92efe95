import { type SQL, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { isStale, refusedWith, type Statement } from '../db/client.ts';
import { programsIn, withoutNames, withoutValues } from '../domain/people/erasure.ts';
import { listed } from './erased-rows.ts';
import { isOwnBody, type Search } from './search.ts';

// No index covers these rows of an erased person.

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
	/** 0 if another person shares the click. */
	readonly is_own: number;
}

export interface FoundDeadLetter {
	readonly id: number;
	/** Null if the message could not be read. */
	readonly program_id: number | null;
	/** 0 if it contains only the person's email address. */
	readonly is_named: number;
	/** Null if it certainly concerns the person. */
	readonly body: string | null;
}

export interface Found {
	readonly leads: readonly FoundLead[];
	readonly bindings: readonly FoundReference[];
	readonly bodies: readonly FoundBody[];
	readonly deadLetters: readonly FoundDeadLetter[];
	readonly notifications: readonly Numbered[];
}

interface Numbered {
	readonly id: number;
}

/** The person's own rows, and rows of others that only name the person. */
export type SortedFound = ReturnType<typeof sortFound>;

export function sortFound(programId: number, found: Omit<Found, 'bindings'>, search: Search) {
	const [leads, othersLeads] = parted(found.leads, (lead) => lead.is_own === 1);
	const [bodies, othersBodies] = parted(found.bodies, ({ payload }) => isOwnBody(payload, search));
	const [deadLetters, othersDeadLetters] = parted(found.deadLetters, (deadLetter) => isOwn(programId, deadLetter));
	return {
		leads,
		bodies,
		deadLetters,
		notifications: found.notifications,
		othersLeads,
		othersBodies: othersBodies
			.map((body) => ({ ...body, left: withoutNames(body.payload, search) }))
			.filter(({ payload, left }) => left !== payload),
		othersDeadLetters: othersDeadLetters.flatMap(({ id, program_id: known, body }) => {
			if (body === null || (known === null && isOfAnother(programId, body))) return [];
			const unnamed = known === null ? withoutValues(body, [...search.keys, ...search.processorIds]) : body;
			return [{ id, body, left: withoutNames(unnamed, search) }];
		}),
	};
}

/** An unreadable message belongs to the person only if it names the program, because customers of other programs may have the same keys. */
function isOwn(programId: number, { is_named: isNamed, body }: FoundDeadLetter): boolean {
	return body === null || (isNamed === 1 && programsIn(JSON.parse(body)).includes(programId));
}

function isOfAnother(programId: number, body: string): boolean {
	const programs = programsIn(JSON.parse(body));
	return programs.length > 0 && !programs.includes(programId);
}

/** In rows of others, erases only the person's names. */
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
		...of(found.deadLetters, (ids) => sql`UPDATE dead_letters SET body = '"erased"' WHERE id IN ${ids}`),
		...of(found.notifications, (ids) => sql`UPDATE notifications SET detail = json_set(detail, '$.reason', NULL) WHERE id IN ${ids}`),
		// If another erasure has changed the row, the revision makes the batch fail, and the search repeats.
		...found.othersBodies.map(({ id, revision, left }) =>
			ctx.db.run(sql`
				UPDATE processor_events SET payload = ${left}, revision = ${revision + 1} WHERE id = ${id} AND payload IS NOT NULL`),
		),
		...found.othersDeadLetters.map(({ id, body, left }) =>
			ctx.db.run(sql`UPDATE dead_letters SET body = iif(body = ${body}, ${left}, NULL) WHERE id = ${id}`),
		),
	];
}

/** Whether another erasure changed a row since the read. Dead letters have no revision, so NULL violates their constraint instead. */
export function isOvertaken(error: unknown): boolean {
	return isStale(error) || refusedWith(error, 'NOT NULL constraint failed: dead_letters.body');
}

function parted<Row>(rows: readonly Row[], isFirst: (row: Row) => boolean): [Row[], Row[]] {
	return [rows.filter(isFirst), rows.filter((row) => !isFirst(row))];
}

const ERASED_REASON = 'Refused: its customer was erased';
