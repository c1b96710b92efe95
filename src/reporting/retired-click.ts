import { eq } from 'drizzle-orm';
import { findRetiredClicks } from '../clicks/find-retired-clicks.ts';
import type { Context } from '../context.ts';
import { partnerPrograms, partners, referralLinks } from '../db/schema/partners.ts';

/** A click from the files, in the form of its former row. Undefined if no file has it, without a read if it is too young. */
export async function readRetiredClick(ctx: Context, programId: number, clickId: string) {
	const [click] = await findRetiredClicks(ctx, programId, [clickId]);
	if (!click) return undefined;
	const [link] = await ctx.db
		.select({ partner: { id: partners.id, name: partners.name }, shortLink: referralLinks.shortLink })
		.from(referralLinks)
		.leftJoin(partnerPrograms, eq(partnerPrograms.id, referralLinks.partnerProgramId))
		.leftJoin(partners, eq(partners.id, partnerPrograms.partnerId))
		.where(eq(referralLinks.id, click.referralLinkId));
	const { id, clickedAt: at, isTest, isBot, country, pageUrl, pageTitle, referrerUrl, source, userAgent, language, subId } = click;
	return {
		event: { id, at, isTest, isBot, country, clickId, partner: link?.partner ?? null, shortLink: link?.shortLink ?? null },
		visit: {
			linkId: click.referralLinkId,
			pageUrl,
			pageTitle,
			referrerUrl,
			source,
			userAgent,
			language,
			timeZone: click.timezone,
			subId,
		},
	};
}
