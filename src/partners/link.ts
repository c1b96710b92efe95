import { and, desc, eq, lt, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { partnerPrograms, partners, referralLinks } from '../db/schema/partners.ts';
import { unindexed } from '../db/unindexed.ts';
import { membershipIdOf } from './membership-id.ts';
import type { PartnerLink } from './partner.ts';

export interface ProgramLink extends PartnerLink {
	/** Null once the partner's membership has ended. */
	readonly partnerId: number | null;
	readonly partnerName: string | null;
}

export interface LinkFilter {
	readonly linkId?: number;
	readonly shortLink?: string;
	readonly partnerId?: number | undefined;
	/** Ids below it only. */
	readonly before?: number | undefined;
}

/** The links of a program, newest first, as a statement for any batch. */
export function selectLinks(ctx: Context, programId: number, only: LinkFilter) {
	return ctx.db
		.select({
			id: referralLinks.id,
			partnerId: partnerPrograms.partnerId,
			partnerName: partners.name,
			shortLink: referralLinks.shortLink,
			destinationUrl: referralLinks.destinationUrl,
			archivedAt: referralLinks.archivedAt,
			createdAt: referralLinks.createdAt,
		})
		.from(referralLinks)
		.leftJoin(partnerPrograms, eq(partnerPrograms.id, referralLinks.partnerProgramId))
		.leftJoin(partners, eq(partners.id, partnerPrograms.partnerId))
		.where(
			and(
				isFoundOtherwise(only) ? unindexed(referralLinks.programId, programId) : eq(referralLinks.programId, programId),
				only.linkId === undefined ? undefined : eq(referralLinks.id, only.linkId),
				only.shortLink === undefined ? undefined : eq(referralLinks.shortLink, only.shortLink),
				only.partnerId === undefined ? undefined : sql`${referralLinks.partnerProgramId} = ${membershipIdOf(programId, only.partnerId)}`,
				only.before === undefined ? undefined : lt(referralLinks.id, only.before),
			),
		)
		.orderBy(desc(referralLinks.id));
}

function isFoundOtherwise({ linkId, shortLink, partnerId }: LinkFilter): boolean {
	return linkId !== undefined || shortLink !== undefined || partnerId !== undefined;
}
