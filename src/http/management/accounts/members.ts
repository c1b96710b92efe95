import { Hono } from 'hono';
import * as z from 'zod/mini';
import { changeMember } from '../../../accounts/change-member.ts';
import type { Invitation } from '../../../accounts/invitation.ts';
import { inviteMember } from '../../../accounts/invite-member.ts';
import { listMembers } from '../../../accounts/list-members.ts';
import type { Member } from '../../../accounts/member.ts';
import { removeMember } from '../../../accounts/remove-member.ts';
import { withdrawInvitation } from '../../../accounts/withdraw-invitation.ts';
import { ROLES } from '../../../domain/people/role.ts';
import { once } from '../../../once.ts';
import type { AppEnv } from '../../app-env.ts';
import { metaOf, PageQuery } from '../../page.ts';
import { body, params, query } from '../../validate.ts';
import { Changes, Email, Flag, Strict } from '../../fields.ts';
import { isoOf } from '../../../domain/instant.ts';
import { invitationUrlOf } from './invitations.ts';
import { requireWorkspace } from '../session.ts';

const RoleName = once(() => z.enum(ROLES, `must be one of ${ROLES.join(', ')}`));

export const InviteRequest = once(() => Strict({ email: Email(), role: RoleName() }));

export const MemberChangeRequest = once(() => Changes({ role: z.optional(RoleName()), active: z.optional(Flag()) }, 'Send role or active'));

/** /api/v1/workspaces/:id/members and /invitations */
export const members = new Hono<AppEnv>()
	.post('/members', requireWorkspace('admin'), body(InviteRequest), async (c) => {
		const { ctx, workspace } = c.var;
		const { token, isMailed, ...invitation } = await inviteMember(ctx, workspace, c.req.valid('json'));
		const link = { invitation_url: invitationUrlOf(c, token), mailed: isMailed };
		return c.json({ success: true, data: { ...invitationOnWire(invitation), ...link } }, 201);
	})
	.get('/members', requireWorkspace('member'), query(PageQuery), async (c) => {
		const { ctx, workspace } = c.var;
		const page = await listMembers(ctx, workspace, c.req.valid('query'));
		const data = { members: page.rows.map(memberOnWire), invitations: page.invitations.map(invitationOnWire) };
		return c.json({ success: true, data, meta: metaOf(page) });
	})
	.patch('/members/:memberId', requireWorkspace('admin'), params(['memberId']), body(MemberChangeRequest), async (c) => {
		const { ctx, workspace } = c.var;
		const member = await changeMember(ctx, workspace, c.req.valid('param').memberId, c.req.valid('json'));
		return c.json({ success: true, data: memberOnWire(member) });
	})
	.delete('/members/:memberId', requireWorkspace('member'), params(['memberId']), async (c) => {
		const { ctx, workspace } = c.var;
		await removeMember(ctx, workspace, c.req.valid('param').memberId);
		return c.json({ success: true, data: null });
	})
	.delete('/invitations/:invitationId', requireWorkspace('admin'), params(['invitationId']), async (c) => {
		const { ctx, workspace } = c.var;
		await withdrawInvitation(ctx, workspace, c.req.valid('param').invitationId);
		return c.json({ success: true, data: null });
	});

function memberOnWire({ id, user, role, createdAt, deactivatedAt }: Member) {
	return { id, user, role, active: deactivatedAt === null, since: isoOf(createdAt) };
}

function invitationOnWire({ id, email, role, invitedBy, createdAt, expiresAt }: Invitation) {
	return { id, email, role, invited_by: invitedBy, created_at: isoOf(createdAt), expires_at: isoOf(expiresAt) };
}
