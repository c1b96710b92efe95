import type { PartnerMembership } from '../accounts/partner-membership.ts';
import type { Context } from '../context.ts';
import { type Page, pageOf, type PageRequest } from '../domain/page.ts';
import type { PartnerLink } from '../partners/partner.ts';
import { behindLink, selectOwnLinks } from './own-link.ts';

/** The partner's own links, newest first; archived ones too. One trip. */
export async function listOwnLinks(
	ctx: Context,
	membership: PartnerMembership,
	{ cursor, limit }: PageRequest,
): Promise<Page<PartnerLink>> {
	return pageOf(await selectOwnLinks(ctx, membership, behindLink(cursor)).limit(limit + 1), limit);
}
