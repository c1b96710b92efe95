import { and, eq, type SQL, sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import type { Context } from '../context.ts';
import { partnerGroups } from '../db/schema/groups.ts';
import { partnerPrograms, partners, referralLinks } from '../db/schema/partners.ts';
import { payoutDetails } from '../db/schema/payout-details.ts';
import { notFound } from '../domain/rejection.ts';
import { balancesOfPartner } from '../ledger/balances.ts';

/** A partner as a member of one program. */
export type Partner = Awaited<ReturnType<typeof selectPartners>>[number];

export type PartnerLink = z.output<typeof Links>[number];

const Links = z.array(
	z.object({
		id: z.number(),
		shortLink: z.string(),
		destinationUrl: z.nullable(z.string()),
		archivedAt: z.nullable(z.number()),
		createdAt: z.number(),
	}),
);

const linksOfPartner = sql<PartnerLink[]>`(
	SELECT json_group_array(json_object('id', ${referralLinks.id}, 'shortLink', ${referralLinks.shortLink},
		'destinationUrl', ${referralLinks.destinationUrl}, 'archivedAt', ${referralLinks.archivedAt}, 'createdAt', ${referralLinks.createdAt})
		ORDER BY ${referralLinks.id})
	FROM ${referralLinks} WHERE ${referralLinks.partnerProgramId} = ${partnerPrograms.id}
)`.mapWith((json: string) => Links.parse(JSON.parse(json)));

export function selectPartners(ctx: Context, programId: number, only: { partnerId?: number; email?: string }) {
	return selectPartnersWhere(
		ctx,
		and(
			eq(partnerPrograms.programId, programId),
			only.partnerId === undefined ? undefined : eq(partnerPrograms.partnerId, only.partnerId),
			only.email === undefined ? undefined : eq(partners.email, only.email),
		),
	);
}

export function selectPartnersWhere(ctx: Context, condition: SQL | undefined) {
	return ctx.db
		.select({
			id: partners.id,
			partnerProgramId: partnerPrograms.id,
			name: partners.name,
			email: partners.email,
			/** Who accepted the invitation. */
			userId: partners.userId,
			status: partnerPrograms.status,
			statusReason: partnerPrograms.statusReason,
			group: { id: partnerGroups.id, name: partnerGroups.name },
			/** In this program only, by currency. */
			balances: balancesOfPartner(ctx.now),
			links: linksOfPartner,
			/** Masked. */
			payoutDetails: { method: payoutDetails.method, summary: payoutDetails.summary, changedAt: payoutDetails.changedAt },
			/** When they were last asked for them by email. */
			detailsAskedAt: partners.detailsAskedAt,
			/** When the partner joined the program. */
			createdAt: partnerPrograms.createdAt,
		})
		.from(partnerPrograms)
		.innerJoin(partners, eq(partners.id, partnerPrograms.partnerId))
		.leftJoin(partnerGroups, eq(partnerGroups.id, partnerPrograms.groupId))
		.leftJoin(payoutDetails, eq(payoutDetails.partnerId, partnerPrograms.partnerId))
		.where(condition);
}

/** Rejects with 404. */
export async function requirePartner(ctx: Context, programId: number, partnerId: number): Promise<Partner> {
	const [partner] = await selectPartners(ctx, programId, { partnerId });
	if (!partner) throw notFound('Partner');
	return partner;
}
