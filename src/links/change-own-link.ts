import { and, eq, sql } from 'drizzle-orm';
import { auditEntry } from '../accounts/audit.ts';
import type { PartnerMembership } from '../accounts/partner-membership.ts';
import type { Context } from '../context.ts';
import { refusedWith, write } from '../db/client.ts';
import { referralLinks } from '../db/schema/partners.ts';
import { conflict, notFound } from '../domain/rejection.ts';
import type { PartnerLink } from '../partners/partner.ts';
import { requireOwnPage, selectOwnLinks, SUSPENDED } from './own-link.ts';

/** Null leads to the front page. Only the program can restore an archived link. */
export type OwnLinkChange = { readonly destinationUrl: string | null } | { readonly archived: true };

/** Rejects with 404 for another partner's link, 400 for a page on another domain, and 409 for the destination of an archived link. */
export async function changeOwnLink(
	ctx: Context,
	membership: PartnerMembership,
	linkId: number,
	change: OwnLinkChange,
): Promise<PartnerLink> {
	const { id, program, workspaceId, partner, actor } = membership;
	const isIt = eq(referralLinks.id, linkId);
	const [link] = await selectOwnLinks(ctx, membership, isIt);
	if (!link) throw notFound('Link');
	if ('archived' in change && link.archivedAt !== null) return link;
	if ('destinationUrl' in change) {
		if (change.destinationUrl !== null) requireOwnPage(membership, change.destinationUrl);
		if (link.archivedAt !== null) throw conflict('The link is archived and no longer works');
	}
	const [set, detail] =
		'archived' in change
			? [{ archivedAt: sql`coalesce(${referralLinks.archivedAt}, ${ctx.now})` }, { archived: true }]
			: [change, { destination_url: change.destinationUrl }];
	// NULL fails the batch if the partner is no longer active.
	const createdAt = sql`iif((SELECT status FROM partner_programs WHERE id = ${id}) = 'active', ${referralLinks.createdAt}, NULL)`;
	const { changed } = await write(
		ctx.db,
		[
			ctx.db
				.update(referralLinks)
				.set({ ...set, createdAt })
				.where(and(isIt, eq(referralLinks.partnerProgramId, id))),
			auditEntry(ctx, actor, {
				workspaceId,
				programId: program.id,
				action: 'link.change',
				subjectId: linkId,
				detail: { partner_id: partner.id, ...detail },
			}),
		],
		{ changed: selectOwnLinks(ctx, membership, isIt) },
	).catch((error: unknown) => {
		throw refusedWith(error, 'NOT NULL constraint failed: referral_links.created_at') ? conflict(SUSPENDED) : error;
	});
	ctx.links.clear();
	return changed[0] ?? link;
}
