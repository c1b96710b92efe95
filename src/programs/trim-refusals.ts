import { lt, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { refusals } from '../db/schema/refusals.ts';
import { DAY_MS, HOUR_MS } from '../domain/calendar.ts';

export const REFUSAL_DAYS = 30;

/** Deletes old refusals, because they name customers. Reads only the oldest ids. Returns how many. */
export async function trimRefusals(ctx: Context, limit: number): Promise<number> {
	const oldest = sql`${refusals.id} IN (SELECT id FROM refusals ORDER BY id LIMIT ${limit})`;
	const hour = Math.floor((ctx.now - REFUSAL_DAYS * DAY_MS) / HOUR_MS);
	const gone = await ctx.db
		.delete(refusals)
		.where(sql`${oldest} AND ${lt(refusals.hour, hour)}`)
		.returning({ id: refusals.id });
	return gone.length;
}
