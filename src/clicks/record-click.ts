import { eq } from 'drizzle-orm';
import { isbot } from 'isbot';
import { type Context, describeFault } from '../context.ts';
import { affiliateClickEvents } from '../db/schema/clicks.ts';
import { mintClickId } from '../customers/mint-click-id.ts';
import { isInsideWindow } from '../domain/attribution/attribution.ts';
import { dayOf } from '../domain/calendar.ts';
import { parseClickId } from '../domain/attribution/click-id.ts';
import { isOwnHost } from '../domain/attribution/own-domain.ts';
import { Rejection } from '../domain/rejection.ts';
import { subIdOf } from '../domain/attribution/sub-id.ts';
import type { TrackedLink } from '../domain/attribution/tracked-link.ts';
import { parseWebAddress } from '../domain/web-address.ts';
import type { ClickJob } from '../job.ts';
import { requireLink } from './find-link.ts';
import { requireListedOrigin } from '../programs/find-origin.ts';
import { storeClicks, storeTestClick } from './store-clicks.ts';

export interface ClickReport {
	/** A complete URL whose `aff` parameter names the link. */
	readonly affiliateUrl: string;
	readonly isTest: boolean;
	/** The visitor's current click id. If it belongs to the same link and window, it is kept and nothing is counted. */
	readonly existingClickId: string | undefined;
	/** The domain for which the page requests a cookie. */
	readonly cookieDomain?: string | undefined;
	/** Used if the URL has no sub_id. */
	readonly subId?: string | null;
	readonly page: Pick<ClickJob, 'pageUrl' | 'pageTitle' | 'referrerUrl' | 'sessionId' | 'userAgent' | 'language' | 'timezone' | 'country'>;
}

export interface ClickReceipt {
	readonly clickId: string;
	/** The `aff` value. */
	readonly shortLink: string;
	readonly cookieWindowDays: number;
	/** Whether the requested cookie may be set. If domains need proof, only within the program's own. */
	readonly mayHaveCookie: boolean;
	readonly test: { readonly eventId: number; readonly programId: number } | undefined;
}

/**
 * Records a click on a referral link (contract, 4.1). If the link is cached, the response waits for the queue but not for D1. Rejects as
 * section 7 lists, and with `Origin not allowed` for a page that the program does not list.
 */
export async function recordClick(ctx: Context, report: ClickReport, origin: string | undefined): Promise<ClickReceipt> {
	const { shortLink, subId } = markIn(report.affiliateUrl);
	const link = await requireLink(ctx, shortLink);
	requireListedOrigin(ctx, origin, link.programId, link.allowedOrigins);

	const { cookieWindowDays, programId } = link;
	const there = ctx.in(programId);
	const { cookieDomain } = report;
	const mayHaveCookie = cookieDomain !== undefined && (!ctx.settings.needsDomainProof || isOwnHost(link, cookieDomain));
	const known = { shortLink, cookieWindowDays, mayHaveCookie };
	if (report.existingClickId !== undefined && (await isSameVisit(there, report.existingClickId, link, report.isTest))) {
		return { ...known, clickId: report.existingClickId, test: undefined };
	}

	const clickId = await mintClickId(ctx, { referralLinkId: link.id, clickedAt: ctx.now, isTest: report.isTest });
	const job: ClickJob = {
		version: 1,
		kind: 'click',
		clickId,
		programId,
		referralLinkId: link.id,
		isTest: report.isTest,
		isBot: isCrawler(report.page.userAgent),
		clickedAt: ctx.now,
		...report.page,
		subId: report.subId ?? subId,
	};
	if (report.isTest) {
		const eventId = await storeTestClick(there, job, dayOf(ctx.now, link.timeZone));
		return { ...known, clickId, test: { eventId, programId } };
	}
	await accept(there, job);
	return { ...known, clickId, test: undefined };
}

/** HTTP libraries count as bots elsewhere, but they run no script, so their calls come from a backend. */
function isCrawler(userAgent: string | null): boolean {
	return userAgent?.startsWith('Mozilla/') === true && isbot(userAgent);
}

function markIn(affiliateUrl: string): { readonly shortLink: string; readonly subId: string | null } {
	const url = parseWebAddress(affiliateUrl);
	if (!url) throw new Rejection('affiliate_url_invalid');
	const shortLink = url.searchParams.get('aff');
	if (!shortLink) throw new Rejection('aff_missing');
	return { shortLink, subId: subIdOf(url.searchParams.get('sub_id')) };
}

/** Whether the visitor's current click id still belongs to this link (decision 9). */
async function isSameVisit(ctx: Context, clickId: string, link: TrackedLink, isTest: boolean): Promise<boolean> {
	const claimed = parseClickId(clickId);
	if (!claimed || claimed.referralLinkId !== link.id || claimed.isTest !== isTest) return false;
	if (!isInsideWindow(claimed.clickedAt, ctx.now, link.cookieWindowDays)) return false;
	return (await ctx.secrets.verifyClickId(clickId)) !== undefined || (await isStored(ctx, clickId));
}

/** If the secret that signed an id is gone, only the row proves the id (decision 1). */
async function isStored(ctx: Context, clickId: string): Promise<boolean> {
	const rows = await ctx.db
		.select({ clickId: affiliateClickEvents.clickId })
		.from(affiliateClickEvents)
		.where(eq(affiliateClickEvents.clickId, clickId));
	return rows.length > 0;
}

/** If the queue refuses the click, its row is written at once, because a 200 promises that the click is kept. */
async function accept(ctx: Context, job: ClickJob): Promise<void> {
	try {
		await ctx.clicks.send(job);
	} catch (error) {
		ctx.log({ level: 'warn', event: 'click_not_queued', programId: job.programId, ...describeFault(error) });
		await storeClicks(ctx, [job]);
	}
}
