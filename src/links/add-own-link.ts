import { eq, sql } from 'drizzle-orm';
import { auditEntry } from '../accounts/audit.ts';
import type { PartnerMembership } from '../accounts/partner-membership.ts';
import type { Context } from '../context.ts';
import { refusedWith, write } from '../db/client.ts';
import { referralLinks } from '../db/schema/partners.ts';
import { conflict } from '../domain/rejection.ts';
import { searchTextOf } from '../domain/search-text.ts';
import type { PartnerLink } from '../partners/partner.ts';
import { withShortLink } from '../partners/short-link.ts';
import { ARCHIVED, MOST_LINKS, requireOwnPage, selectOwnLinks, SUSPENDED } from './own-link.ts';

/** Adds a link to a page of the program's domain. Rejects with 400, and with 409 above the limit or if the program is archived. */
export async function addOwnLink(ctx: Context, membership: PartnerMembership, destinationUrl: string): Promise<PartnerLink> {
	if (membership.program.archivedAt !== null) throw conflict(ARCHIVED);
	requireOwnPage(membership, destinationUrl);
	const { id, program, workspaceId, partner, actor } = membership;
	const own = sql`SELECT 1 FROM referral_links WHERE partner_program_id = ${id}`;
	try {
		const added = await withShortLink(ctx, undefined, async (shortLink) => {
			const { stored } = await write(
				ctx.db,
				[
					ctx.db.insert(referralLinks).values({
						programId: program.id,
						partnerProgramId: id,
						// NULL fails the batch above the limit, or if the partner is no longer active.
						shortLink: sql`(SELECT ${shortLink} WHERE (SELECT count(*) FROM (${own})) < ${MOST_LINKS})`,
						createdAt: sql`(SELECT ${ctx.now} FROM partner_programs WHERE id = ${id} AND status = 'active')`,
						destinationUrl,
						searchText: searchTextOf([shortLink]),
					}),
					auditEntry(ctx, actor, {
						workspaceId,
						programId: program.id,
						action: 'link.add',
						subjectId: sql<number>`(SELECT id FROM referral_links WHERE short_link = ${shortLink})`,
						detail: { partner_id: partner.id, short_link: shortLink, destination_url: destinationUrl },
					}),
				],
				{ stored: selectOwnLinks(ctx, membership, eq(referralLinks.shortLink, shortLink)) },
			);
			return stored[0];
		});
		if (!added) throw new Error('The link that was just added is missing');
		ctx.links.clear();
		return added;
	} catch (error) {
		if (refusedWith(error, 'NOT NULL constraint failed: referral_links.short_link'))
			throw conflict(`You have ${MOST_LINKS} links, including archived ones, which is the maximum`);
		throw refusedWith(error, 'NOT NULL constraint failed: referral_links.created_at') ? conflict(SUSPENDED) : error;
	}
}
