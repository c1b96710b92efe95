import { type SQL, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import type { ClickJob } from '../job.ts';

// An erased click may be delivered again, so the erasure keeps a keyed hash of its id. Hashing costs a third of storing a click, so only
// programs with erasures pay for it.

/** Clicks by the keyed hash of their id, one hash per secret. */
export type HashedClicks = ReadonlyMap<string, Pick<ClickJob, 'clickId' | 'programId'>>;

export async function hashClicks(ctx: Context, jobs: readonly ClickJob[]): Promise<HashedClicks> {
	const hashed = await Promise.all(
		jobs.map(async (job) => (await ctx.secrets.erasedHashes(job.clickId)).map((hash) => [hash, job] as const)),
	);
	return new Map(hashed.flat());
}

/** The hashes of clicks that were erased after they were stored. */
export function selectErased(hashed: HashedClicks): SQL {
	const pairs = [...hashed].map(([hash, { programId }]) => [programId, hash]);
	return sql`
		SELECT e.hash AS hash FROM json_each(${JSON.stringify(pairs)}) AS named
		CROSS JOIN erased_ids AS e ON e.program_id = named.value ->> 0 AND e.hash = named.value ->> 1 WHERE e.click_stored = 1`;
}

export function selectErasing(programIds: readonly number[]): SQL {
	return sql`
		SELECT named.value AS id FROM json_each(${JSON.stringify(programIds)}) AS named
		WHERE EXISTS (SELECT 1 FROM erased_ids WHERE program_id = named.value)`;
}
