import { and, asc, desc, eq, isNull, type SQL } from 'drizzle-orm';
import type { PartnerMembership } from '../accounts/partner-membership.ts';
import type { Context } from '../context.ts';
import { referralLinks } from '../db/schema/partners.ts';
import { isPageOf } from '../domain/attribution/own-domain.ts';
import { conflict, invalid } from '../domain/rejection.ts';

/** Per membership. */
export const MOST_LINKS = 100;

export const ARCHIVED = 'The program is archived and accepts no new links';

export const SUSPENDED = 'Your membership has changed: reload and try again';

const columns = {
	id: referralLinks.id,
	shortLink: referralLinks.shortLink,
	destinationUrl: referralLinks.destinationUrl,
	archivedAt: referralLinks.archivedAt,
	createdAt: referralLinks.createdAt,
};

type Owned = Pick<PartnerMembership, 'id'>;

/** A statement for any batch, newest first. */
export function selectOwnLinks(ctx: Context, { id }: Owned, condition?: SQL) {
	return ctx.db
		.select(columns)
		.from(referralLinks)
		.where(and(eq(referralLinks.partnerProgramId, id), condition))
		.orderBy(desc(referralLinks.id));
}

/** The first active link, which partners copy. */
export function selectDefaultLink(ctx: Context, { id }: Owned) {
	return ctx.db
		.select(columns)
		.from(referralLinks)
		.where(and(eq(referralLinks.partnerProgramId, id), isNull(referralLinks.archivedAt)))
		.orderBy(asc(referralLinks.id))
		.limit(1);
}

/** Rejects a page outside the program's domain with 400, or with 409 if there is no domain. */
export function requireOwnPage({ program }: PartnerMembership, destinationUrl: string): void {
	if (program.domain === null) throw conflict('The program has no domain yet. Ask the program to set one');
	if (!isPageOf(program.domain, destinationUrl)) throw invalid(`destination_url must be a page on ${program.domain}`);
}
