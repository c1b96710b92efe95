import { sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import type { Statement } from '../db/client.ts';
import { dayOf } from '../domain/calendar.ts';

export interface JoinedPartner {
	/** The partner-program's id. */
	readonly id: number;
	readonly createdAt: number;
}

/**
 * Sets the day on which partner-programs joined, in the program's time zone, and corrects the metrics. The batch itself reads the previous
 * day.
 */
export function datePartners(ctx: Context, programId: number, joined: readonly JoinedPartner[], timeZone: string): Statement[] {
	if (joined.length === 0) return [];
	const days = joined.map(({ id, createdAt }) => ({ id, day: dayOf(createdAt, timeZone) }));
	const misdated = sql`json_each(${JSON.stringify(days)}) AS dated JOIN partner_programs m ON m.id = dated.value ->> 'id'
		WHERE m.created_day IS NOT dated.value ->> 'day'`;
	return [
		ctx.db.run(sql`
			INSERT INTO outbox (program_id, id, kind, subject_id, moves, created_at)
			SELECT ${programId}, ${crypto.randomUUID()}, 'partners_dated', ${programId}, json_group_array(json_object('day', day, 'partners', partners)), ${ctx.now}
			FROM (
				SELECT m.created_day AS day, -1 AS partners FROM ${misdated} AND m.created_day IS NOT NULL
				UNION ALL SELECT dated.value ->> 'day', 1 FROM ${misdated}
			) HAVING count(*) > 0`),
		ctx.db.run(sql`
			UPDATE partner_programs SET created_day = value ->> 'day'
			FROM json_each(${JSON.stringify(days)}) WHERE partner_programs.id = value ->> 'id'`),
	];
}
