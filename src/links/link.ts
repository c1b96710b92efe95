import { and, desc, eq, type SQL, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { partnerPrograms, partners, referralLinks } from '../db/schema/partners.ts';
import { unindexed } from '../db/unindexed.ts';
import { type FoundRows, isOnPage } from '../partners/find-by-text.ts';
import { membershipIdOf } from '../partners/membership-id.ts';
import type { PartnerLink } from '../partners/partner.ts';

export interface ProgramLink extends PartnerLink {
	/** Null if the partner's membership has ended. */
	readonly partnerId: number | null;
	readonly partnerName: string | null;
}

export interface LinkFilter {
	readonly linkId?: number;
	readonly shortLink?: string;
	readonly partnerId?: number | undefined;
	readonly condition?: SQL | undefined;
	readonly found?: FoundRows;
}

/** A statement for any batch, newest first. */
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
		.where(only.found ? isOnPage('referral_links', only.found, and(...conditions(programId, only))) : and(...conditions(programId, only)))
		.orderBy(desc(referralLinks.id));
}

function conditions(programId: number, { linkId, shortLink, partnerId, condition, found }: LinkFilter): (SQL | undefined)[] {
	const isFoundOtherwise = [linkId, shortLink, partnerId, found].some((key) => key !== undefined);
	return [
		isFoundOtherwise ? unindexed(referralLinks.programId, programId) : eq(referralLinks.programId, programId),
		linkId === undefined ? undefined : eq(referralLinks.id, linkId),
		shortLink === undefined ? undefined : eq(referralLinks.shortLink, shortLink),
		partnerId === undefined ? undefined : sql`${referralLinks.partnerProgramId} = ${membershipIdOf(programId, partnerId)}`,
		condition,
	];
}
