import { Hono } from 'hono';
import * as z from 'zod/mini';
import type { PartnerMembership } from '../../../accounts/partner-membership.ts';
import { destinationOf, landingPage } from '../../../domain/attribution/landing-page.ts';
import { once } from '../../../once.ts';
import { addOwnLink } from '../../../links/add-own-link.ts';
import { changeOwnLink } from '../../../links/change-own-link.ts';
import { listOwnLinks } from '../../../links/list-own-links.ts';
import type { PartnerLink } from '../../../partners/partner.ts';
import type { AppContext, AppEnv } from '../../app-env.ts';
import { Strict } from '../../fields.ts';
import { metaOf, PageQuery } from '../../page.ts';
import { body, params, query } from '../../validate.ts';
import { DestinationUrl } from '../links/links.ts';
import { linkOnWire } from '../partners/partners.ts';
import { requirePartnerProgram } from '../session.ts';

export const NewOwnLink = once(() => Strict({ destination_url: DestinationUrl() }));

export const OwnLinkChange = once(() => Strict({ destination_url: z.nullable(DestinationUrl()) }));

/** /api/v1/partner-programs/:id/links */
export const partnerLinks = new Hono<AppEnv>()
	.get('/', requirePartnerProgram('suspended'), query(PageQuery), async (c) => {
		const { ctx, membership } = c.var;
		const page = await listOwnLinks(ctx, membership, c.req.valid('query'));
		return c.json({ success: true, data: page.rows.map((link) => ownLinkOnWire(c, membership, link)), meta: metaOf(page) });
	})
	.post('/', requirePartnerProgram('active'), body(NewOwnLink), async (c) => {
		const { ctx, membership } = c.var;
		const link = await addOwnLink(ctx, membership, c.req.valid('json').destination_url);
		return c.json({ success: true, data: ownLinkOnWire(c, membership, link) }, 201);
	})
	.patch('/:linkId', requirePartnerProgram('active'), params(['linkId']), body(OwnLinkChange), async (c) => {
		const { ctx, membership } = c.var;
		const { destination_url: destinationUrl } = c.req.valid('json');
		const link = await changeOwnLink(ctx, membership, c.req.valid('param').linkId, { destinationUrl });
		return c.json({ success: true, data: ownLinkOnWire(c, membership, link) });
	})
	.delete('/:linkId', requirePartnerProgram('active'), params(['linkId']), async (c) => {
		const { ctx, membership } = c.var;
		const link = await changeOwnLink(ctx, membership, c.req.valid('param').linkId, { archived: true });
		return c.json({ success: true, data: ownLinkOnWire(c, membership, link) });
	});

/** `url` redirects and counts the click. `page_url` is the page itself, whose script counts it. */
export function ownLinkOnWire(c: AppContext, { program }: PartnerMembership, link: PartnerLink) {
	const page = destinationOf({ destinationUrl: link.destinationUrl, domain: program.domain });
	return {
		...linkOnWire(link),
		url: page ? new URL(`/r/${link.shortLink}`, c.req.url).href : null,
		page_url: page ? landingPage(page, link.shortLink, undefined, []) : null,
	};
}
