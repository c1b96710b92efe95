import { rewriteClickFile, type RetiredClick } from '../clicks/click-files.ts';
import { filesOf, mayBeRetired } from '../clicks/find-retired-clicks.ts';
import type { Context } from '../context.ts';
import { type Statement } from '../db/client.ts';
import { sql } from 'drizzle-orm';
import type { Search } from './search.ts';

/**
 * Erases a person's clicks in the files of retired clicks, as eraseClicks does in the table. Safe to repeat. Returns the statements that
 * keep such a click from being counted again, for the caller's batch. Fails if the files exist but their bucket is no longer bound.
 */
export async function eraseRetiredClicks(ctx: Context, programId: number, pseudonyms: Search['pseudonyms']): Promise<Statement[]> {
	const old = pseudonyms.filter(([clickId]) => mayBeRetired(ctx, clickId));
	if (old.length === 0) return [];
	if (!ctx.clickFiles) {
		await refuseWithoutBucket(ctx, programId);
		return [];
	}
	const pseudonymOf = new Map(old);
	const erased: string[] = [];
	for (const { file, ids } of await filesOf(ctx, programId, [...pseudonymOf.keys()])) {
		await rewriteClickFile(ctx.clickFiles, file.key, (click) => {
			const pseudonym = ids.has(click.clickId) ? pseudonymOf.get(click.clickId) : undefined;
			if (pseudonym === undefined) return click;
			erased.push(click.clickId);
			return withoutPerson(click, pseudonym);
		});
	}
	return markStored(ctx, programId, erased);
}

async function refuseWithoutBucket({ db }: Context, programId: number): Promise<void> {
	const [file] = await db.all(sql`SELECT 1 FROM retired_click_days WHERE program_id = ${programId} AND files > 0 LIMIT 1`);
	if (file) throw new Error('Clicks are in files, but no bucket is bound as CLICK_FILES');
}

/** Keeps what reports count. */
function withoutPerson(click: RetiredClick, pseudonym: string): RetiredClick {
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
	return { ...click, ...empty, clickId: pseudonym };
}

async function markStored(ctx: Context, programId: number, clickIds: readonly string[]): Promise<Statement[]> {
	if (clickIds.length === 0) return [];
	const hashes = (await Promise.all(clickIds.map((id) => ctx.secrets.erasedHashes(id)))).flat();
	return [
		ctx.db.run(sql`
			UPDATE erased_ids SET click_stored = 1 WHERE program_id = ${programId} AND click_stored = 0
				AND hash IN (SELECT value FROM json_each(${JSON.stringify(hashes)}))`),
	];
}
