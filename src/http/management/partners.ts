import { Hono } from 'hono';
import * as z from 'zod/mini';
import { requireProgramRole } from '../../accounts/membership.ts';
import type { Standing } from '../../domain/payout.ts';
import { once } from '../../once.ts';
import { addPartner } from '../../partners/add-partner.ts';
import { changePartner } from '../../partners/change-partner.ts';
import { endMembership } from '../../partners/end-membership.ts';
import { listPartners } from '../../partners/list-partners.ts';
import { type Partner, type PartnerLink, requirePartner } from '../../partners/partner.ts';
import type { AppEnv } from '../app-env.ts';
import { Email } from '../schema.ts';
import { Name, Strict } from './fields.ts';
import { isoOf, ShortLink } from './filters.ts';
import { json, metaOf, PageQuery, pathId, query, requireNoQuery, requireSession } from './session.ts';

export const NewPartner = once(() => Strict({ name: Name(), email: Email(), short_link: z.optional(ShortLink()) }));

export const PartnerChanges = once(() =>
	Strict({
		name: z.optional(Name()),
		status: z.optional(z.enum(['active', 'suspended'], 'must be active or suspended')),
	}).check(z.refine((changes) => Object.values(changes).some((change) => change !== undefined), 'Send name or status')),
);

/** /api/v1/programs/:id/partners */
export const partners = new Hono<AppEnv>();

partners.post('/', async (c) => {
	const actor = await requireSession(c);
	const program = await requireProgramRole(c.get('ctx'), actor, pathId(c, 'id'), 'admin');
	const { name, email, short_link: shortLink } = await json(c, NewPartner);
	return c.json({ success: true, data: partnerOnWire(await addPartner(c.get('ctx'), actor, program, { name, email, shortLink })) }, 201);
});

partners.get('/', async (c) => {
	const actor = await requireSession(c);
	const program = await requireProgramRole(c.get('ctx'), actor, pathId(c, 'id'), 'member');
	const { cursor, limit } = query(c, PageQuery);
	const page = await listPartners(c.get('ctx'), program, { cursor, limit });
	return c.json({ success: true, data: page.rows.map(partnerOnWire), meta: metaOf(page) });
});

partners.get('/:partnerId', async (c) => {
	const actor = await requireSession(c);
	requireNoQuery(c);
	const program = await requireProgramRole(c.get('ctx'), actor, pathId(c, 'id'), 'member');
	return c.json({ success: true, data: partnerOnWire(await requirePartner(c.get('ctx'), program.id, pathId(c, 'partnerId'))) });
});

partners.patch('/:partnerId', async (c) => {
	const actor = await requireSession(c);
	const program = await requireProgramRole(c.get('ctx'), actor, pathId(c, 'id'), 'admin');
	const { name, status } = await json(c, PartnerChanges);
	const partner = await changePartner(c.get('ctx'), actor, program, pathId(c, 'partnerId'), { name, status });
	return c.json({ success: true, data: partnerOnWire(partner) });
});

partners.delete('/:partnerId', async (c) => {
	const actor = await requireSession(c);
	const program = await requireProgramRole(c.get('ctx'), actor, pathId(c, 'id'), 'admin');
	return c.json({ success: true, data: partnerOnWire(await endMembership(c.get('ctx'), actor, program, pathId(c, 'partnerId'))) });
});

function partnerOnWire(partner: Partner) {
	return {
		id: partner.id,
		partner_program_id: partner.partnerProgramId,
		name: partner.name,
		email: partner.email,
		status: partner.status,
		balances: Object.fromEntries(Object.entries(partner.balances).map(([currency, standing]) => [currency, standingOnWire(standing)])),
		links: partner.links.map(linkOnWire),
		created_at: isoOf(partner.createdAt),
	};
}

/** Minor units. */
function standingOnWire({ availableCents, pendingCents, debtCents }: Standing) {
	return { available: availableCents, pending: pendingCents, debt: debtCents };
}

/** A link as its partner lists it. */
export function linkOnWire(link: PartnerLink) {
	return {
		id: link.id,
		short_link: link.shortLink,
		destination_url: link.destinationUrl,
		archived: link.archivedAt !== null,
		created_at: isoOf(link.createdAt),
	};
}
