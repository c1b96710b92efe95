import { Hono } from 'hono';
import * as z from 'zod/mini';
import { requireProgramRole } from '../../accounts/membership.ts';
import { once } from '../../once.ts';
import { addLink } from '../../partners/add-link.ts';
import { changeLink } from '../../partners/change-link.ts';
import type { ProgramLink } from '../../partners/link.ts';
import { listLinks } from '../../partners/list-links.ts';
import type { AppEnv } from '../app-env.ts';
import { Id, Identifier } from '../schema.ts';
import { Flag, Strict } from './fields.ts';
import { QueryId, ShortLink } from './filters.ts';
import { linkOnWire } from './partners.ts';
import { json, metaOf, PageQuery, pathId, query, requireSession } from './session.ts';

const DestinationUrl = once(() => Identifier(2_048).check(z.refine(isWebUrl, 'must be an http or https URL')));

export const NewLink = once(() =>
	Strict({ partner_id: Id(), short_link: z.optional(ShortLink()), destination_url: z.optional(DestinationUrl()) }),
);

export const LinkChanges = once(() =>
	Strict({ destination_url: z.nullish(DestinationUrl()), archived: z.optional(Flag()) }).check(
		z.refine((changes) => Object.values(changes).some((change) => change !== undefined), 'Send destination_url or archived'),
	),
);

export const LinkQuery = once(() => z.extend(PageQuery(), { partner_id: z.optional(QueryId()) }));

/** /api/v1/programs/:id/links */
export const links = new Hono<AppEnv>();

links.post('/', async (c) => {
	const actor = await requireSession(c);
	const program = await requireProgramRole(c.get('ctx'), actor, pathId(c, 'id'), 'admin');
	const request = await json(c, NewLink);
	const link = await addLink(c.get('ctx'), actor, program, {
		partnerId: request.partner_id,
		shortLink: request.short_link,
		destinationUrl: request.destination_url,
	});
	return c.json({ success: true, data: programLinkOnWire(link) }, 201);
});

links.get('/', async (c) => {
	const actor = await requireSession(c);
	const program = await requireProgramRole(c.get('ctx'), actor, pathId(c, 'id'), 'member');
	const { partner_id: partnerId, cursor, limit } = query(c, LinkQuery);
	const page = await listLinks(c.get('ctx'), program, { partnerId, cursor, limit });
	return c.json({ success: true, data: page.rows.map(programLinkOnWire), meta: metaOf(page) });
});

links.patch('/:linkId', async (c) => {
	const actor = await requireSession(c);
	const program = await requireProgramRole(c.get('ctx'), actor, pathId(c, 'id'), 'admin');
	const { destination_url: destinationUrl, archived } = await json(c, LinkChanges);
	const link = await changeLink(c.get('ctx'), actor, program, pathId(c, 'linkId'), { destinationUrl, archived });
	return c.json({ success: true, data: programLinkOnWire(link) });
});

links.delete('/:linkId', async (c) => {
	const actor = await requireSession(c);
	const program = await requireProgramRole(c.get('ctx'), actor, pathId(c, 'id'), 'admin');
	const link = await changeLink(c.get('ctx'), actor, program, pathId(c, 'linkId'), { archived: true });
	return c.json({ success: true, data: programLinkOnWire(link) });
});

function programLinkOnWire(link: ProgramLink) {
	return { ...linkOnWire(link), partner_id: link.partnerId };
}

function isWebUrl(text: string): boolean {
	const url = URL.parse(text);
	return url !== null && (url.protocol === 'https:' || url.protocol === 'http:');
}
