import { sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import type { Statement } from '../db/client.ts';
import { dayOf } from '../domain/calendar.ts';

export interface JoinedPartner {
	/** Of the partner-program. */
	readonly id: number;
	readonly createdAt: number;
}

/** Gives partner-programs the day on which they joined, in the zone; the daily rows follow (trigger). */
export function datePartners(ctx: Context, joined: readonly JoinedPartner[], timeZone: string): Statement[] {
	if (joined.length === 0) return [];
	const days = joined.map(({ id, createdAt }) => ({ id, day: dayOf(createdAt, timeZone) }));
	return [
		ctx.db.run(sql`
			UPDATE partner_programs SET created_day = value ->> 'day'
			FROM json_each(${JSON.stringify(days)}) WHERE partner_programs.id = value ->> 'id'`),
	];
}
