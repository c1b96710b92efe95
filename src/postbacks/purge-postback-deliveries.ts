import { sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { DAY_MS } from '../domain/calendar.ts';

const KEPT_DAYS = 30;

/** Returns how many. */
export async function purgePostbackDeliveries(ctx: Context, limit: number): Promise<number> {
	const gone = await ctx.db.all(sql`
		DELETE FROM postback_deliveries WHERE id IN (SELECT id FROM postback_deliveries ORDER BY id LIMIT ${limit})
			AND created_at < ${ctx.now - KEPT_DAYS * DAY_MS} AND state <> 'pending' RETURNING id`);
	return gone.length;
}
