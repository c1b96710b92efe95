import { type SQL, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import type { Statement } from '../db/client.ts';
import { withoutNames } from '../domain/erasure.ts';
import { listed } from './erased-rows.ts';
import { isOwnBody, type Search } from './search.ts';

// What a search has found of an erased person, where no index leads to it.

export interface FoundBody {
	readonly id: number;
	readonly state: string;
	readonly payload: string;
	readonly revision: number;
}

export interface FoundBinding {
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
	/** Null: it is about the person; else it only has their address. */
	readonly body: string | null;
}

export interface Found {
	readonly leads: readonly FoundLead[];
	readonly bindings: readonly FoundBinding[];
	readonly bodies: readonly FoundBody[];
	readonly letters: readonly FoundLetter[];
	readonly notifications: readonly { readonly id: number }[];
}

/** What is the person's; what is somebody else's loses their names alone. */
export function eraseFound(ctx: Context, found: Omit<Found, 'bindings'>, search: Search): Statement[] {
	const [leads, othersLeads] = parted(found.leads, (lead) => lead.is_own === 1);
	const [bodies, othersBodies] = parted(found.bodies, ({ payload }) => isOwnBody(payload, search));
	const [letters, othersLetters] = parted(found.letters, ({ body }) => body === null);
	const of = (rows: readonly { readonly id: number }[], statement: (ids: SQL) => SQL) =>
		rows.length === 0 ? [] : [ctx.db.run(statement(listed(rows.map(({ id }) => id))))];
	return [
		...of(leads, (ids) => sql`UPDATE affiliate_lead_events SET click_id = NULL, customer_key = NULL WHERE id IN ${ids}`),
		...of(othersLeads, (ids) => sql`UPDATE affiliate_lead_events SET click_id = NULL WHERE id IN ${ids}`),
		...of(
			bodies,
			(ids) => sql`
				UPDATE processor_events SET payload = NULL, state = iif(settled_at IS NULL, 'refused', state),
					reason = iif(settled_at IS NULL, ${ERASED_REASON}, reason), next_attempt_at = NULL, settled_at = coalesce(settled_at, ${ctx.now}),
					revision = revision + 1
				WHERE id IN ${ids}`,
		),
		...of(bodies, (ids) => sql`DELETE FROM processor_event_waits WHERE processor_event_id IN ${ids}`),
		...of(letters, (ids) => sql`UPDATE dead_letters SET body = '"erased"' WHERE id IN ${ids}`),
		...of(found.notifications, (ids) => sql`UPDATE notifications SET detail = json_set(detail, '$.reason', NULL) WHERE id IN ${ids}`),
		// Of what was read: where another erase has written it since, this one looks again.
		...othersBodies
			.map((body) => ({ ...body, left: withoutNames(body.payload, search) }))
			.filter(({ payload, left }) => left !== payload)
			.map(({ id, revision, left }) =>
				ctx.db.run(sql`
					UPDATE processor_events SET payload = ${left}, revision = ${revision + 1} WHERE id = ${id} AND payload IS NOT NULL`),
			),
		...othersLetters.map(({ id, body }) =>
			ctx.db.run(sql`UPDATE dead_letters SET body = ${withoutNames(body ?? '', search)} WHERE id = ${id}`),
		),
	];
}

function parted<Row>(rows: readonly Row[], isFirst: (row: Row) => boolean): [Row[], Row[]] {
	return [rows.filter(isFirst), rows.filter((row) => !isFirst(row))];
}

const ERASED_REASON = 'Refused: its customer was erased';
