import { type SQL, sql } from 'drizzle-orm';
import type { Operand } from '../db/prepare.ts';
import type { outbox } from '../db/schema/work.ts';
import { keyed } from '../reporting/waiting-moves.ts';

/** Begins the SELECT of a statement that writes effects: what waits of a list of keys (JSON) is `waiting`, and looked up once. */
export function withWaiting(keys: Operand<string>): SQL {
	return sql`WITH waiting AS MATERIALIZED (SELECT o.id, o.kind, o.subject_id FROM ${keyed(keys)})`;
}

/** The rows of some kinds among those, as `w`. */
export function waitingOf(...kinds: readonly (typeof outbox.$inferSelect)['kind'][]): SQL {
	return sql.raw(`(SELECT id, kind, subject_id FROM waiting WHERE kind IN (${kinds.map((kind) => `'${kind}'`).join(', ')})) w`);
}
