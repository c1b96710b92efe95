import { sql } from 'drizzle-orm';
import { auditProgram } from '../accounts/audit.ts';
import type { ManagedProgram } from '../accounts/membership.ts';
import type { Context } from '../context.ts';
import { refusedWith, write } from '../db/client.ts';
import { referralLinks } from '../db/schema/partners.ts';
import { conflict } from '../domain/rejection.ts';
import { searchTextOf } from '../domain/search-text.ts';
import { type ProgramLink, selectLinks } from './link.ts';
import { requirePartner } from '../partners/partner.ts';
import { withShortLink } from '../partners/short-link.ts';

export interface NewLink {
	readonly partnerId: number;
	readonly shortLink: string | undefined;
	readonly destinationUrl: string | undefined;
}

/** Rejects with 404 for an unknown partner, and with 409 for an ended membership or a short_link that is taken. */
export async function addLink(ctx: Context, program: ManagedProgram, link: NewLink): Promise<ProgramLink> {
	const partner = await requirePartner(ctx, program.id, link.partnerId);
	try {
		const added = await withShortLink(ctx, link.shortLink, async (shortLink) => {
			const { stored } = await write(
				ctx.db,
				[
					ctx.db.insert(referralLinks).values({
						programId: program.id,
						partnerProgramId: partner.partnerProgramId,
						shortLink,
						searchText: searchTextOf([shortLink]),
						destinationUrl: link.destinationUrl ?? null,
						// NULL fails the batch if the membership has ended.
						createdAt: sql`(SELECT ${ctx.now} FROM partner_programs WHERE id = ${partner.partnerProgramId} AND status <> 'ended')`,
					}),
					auditProgram(ctx, program, {
						action: 'link.add',
						subjectId: sql<number>`(SELECT id FROM referral_links WHERE short_link = ${shortLink})`,
						detail: { partner_id: link.partnerId, short_link: shortLink, destination_url: link.destinationUrl },
					}),
				],
				{ stored: selectLinks(ctx, program.id, { shortLink }) },
			);
			return stored[0];
		});
		if (!added) throw new Error('The link that was just added is missing');
		ctx.links.clear();
		return added;
	} catch (error) {
		throw refusedWith(error, 'NOT NULL constraint failed: referral_links.created_at')
			? conflict("The partner's membership has ended: add the partner again")
			: error;
	}
}
