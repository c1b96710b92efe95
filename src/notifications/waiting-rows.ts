import { type SQL, sql } from 'drizzle-orm';
import type { Operand } from '../db/prepare.ts';
import type { outbox } from '../db/schema/work.ts';
import { keyed } from '../reporting/waiting-moves.ts';

/** Begins the SELECT of a statement that writes effects: what waits of a list of keys (JSON) is `waiting`, and looked up once. */
export function withWaiting(keys: Operand<string>): SQL {
	return sql`WITH waiting AS MATERIALIZED (SELECT o.id, o.kind, o.subject_id FROM ${keyed(keys)})`;
}

/** The rows of one kind among those, as `w`. */
export function waitingOf(kind: (typeof outbox.$inferSelect)['kind']): SQL {
	return sql`(SELECT id, subject_id FROM waiting WHERE kind = ${kind}) w`;
}
