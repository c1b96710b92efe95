import { eq } from 'drizzle-orm';
import type { PartnerMembership } from '../accounts/partner-membership.ts';
import type { Context } from '../context.ts';
import { newestFirst, readPage } from '../db/list.ts';
import { referralLinks } from '../db/schema/partners.ts';
import type { Page, PageRequest } from '../domain/page.ts';
import type { PartnerLink } from '../partners/partner.ts';
import { selectOwnLinks } from './own-link.ts';

/** Newest first, including archived ones. One round trip. */
export async function listOwnLinks(ctx: Context, membership: PartnerMembership, request: PageRequest): Promise<Page<PartnerLink>> {
	const list = { order: newestFirst(referralLinks.id), where: eq(referralLinks.partnerProgramId, membership.id) };
	return readPage(ctx.db, list, request, (isOnPage, limit) => selectOwnLinks(ctx, membership, isOnPage).limit(limit));
}
