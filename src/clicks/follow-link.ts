import { isbot } from 'isbot';
import { type Context, describeFault } from '../context.ts';
import { destinationOf, landingPage } from '../domain/attribution/landing-page.ts';
import { ownDomain, type Place, refusalAt } from '../domain/attribution/own-domain.ts';
import { Rejection } from '../domain/rejection.ts';
import type { TrackedLink } from '../domain/attribution/tracked-link.ts';
import { requireLinkAt } from './find-link.ts';
import { type ClickReceipt, type ClickReport, recordClick } from './record-click.ts';

export interface Visit {
	readonly shortLink: string;
	readonly query: URLSearchParams;
	/** The request's host, and the one that a proxy in front received. */
	readonly place: Place;
	/** Not a prefetch, not in a frame, and without an opt-out. Bots are recognised later, by their user agent. */
	readonly isVisit: boolean;
	readonly existingClickId: string | undefined;
	readonly page: ClickReport['page'];
}

export interface Redirection {
	readonly location: string;
	readonly click: ClickReceipt | undefined;
	/** Set if the link was followed on the shop's own domain, where a cookie can be set. */
	readonly ownDomain: string | undefined;
}

/** The format of every `short_link`; nothing else is looked up. */
const SHORT_LINK = /^[A-Za-z0-9_-]{1,64}$/;

/**
 * Records the click like POST /track/click and returns the redirect. Bots, prefetches and visitors whose click cannot be recorded yet are
 * redirected uncounted; the page's script counts the latter. 404 for unknown and ended links and, on a program's own domain, for links of
 * other programs (decision 40).
 */
export async function followLink(ctx: Context, visit: Visit): Promise<Redirection> {
	const link = await findLink(ctx, visit);
	const destination = destinationOf(link);
	if (!destination) throw new Rejection('redirect_nowhere');
	const landing = (clickId?: string) => landingPage(destination, visit.shortLink, clickId, visit.query);
	const { userAgent } = visit.page;
	const isCounted = visit.isVisit && userAgent !== null && !isbot(userAgent);
	const click = isCounted ? await tryToRecord(ctx, landing(), visit) : undefined;
	return { location: landing(click?.clickId), click, ownDomain: ownDomain(link, visit.place) };
}

async function findLink(ctx: Context, { shortLink, place }: Visit): Promise<TrackedLink> {
	const found = SHORT_LINK.test(shortLink) ? await tryToFind(ctx, shortLink, place) : undefined;
	const refusal = found && refusalAt(found.link, place, found.ownersOf, ctx.settings.needsDomainProof);
	if (refusal === 'unproved') throw new Rejection('redirect_unproved');
	if (!found || refusal) throw new Rejection('redirect_unknown');
	return found.link;
}

async function tryToFind(ctx: Context, shortLink: string, place: Place) {
	try {
		return await requireLinkAt(ctx, shortLink, place);
	} catch (error) {
		if (error instanceof Rejection) return undefined;
		throw error;
	}
}

async function tryToRecord(ctx: Context, affiliateUrl: string, visit: Visit): Promise<ClickReceipt | undefined> {
	try {
		const { existingClickId, page } = visit;
		return await recordClick(ctx, { affiliateUrl, isTest: false, existingClickId, page }, undefined);
	} catch (error) {
		if (error instanceof Rejection) throw new Rejection('redirect_unknown');
		ctx.log({ level: 'error', event: 'redirect_not_counted', ...describeFault(error) });
		return undefined;
	}
}
