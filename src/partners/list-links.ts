import { sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { pageOf, type PageRequest } from '../domain/page.ts';
import { findByText, foundBehind, type FoundPage, inOrderOf, type Searchable } from './find-by-text.ts';
import { type ProgramLink, selectLinks } from './link.ts';

export interface LinksRequest extends PageRequest {
	readonly partnerId?: number | undefined;
	/** A part of the short_link. */
	readonly search?: string | undefined;
}

const LINKS: Searchable = {
	table: 'referral_links',
	parts: 'link_parts',
	id: 'link_id',
	unfilled: (programId, isFound) => sql`
		SELECT l.id FROM referral_links l WHERE l.program_id = ${programId} AND l.search_text IS NULL AND ${isFound(sql`l.short_link`)}`,
};

/**
 * The links of a program, or of one of its partners, newest first; archived ones and those without partner too. Of a search the best
 * match comes first.
 */
export async function listLinks(
	ctx: Context,
	program: { readonly id: number },
	{ partnerId, search, cursor, limit }: LinksRequest,
): Promise<FoundPage<ProgramLink>> {
	if (search === undefined) return pageOf(await selectLinks(ctx, program.id, { partnerId, before: cursor }).limit(limit + 1), limit);
	const found = await findByText(ctx, program.id, LINKS, search);
	const behind = foundBehind(found, cursor);
	const rows = await selectLinks(ctx, program.id, { partnerId, found: { ids: behind, limit: limit + 1 } });
	return { ...pageOf(inOrderOf(behind, rows), limit), isComplete: found.isComplete };
}
