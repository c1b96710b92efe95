import { eq, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { partnerPrograms, referralLinks } from '../db/schema/partners.ts';
import { allowedOrigins, programs } from '../db/schema/programs.ts';
import { SECOND_MS } from '../domain/calendar.ts';
import { Rejection } from '../domain/rejection.ts';
import type { TrackedLink } from '../domain/tracked-link.ts';
import { recall, remember } from '../isolate-cache.ts';
import { parseOrigins } from './program-of-link.ts';

const FRESH_MS = 30 * SECOND_MS;

/**
 * The link behind an `aff` value: no trip to D1 while it is fresh in the isolate, one otherwise. Rejects links that do
 * not exist, are archived or whose partner is not active, and links without partner or program (decision 10).
 */
export async function requireLink(ctx: Context, shortLink: string): Promise<TrackedLink> {
	const known = recall(ctx.links, shortLink, ctx.now);
	if (known) return known;
	const link = await readLink(ctx, shortLink);
	remember(ctx.links, shortLink, link, ctx.now + FRESH_MS);
	return link;
}

async function readLink(ctx: Context, shortLink: string): Promise<TrackedLink> {
	const [row] = await ctx.db
		.select({
			id: referralLinks.id,
			destinationUrl: referralLinks.destinationUrl,
			archivedAt: referralLinks.archivedAt,
			partnerStatus: partnerPrograms.status,
			programId: programs.id,
			active: programs.active,
			domain: programs.domain,
			cookieWindowDays: programs.cookieWindowDays,
			timeZone: programs.timeZone,
			origins:
				sql<string>`(SELECT json_group_array(${allowedOrigins.origin}) FROM ${allowedOrigins} WHERE ${allowedOrigins.programId} = ${programs.id})`.mapWith(
					parseOrigins,
				),
		})
		.from(referralLinks)
		.leftJoin(partnerPrograms, eq(partnerPrograms.id, referralLinks.partnerProgramId))
		.leftJoin(programs, eq(programs.id, referralLinks.programId))
		.where(eq(referralLinks.shortLink, shortLink));
	if (!row || row.archivedAt !== null) throw new Rejection('referral_link_not_found');
	if (row.programId === null || row.cookieWindowDays === null || row.timeZone === null || row.partnerStatus === null) {
		throw new Rejection('referral_link_misconfigured');
	}
	if (row.partnerStatus !== 'active' || row.active !== true) throw new Rejection('referral_link_not_found');
	return {
		id: row.id,
		programId: row.programId,
		cookieWindowDays: row.cookieWindowDays,
		timeZone: row.timeZone,
		destinationUrl: row.destinationUrl,
		domain: row.domain,
		allowedOrigins: row.origins,
	};
}
