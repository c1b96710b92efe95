import { Hono } from 'hono';
import * as z from 'zod/mini';
import { once } from '../../../once.ts';
import { addLink } from '../../../links/add-link.ts';
import { changeLink } from '../../../links/change-link.ts';
import type { ProgramLink } from '../../../links/link.ts';
import { listLinks } from '../../../links/list-links.ts';
import type { AppEnv } from '../../app-env.ts';
import { foundMetaOf, PageQuery } from '../../page.ts';
import { Changes, Flag, Id, Identifier, QueryId, ShortLink, Strict } from '../../fields.ts';
import { body, params, query } from '../../validate.ts';
import { linkOnWire } from '../partners/partners.ts';
import { requireProgram, unlessArchived } from '../session.ts';

export const DestinationUrl = once(() => Identifier(2_048).check(z.refine(isWebUrl, 'must be an http or https URL')));

export const NewLink = once(() =>
	Strict({ partner_id: Id(), short_link: z.optional(ShortLink()), destination_url: z.optional(DestinationUrl()) }),
);

export const LinkChanges = once(() =>
	Changes({ destination_url: z.nullish(DestinationUrl()), archived: z.optional(Flag()) }, 'Send destination_url or archived'),
);

export const LinkQuery = once(() => z.extend(PageQuery(), { partner_id: z.optional(QueryId()), search: z.optional(Identifier()) }));

/** /api/v1/programs/:id/links */
export const links = new Hono<AppEnv>()
	.post('/', requireProgram('admin'), unlessArchived, body(NewLink), async (c) => {
		const { ctx, program } = c.var;
		const { partner_id: partnerId, short_link: shortLink, destination_url: destinationUrl } = c.req.valid('json');
		const link = await addLink(ctx, program, { partnerId, shortLink, destinationUrl });
		return c.json({ success: true, data: programLinkOnWire(link) }, 201);
	})
	.get('/', requireProgram('member'), query(LinkQuery), async (c) => {
		const { ctx, program } = c.var;
		const { partner_id: partnerId, ...request } = c.req.valid('query');
		const page = await listLinks(ctx, program, { partnerId, ...request });
		return c.json({ success: true, data: page.rows.map(programLinkOnWire), meta: foundMetaOf(page) });
	})
	.patch('/:linkId', requireProgram('admin'), params(['linkId']), body(LinkChanges), async (c) => {
		const { ctx, program } = c.var;
		const { destination_url: destinationUrl, archived } = c.req.valid('json');
		const link = await changeLink(ctx, program, c.req.valid('param').linkId, { destinationUrl, archived });
		return c.json({ success: true, data: programLinkOnWire(link) });
	})
	.delete('/:linkId', requireProgram('admin'), params(['linkId']), async (c) => {
		const { ctx, program } = c.var;
		const link = await changeLink(ctx, program, c.req.valid('param').linkId, { archived: true });
		return c.json({ success: true, data: programLinkOnWire(link) });
	});

function programLinkOnWire({ partnerId, partnerName, ...link }: ProgramLink) {
	const partner = partnerId === null ? null : { id: partnerId, name: partnerName ?? '' };
	return { ...linkOnWire(link), partner_id: partnerId, partner };
}

function isWebUrl(text: string): boolean {
	const url = URL.parse(text);
	return url !== null && (url.protocol === 'https:' || url.protocol === 'http:');
}
