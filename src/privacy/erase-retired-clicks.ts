import { sql } from 'drizzle-orm';
import { readClickFile, rewriteClickFile, type RetiredClick } from '../clicks/click-files.ts';
import { filesOf, requireClickFiles } from '../clicks/find-retired-clicks.ts';
import type { Context } from '../context.ts';
import { write } from '../db/client.ts';
import { rememberErased } from './erased-rows.ts';
import type { Search } from './search.ts';

/**
 * Erases a person's clicks in files, as eraseClicks does in the table. Safe to repeat. Fails if the program has files but no bucket is
 * bound.
 */
export async function eraseRetiredClicks(ctx: Context, programId: number, pseudonyms: Search['pseudonyms']): Promise<void> {
	const pseudonymOf = new Map(pseudonyms);
	for (const { file, ids } of await filesOf(ctx, programId, [...pseudonymOf.keys()])) {
		const bucket = requireClickFiles(ctx);
		const stored = ((await readClickFile(bucket, file.key)) ?? []).filter(({ clickId }) => ids.has(clickId));
		if (stored.length === 0) continue;
		// This precedes the change of the file, because a click that is delivered again must be found in the file or in the note.
		await noteStored(
			ctx,
			programId,
			stored.map(({ clickId }) => clickId),
		);
		const hashOf = new Map(await Promise.all([...ids].map(async (id) => [id, (await ctx.secrets.erasedHashes(id))[0]] as const)));
		await rewriteClickFile(bucket, file.key, (click) => {
			const [clickId, erasedHash] = [pseudonymOf.get(click.clickId), hashOf.get(click.clickId)];
			return clickId === undefined || erasedHash === undefined ? click : withoutPerson(click, { clickId, erasedHash });
		});
	}
}

/** Keeps what reports count. */
function withoutPerson(click: RetiredClick, erased: Required<Pick<RetiredClick, 'clickId' | 'erasedHash'>>): RetiredClick {
	const empty = {
		pageUrl: null,
		pageTitle: null,
		referrerUrl: null,
		sessionId: null,
		userAgent: null,
		language: null,
		timezone: null,
		subId: null,
	};
	return { ...click, ...empty, ...erased };
}

/** Keeps erased clicks from being counted again. */
async function noteStored(ctx: Context, programId: number, clickIds: readonly string[]): Promise<void> {
	const hashes = (await Promise.all(clickIds.map((id) => ctx.secrets.erasedHashes(id)))).flat();
	await write(ctx.db, [
		...(await rememberErased(ctx, programId, clickIds)),
		ctx.db.run(sql`
			UPDATE erased_ids SET click_stored = 1 WHERE program_id = ${programId} AND click_stored = 0
				AND hash IN (SELECT value FROM json_each(${JSON.stringify(hashes)}))`),
	]);
}
