import { eq, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { newestFirst, readPage } from '../db/list.ts';
import { referralLinks } from '../db/schema/partners.ts';
import { pageOf, type PageRequest } from '../domain/page.ts';
import { countedOf, findByText, foundAround, type FoundPage, inOrderOf, type Searchable } from '../partners/find-by-text.ts';
import { type ProgramLink, selectLinks } from './link.ts';
import { membershipIdOf } from '../partners/membership-id.ts';

export interface LinksRequest extends PageRequest {
	readonly partnerId?: number | undefined;
	readonly search?: string | undefined;
}

const LINKS: Searchable = {
	table: 'referral_links',
	parts: 'link_parts',
	id: 'link_id',
	unfilled: (programId, isFound) => sql`
		SELECT l.id FROM referral_links l WHERE l.program_id = ${programId} AND l.search_text IS NULL AND ${isFound(sql`l.short_link`)}`,
};

/** Newest first, including archived links and those without a partner. A search lists the best match first. */
export async function listLinks(ctx: Context, program: { readonly id: number }, request: LinksRequest): Promise<FoundPage<ProgramLink>> {
	const { partnerId, search, limit } = request;
	if (search === undefined) {
		const isOfPartner = partnerId === undefined ? undefined : membershipIdOf(program.id, partnerId);
		const list = {
			order: newestFirst(referralLinks.id),
			where: isOfPartner ? sql`${referralLinks.partnerProgramId} = ${isOfPartner}` : eq(referralLinks.programId, program.id),
		};
		return readPage(ctx.db, list, request, (condition, most) => selectLinks(ctx, program.id, { partnerId, condition }).limit(most));
	}
	const found = await findByText(ctx, program.id, LINKS, search);
	const rows = await selectLinks(ctx, program.id, { partnerId, found: { ids: foundAround(found, request), limit: limit + 1 } });
	return {
		...pageOf(inOrderOf(found.ids, rows), request, countedOf(found, request, partnerId !== undefined)),
		isComplete: found.isComplete,
	};
}
