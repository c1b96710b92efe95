import { type SQL, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { read } from '../db/client.ts';
import { type Search, namesInBody } from './search.ts';

/** Per response, because a Worker has 128 MB. */
const BODY_BYTES = 8 * 1024 * 1024;
const BODIES = 500;
/** Limits a round trip, because sales wait for it. */
const LOOKED_THROUGH = 5_000;

export interface Body {
	readonly id: number;
	readonly event_id: string;
	readonly type: string;
	readonly received_at: number;
	readonly state: string;
	readonly payload: string;
}

/**
 * Event bodies that name the person, oldest first, as many as fit into a response. No index covers them, so each round trip searches some
 * thousand bodies.
 */
export async function readBodies(ctx: Context, programId: number, search: Search): Promise<readonly Body[]> {
	const bodies: Body[] = [];
	let [after, bytes]: [number | null, number] = [0, 0];
	while (after !== null && bodies.length < BODIES && bytes < BODY_BYTES) {
		const found: { bodies: readonly Body[]; end: readonly { id: number }[] } = await read(ctx.db, {
			bodies: ctx.db.all<Body>(selectBodies(programId, search, { after, bytes })),
			end: ctx.db.all<{ id: number }>(sql`
				SELECT id FROM ${eventsAfter(programId, after)} ORDER BY id LIMIT 1 OFFSET ${LOOKED_THROUGH - 1}`),
		});
		bodies.push(...found.bodies);
		bytes += found.bodies.reduce((sum, { payload }) => sum + payload.length, 0);
		after = found.end[0]?.id ?? null;
	}
	return bodies.slice(0, BODIES);
}

function eventsAfter(programId: number, after: number): SQL {
	return sql`processor_events INDEXED BY processor_events_by_program WHERE program_id = ${programId} AND id > ${after}`;
}

function selectBodies(programId: number, search: Search, { after, bytes }: { readonly after: number; readonly bytes: number }): SQL {
	return sql`
		SELECT id, event_id, type, received_at, state, payload FROM (
			SELECT *, sum(octet_length(payload)) OVER (ORDER BY id) AS bytes
			FROM (SELECT * FROM ${eventsAfter(programId, after)} ORDER BY id LIMIT ${LOOKED_THROUGH})
			WHERE payload IS NOT NULL AND ${namesInBody(sql`payload`, search)}
		) WHERE bytes <= ${BODY_BYTES - bytes} ORDER BY id LIMIT ${BODIES}`;
}
