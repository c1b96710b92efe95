import { type SQL, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import type { ClickJob } from '../job.ts';

// A click that was stored, counted and then erased (privacy/erase-customer.ts) has no id any more by which it is known when a queue
// delivers it again. What an erase remembers of its id is a keyed hash, and that its row was there. To hash all that come costs a third
// of what it takes to store them: it is done where the program has erased anybody.

/** Clicks by the keyed hashes of their ids: one for each secret. */
export type HashedClicks = ReadonlyMap<string, Pick<ClickJob, 'clickId' | 'programId'>>;

export async function hashClicks(ctx: Context, jobs: readonly ClickJob[]): Promise<HashedClicks> {
	const hashed = await Promise.all(
		jobs.map(async (job) => (await ctx.secrets.erasedHashes(job.clickId)).map((hash) => [hash, job] as const)),
	);
	return new Map(hashed.flat());
}

/** The hashes of those that were erased after they were stored. */
export function selectErased(hashed: HashedClicks): SQL {
	const asked = [...hashed].map(([hash, { programId }]) => [programId, hash]);
	return sql`
		SELECT e.hash AS hash FROM json_each(${JSON.stringify(asked)}) AS told
		CROSS JOIN erased_ids AS e ON e.program_id = told.value ->> 0 AND e.hash = told.value ->> 1 WHERE e.click_stored = 1`;
}

/** Those of the programs that have erased anybody. */
export function selectErasing(programIds: readonly number[]): SQL {
	return sql`
		SELECT told.value AS id FROM json_each(${JSON.stringify(programIds)}) AS told
		WHERE EXISTS (SELECT 1 FROM erased_ids WHERE program_id = told.value)`;
}
