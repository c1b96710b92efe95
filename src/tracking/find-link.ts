import { eq, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { partnerPrograms, referralLinks } from '../db/schema/partners.ts';
import { allowedOrigins, programs } from '../db/schema/programs.ts';
import { SECOND_MS } from '../domain/calendar.ts';
import { Rejection } from '../domain/rejection.ts';
import { parseOrigins } from './program-of-link.ts';

/** What a click needs to know of its link. */
export interface TrackedLink {
	readonly id: number;
	readonly programId: number;
	readonly cookieWindowDays: number;
	readonly timeZone: string;
	readonly allowedOrigins: readonly string[];
}

/** Links by `short_link`. By value, and only those that were found. */
export type LinkCache = Map<string, { readonly link: TrackedLink; readonly freshUntil: number }>;

const FRESH_MS = 30 * SECOND_MS;
const CACHE_LIMIT = 10_000;

/**
 * The link behind an `aff` value: no trip to D1 while it is fresh in the isolate, one otherwise. Rejects links that do
 * not exist, are archived or whose partner is not active, and links without partner or program (decision 10).
 */
export async function requireLink(ctx: Context, shortLink: string): Promise<TrackedLink> {
	const cached = ctx.links.get(shortLink);
	if (cached && cached.freshUntil > ctx.now) return cached.link;
	const link = await readLink(ctx, shortLink);
	const oldest = ctx.links.size >= CACHE_LIMIT ? ctx.links.keys().next() : undefined;
	if (oldest && !oldest.done) ctx.links.delete(oldest.value);
	ctx.links.set(shortLink, { link, freshUntil: ctx.now + FRESH_MS });
	return link;
}

async function readLink(ctx: Context, shortLink: string): Promise<TrackedLink> {
	const [row] = await ctx.db
		.select({
			id: referralLinks.id,
			archivedAt: referralLinks.archivedAt,
			partnerStatus: partnerPrograms.status,
			programId: programs.id,
			active: programs.active,
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
		allowedOrigins: row.origins,
	};
}
