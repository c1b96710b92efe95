import { sql, type SQL } from 'drizzle-orm';
import type { Context } from '../context.ts';
import type { Statement } from '../db/client.ts';
import type { Tables } from './delivery-channel.ts';

// A requested delivery is sent before waiting ones, even to a failing receiver.

export function firstOfAll({ now }: Context, { deliveries, receiverId }: Tables, id: number): SQL<number> {
	const oldest = sql`SELECT min(next_attempt_at) - 1 FROM ${deliveries} WHERE ${receiverId} = ${id} AND state = 'pending'`;
	return sql<number>`min(${now}, coalesce((${oldest}), ${now}))`;
}

export function endRest(ctx: Context, { receivers }: Tables, id: number): Statement {
	return ctx.db.run(sql`UPDATE ${receivers} SET rests_until = NULL WHERE id = ${id} AND rests_until IS NOT NULL`);
}
