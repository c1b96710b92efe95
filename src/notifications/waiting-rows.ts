import { type SQL, sql } from 'drizzle-orm';
import type { Operand } from '../db/prepare.ts';
import { outbox } from '../db/schema/work.ts';
import { isWaiting, type OutboxKind } from '../tracking/outbox.ts';

/** Begins the SELECT of a statement that writes effects: what waits of a list of ids (JSON) is `waiting`, and looked up once. */
export function withWaiting(outboxIds: Operand<string>): SQL {
	return sql`WITH waiting AS MATERIALIZED (SELECT id, kind, subject_id FROM ${outbox} WHERE ${isWaiting(outboxIds)})`;
}

/** The rows of one kind among those, as `w`. */
export function waitingOf(kind: OutboxKind): SQL {
	return sql`(SELECT id, subject_id FROM waiting WHERE kind = ${kind}) w`;
}
