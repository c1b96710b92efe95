import { sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { DAY_MS } from '../domain/calendar.ts';

const KEPT_MS = 30 * DAY_MS;

/** Deletes deliveries 30 days after they were settled, because they contain personal data. Returns how many. */
export async function purgeDeliveries({ db, now }: Context, limit: number): Promise<number> {
	const oldest = sql`SELECT id, settled_at FROM webhook_deliveries ORDER BY id LIMIT ${limit}`;
	const gone = await db.all(sql`
		DELETE FROM webhook_deliveries WHERE id IN (SELECT id FROM (${oldest}) WHERE settled_at <= ${now - KEPT_MS}) RETURNING id`);
	return gone.length;
}
