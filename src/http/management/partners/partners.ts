import { Hono } from 'hono';
import * as z from 'zod/mini';
import type { Balance } from '../../../domain/payouts/payout.ts';
import { once } from '../../../once.ts';
import { addPartner } from '../../../partners/add-partner.ts';
import { changePartner } from '../../../partners/change-partner.ts';
import { changeStatuses } from '../../../partners/change-statuses.ts';
import { detachPerson } from '../../../partners/detach-person.ts';
import { endMembership } from '../../../partners/end-membership.ts';
import { invitePartner } from '../../../partners/invite-partner.ts';
import { listPartners, PARTNER_ORDERS } from '../../../partners/list-partners.ts';
import { type Partner, type PartnerLink, requirePartner } from '../../../partners/partner.ts';
import { erasePartner } from '../../../privacy/erase-partner.ts';
import type { AppEnv } from '../../app-env.ts';
import { foundMetaOf, PageQuery } from '../../page.ts';
import { Changes, Email, FreeText, Id, Identifier, IdList, Name, PasswordRequest, QueryId, ShortLink, Strict } from '../../fields.ts';
import { isoOf } from '../../../domain/instant.ts';
import { body, noQuery, params, query } from '../../validate.ts';
import { fewGuesses, requireFewTries } from '../guesses.ts';
import { invitationUrlOf } from '../accounts/invitations.ts';
import { maskedOnWire } from '../payouts/payout-details.ts';
import { requireProgram, unlessArchived } from '../session.ts';

export const NewPartner = once(() =>
	Strict({ name: Name(), email: Email(), short_link: z.optional(ShortLink()), group_id: z.optional(Id()) }),
);

export const PartnerChanges = once(() =>
	Changes(
		{
			name: z.optional(Name()),
			status: z.optional(z.enum(['active', 'suspended'], 'must be active or suspended')),
			reason: z.optional(FreeText(500)),
			group_id: z.nullish(Id()),
		},
		'Send name, status or group_id',
	).check(z.refine(({ status, reason }) => reason === undefined || status !== undefined, 'reason needs a status')),
);

const STATUSES = ['active', 'suspended', 'ended'] as const;
const Status = once(() => z.enum(STATUSES, `must be one of ${STATUSES.join(', ')}`));

export const StatusRequest = once(() => Strict({ partner_ids: IdList(), status: Status(), reason: z.optional(FreeText(500)) }));

export const PartnerQuery = once(() =>
	z.extend(PageQuery(), {
		status: z.optional(Status()),
		group_id: z.optional(QueryId()),
		search: z.optional(Identifier()),
		sort: z.optional(z.enum(PARTNER_ORDERS, `must be one of ${PARTNER_ORDERS.join(', ')}`)),
	}),
);

/** /api/v1/programs/:id/partners */
export const partners = new Hono<AppEnv>()
	.post('/', requireProgram('admin'), unlessArchived, body(NewPartner), async (c) => {
		const { ctx, program } = c.var;
		const { name, email, short_link: shortLink, group_id: groupId } = c.req.valid('json');
		const { invitationToken, isMailed, ...partner } = await addPartner(ctx, program, { name, email, shortLink, groupId });
		const link = { invitation_url: invitationToken === null ? null : invitationUrlOf(c, invitationToken), mailed: isMailed };
		return c.json({ success: true, data: { ...partnerOnWire(partner), ...link } }, 201);
	})
	.get('/', requireProgram('member'), query(PartnerQuery), async (c) => {
		const { ctx, program } = c.var;
		const { group_id: groupId, ...request } = c.req.valid('query');
		const page = await listPartners(ctx, program, { ...request, groupId });
		return c.json({ success: true, data: page.rows.map(partnerOnWire), meta: foundMetaOf(page) });
	})
	.post('/status', requireProgram('admin'), body(StatusRequest), async (c) => {
		const { ctx, program } = c.var;
		const { partner_ids: partnerIds, status, reason } = c.req.valid('json');
		await changeStatuses(ctx, program, { partnerIds, status, reason });
		return c.json({ success: true, data: null });
	})
	.get('/:partnerId', requireProgram('member'), noQuery, params(['partnerId']), async (c) => {
		const { ctx, program } = c.var;
		return c.json({ success: true, data: partnerOnWire(await requirePartner(ctx, program.id, c.req.valid('param').partnerId)) });
	})
	.patch('/:partnerId', requireProgram('admin'), params(['partnerId']), body(PartnerChanges), async (c) => {
		const { ctx, program } = c.var;
		const { group_id: groupId, name, status, reason } = c.req.valid('json');
		const partner = await changePartner(ctx, program, c.req.valid('param').partnerId, { name, status, reason, groupId });
		return c.json({ success: true, data: partnerOnWire(partner) });
	})
	.delete('/:partnerId', requireProgram('admin'), params(['partnerId']), async (c) => {
		const { ctx, program } = c.var;
		return c.json({ success: true, data: partnerOnWire(await endMembership(ctx, program, c.req.valid('param').partnerId)) });
	})
	.post('/:partnerId/invitation', requireProgram('admin'), params(['partnerId']), async (c) => {
		const { ctx, program } = c.var;
		const { partnerId, email, expiresAt, token, isMailed } = await invitePartner(ctx, program, c.req.valid('param').partnerId);
		const link = { invitation_url: invitationUrlOf(c, token), mailed: isMailed };
		return c.json({ success: true, data: { partner_id: partnerId, email, expires_at: isoOf(expiresAt), ...link } }, 201);
	})
	.post('/:partnerId/erase', requireProgram('admin'), params(['partnerId']), async (c) => {
		const { ctx, program } = c.var;
		return c.json({ success: true, data: partnerOnWire(await erasePartner(ctx, program, c.req.valid('param').partnerId)) });
	})
	.delete('/:partnerId/person', fewGuesses, requireProgram('owner'), params(['partnerId']), body(PasswordRequest), async (c) => {
		const { ctx, program } = c.var;
		await requireFewTries(c, { email: program.actor.email, what: 'password' });
		const detached = await detachPerson(ctx, program, c.req.valid('param').partnerId, c.req.valid('json').password);
		return c.json({ success: true, data: partnerOnWire(detached) });
	});

export function partnerOnWire(partner: Partner) {
	return {
		id: partner.id,
		partner_program_id: partner.partnerProgramId,
		name: partner.name,
		email: partner.email,
		accepted: partner.userId !== null,
		status: partner.status,
		status_reason: partner.statusReason,
		group: partner.group,
		balances: Object.fromEntries(Object.entries(partner.balances).map(([currency, balance]) => [currency, balanceOnWire(balance)])),
		links: partner.links.map(linkOnWire),
		payout_details: partner.payoutDetails && maskedOnWire(partner.payoutDetails),
		payout_details_asked_at: isoOf(partner.detailsAskedAt),
		created_at: isoOf(partner.createdAt),
	};
}

export function balanceOnWire({ availableCents, pendingCents, debtCents }: Balance) {
	return { available: availableCents, pending: pendingCents, debt: debtCents };
}

export function linkOnWire(link: PartnerLink) {
	return {
		id: link.id,
		short_link: link.shortLink,
		destination_url: link.destinationUrl,
		archived: link.archivedAt !== null,
		created_at: isoOf(link.createdAt),
	};
}
