import { sql, type SQL } from 'drizzle-orm';
import type { Context } from '../context.ts';
import type { Statement } from '../db/client.ts';
import { allowedOrigins } from '../db/schema/programs.ts';

/** One parameter for all origins, because D1 allows only 100. */
export function insertOrigins(ctx: Context, programId: number | SQL<number>, origins: readonly string[]): Statement {
	return ctx.db
		.insert(allowedOrigins)
		.select(sql`SELECT ${programId}, value FROM json_each(${JSON.stringify([...new Set(origins)])}) WHERE true`);
}
