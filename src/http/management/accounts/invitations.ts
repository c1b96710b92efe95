import { Hono } from 'hono';
import { createMiddleware } from 'hono/factory';
import * as z from 'zod/mini';
import { acceptInvitation, type Joined, signUpByInvitation } from '../../../accounts/accept-invitation.ts';
import { requireOpen, selectInvitation } from '../../../accounts/invitation.ts';
import { readInvitationToken } from '../../../accounts/proved-address.ts';
import { requireActor } from '../../../accounts/session.ts';
import { once } from '../../../once.ts';
import type { AppContext, AppEnv } from '../../app-env.ts';
import { clientAddress } from '../../limits.ts';
import { requireOwnPage } from '../../session-cookie.ts';
import { noQuery, optionalBody } from '../../validate.ts';
import { clientOf, NewPassword, startedSession } from './auth.ts';
import { Flag, Name, Strict } from '../../fields.ts';
import { isoOf } from '../../../domain/instant.ts';
import { fewGuesses } from '../guesses.ts';
import { partnerAccountOnWire } from './me.ts';
import { requireSessionHash } from '../session.ts';

const NEITHER = 'name and password must be sent together. Leave both out if you are signed in';

export const AcceptRequest = once(() =>
	Strict({ name: z.optional(Name()), password: z.optional(NewPassword()), cookie: z.optional(Flag()) }).check(
		z.refine(({ name, password }) => (name === undefined) === (password === undefined), NEITHER),
	),
);

/** The page's URL keeps the token out of logs. */
const pageForBrowsers = createMiddleware<AppEnv>(async (c, next) => {
	if (!c.req.header('Accept')?.includes('text/html')) return next();
	c.header('Referrer-Policy', 'no-referrer');
	return c.redirect(`/invitation#token=${encodeURIComponent(c.req.param('token') ?? '')}`, 303);
});

/** /api/v1/invitations, for anybody who has the link. */
export const invitations = new Hono<AppEnv>()
	.get('/:token', pageForBrowsers, fewGuesses, noQuery, async (c) => {
		const { ctx } = c.var;
		const { tokenHash } = await readInvitationToken(ctx, c.req.param('token'));
		const invitation = requireOpen(ctx, await selectInvitation(ctx, tokenHash));
		const data = {
			workspace_name: invitation.workspaceName,
			invited_by: invitation.invitedByName,
			email: invitation.email,
			role: invitation.role,
			partner: invitation.partner && {
				name: invitation.partner.name,
				programs: invitation.partnerPrograms.map(({ program: { name, domain } }) => ({ name, domain })),
			},
			expires_at: isoOf(invitation.expiresAt),
		};
		return c.json({ success: true, data });
	})
	.post('/:token/accept', fewGuesses, noQuery, optionalBody(AcceptRequest), async (c) => {
		const { ctx } = c.var;
		const token = c.req.param('token');
		const { name, password, cookie } = c.req.valid('json');
		if (cookie) requireOwnPage(c);
		if (name !== undefined && password !== undefined) {
			const signedUp = await signUpByInvitation(ctx, token, { name, password, ...(await clientOf(c)) });
			return c.json({ success: true, data: await startedSession(c, { token: signedUp.token, ...joinedOnWire(signedUp) }, cookie) }, 201);
		}
		const actor = await requireActor(ctx, await requireSessionHash(c, 'joiner_missing'), await clientAddress(c));
		return c.json({ success: true, data: joinedOnWire(await acceptInvitation(ctx, actor, token)) }, 201);
	});

function joinedOnWire({ user, workspace, partnerAccount }: Joined) {
	return { user, workspace, partner_account: partnerAccount && partnerAccountOnWire(partnerAccount) };
}

/** Uses the configured host, or else the requested one. */
export function invitationUrlOf(c: AppContext, token: string): string {
	return new URL(`/api/v1/invitations/${token}`, c.get('ctx').settings.publicUrl ?? c.req.url).href;
}
