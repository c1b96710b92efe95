import { type SQL, sql } from 'drizzle-orm';
import type { ManagedProgram } from '../accounts/membership.ts';
import type { Context } from '../context.ts';
import { read } from '../db/client.ts';
import { addDays, dayOf, startOfDay } from '../domain/calendar.ts';
import { type DayNote, dayNotesOf, NOTED_ACTIONS, type NotedEntry } from '../domain/reporting/day-notes.ts';
import { type RangeQuery, rangeOf } from '../domain/reporting/report-range.ts';

/** The newest of each action. The log's index does not name the program, so entries of other programs count too. */
const ENTRIES_OF_ACTION = 300;

/** Concurrent requests make ids deviate from time order, but never by more than this. */
const OVERTAKEN = 1_000;

export interface DayNotes {
	readonly notes: readonly DayNote[];
	/** False if the range has more entries than are read. */
	readonly isComplete: boolean;
}

/** The days on which a rule changed or payouts were made (decision 70), from the audit log. Rejects with 400 for an invalid range. */
export async function readDayNotes(
	ctx: Context,
	program: Pick<ManagedProgram, 'id' | 'workspaceId' | 'timeZone'>,
	range: RangeQuery,
): Promise<DayNotes> {
	const { id, workspaceId, timeZone } = program;
	const { first, last } = rangeOf(range, dayOf(ctx.now, timeZone), '1970-01-01', timeZone);
	const [from, to] = [startOfDay(first, timeZone), startOfDay(addDays(last, 1), timeZone)];
	const ends = {
		first: sql`(SELECT id FROM audit_entries INDEXED BY audit_entries_by_time WHERE workspace_id = ${workspaceId} AND at >= ${from} ORDER BY at LIMIT 1)`,
		last: sql`(SELECT id FROM audit_entries INDEXED BY audit_entries_by_time WHERE workspace_id = ${workspaceId} AND at < ${to} ORDER BY at DESC LIMIT 1)`,
	};
	const actions = Object.keys(NOTED_ACTIONS);
	const newest = actions.map(
		(action): SQL => sql`SELECT * FROM (
			SELECT at, action, program_id FROM audit_entries INDEXED BY audit_entries_by_action
			WHERE workspace_id = ${workspaceId} AND action = ${action}
				AND id BETWEEN ${ends.first} - ${OVERTAKEN} AND ${ends.last} + ${OVERTAKEN}
			ORDER BY id DESC LIMIT ${ENTRIES_OF_ACTION})`,
	);
	const { entries } = await read(ctx.db, {
		entries: ctx.db.all<NotedEntry & { programId: number | null }>(
			sql`SELECT at, action, program_id AS "programId" FROM (${sql.join(newest, sql` UNION ALL `)})`,
		),
	});
	const ofAction = Map.groupBy(entries, ({ action }) => action);
	const own = entries.filter(({ programId, at }) => programId === id && at >= from && at < to);
	return {
		notes: dayNotesOf(own, timeZone),
		isComplete: [...ofAction.values()].every(({ length }) => length < ENTRIES_OF_ACTION),
	};
}
