import { and, eq, isNotNull, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { read } from '../db/client.ts';
import { partnerPrograms, referralLinks } from '../db/schema/partners.ts';
import { programs } from '../db/schema/programs.ts';
import { SECOND_MS } from '../domain/calendar.ts';
import { isWithin } from '../domain/attribution/click-cookie.ts';
import { bareDomain, domainsOver, type Place } from '../domain/attribution/own-domain.ts';
import { Rejection } from '../domain/rejection.ts';
import type { TrackedLink } from '../domain/attribution/tracked-link.ts';
import { cacheGet, cacheSet } from '../isolate-cache.ts';
import { origins } from '../programs/program-of-link.ts';

const FRESH_MS = 30 * SECOND_MS;

/**
 * Finds the link in the isolate's cache or in one round trip. Rejects unknown and archived links, links of inactive partners, and links
 * without a partner or program (decision 10).
 */
export async function requireLink(ctx: Context, shortLink: string): Promise<TrackedLink> {
	const known = cacheGet(ctx.links, shortLink, ctx.now);
	if (known) return known;
	return keepLink(ctx, shortLink, await selectLink(ctx, shortLink));
}

/** In the same round trip, also finds the programs whose own domain matches one of the hosts. */
export async function requireLinkAt(
	ctx: Context,
	shortLink: string,
	{ host, forwardedHost }: Place,
): Promise<{ readonly link: TrackedLink; readonly ownersOf: (host: string) => readonly number[] }> {
	const ownersOf = (name: string) => cacheGet(ctx.hostOwners, name, ctx.now) ?? [];
	const hosts = [host, ...(forwardedHost === undefined ? [] : [forwardedHost])];
	const unknown = hosts.filter((name) => domainsOver(name).length > 0 && !cacheGet(ctx.hostOwners, name, ctx.now));
	if (unknown.length === 0) return { link: await requireLink(ctx, shortLink), ownersOf };
	const { links, owners } = await read(ctx.db, { links: selectLink(ctx, shortLink), owners: selectOwners(ctx, unknown) });
	for (const name of unknown) {
		const ids = owners.filter(({ domain }) => domain !== null && isWithin(name, bareDomain(domain))).map(({ id }) => id);
		cacheSet(ctx.hostOwners, name, ids, ctx.now + FRESH_MS);
	}
	return { link: keepLink(ctx, shortLink, links), ownersOf };
}

function selectOwners(ctx: Context, hosts: readonly string[]) {
	const domains = JSON.stringify(hosts.flatMap(domainsOver));
	return ctx.db
		.select({ id: programs.id, domain: programs.domain })
		.from(programs)
		.where(
			and(
				sql`${programs.domain} IN (SELECT value FROM json_each(${domains}))`,
				eq(programs.active, true),
				ctx.settings.needsDomainProof ? isNotNull(programs.domainVerifiedAt) : undefined,
			),
		);
}

function selectLink(ctx: Context, shortLink: string) {
	return ctx.db
		.select({
			id: referralLinks.id,
			destinationUrl: referralLinks.destinationUrl,
			archivedAt: referralLinks.archivedAt,
			partnerStatus: partnerPrograms.status,
			programId: programs.id,
			active: programs.active,
			domain: programs.domain,
			domainVerifiedAt: programs.domainVerifiedAt,
			cookieWindowDays: programs.cookieWindowDays,
			timeZone: programs.timeZone,
			origins,
		})
		.from(referralLinks)
		.leftJoin(partnerPrograms, eq(partnerPrograms.id, referralLinks.partnerProgramId))
		.leftJoin(programs, eq(programs.id, referralLinks.programId))
		.where(eq(referralLinks.shortLink, shortLink));
}

function keepLink(ctx: Context, shortLink: string, [row]: Awaited<ReturnType<typeof selectLink>>): TrackedLink {
	if (!row || row.archivedAt !== null) throw new Rejection('referral_link_not_found');
	if (row.programId === null || row.cookieWindowDays === null || row.timeZone === null || row.partnerStatus === null) {
		throw new Rejection('referral_link_misconfigured');
	}
	if (row.partnerStatus !== 'active' || row.active !== true) throw new Rejection('referral_link_not_found');
	const link = {
		id: row.id,
		programId: row.programId,
		cookieWindowDays: row.cookieWindowDays,
		timeZone: row.timeZone,
		destinationUrl: row.destinationUrl,
		domain: row.domain,
		isDomainOwn: !ctx.settings.needsDomainProof || row.domainVerifiedAt !== null,
		allowedOrigins: row.origins,
	};
	cacheSet(ctx.links, shortLink, link, ctx.now + FRESH_MS);
	return link;
}
